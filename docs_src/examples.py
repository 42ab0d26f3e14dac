"""Write the documents of ``docs/examples``: tickets of the sample company, at one moment.

``python -m docs_src.examples`` writes all of them anew.
"""

import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from rove_core import MemoryStore, PreparedLogin, Secret, open_project, run
from rove_core.testing import VirtualClock
from rove_sim import running, sample_company

FOLDER: Final = Path(__file__).parents[1] / "docs/examples"
#: The evening of the day on which the sample company's story ends.
NOW: Final = datetime(2025, 1, 24, 18, tzinfo=UTC)
TICKETS: Final = (
    *("TB-123", "TB-124", "TB-125", "TB-131", "TB-139"),
    *("TB-147", "TB-456", "TB-461", "SEC-17", "MOB-41"),
)


def document_of(ticket: str) -> str:
    """Return the document of a ticket, as somebody would have it who asked for it just then."""
    with tempfile.TemporaryDirectory(prefix="northwind-", dir="/tmp") as name:  # of its own
        folder = Path(name)
        (folder / ".rove").mkdir(mode=0o700)
        # A mark that stands for a secret is the same in each run.
        (folder / ".rove/marks.key").write_bytes(bytes(32))
        text = run(_built(folder, ticket))
        return text.replace(folder.as_uri(), "file:///home/robin/northwind")


async def _built(folder: Path, ticket: str) -> str:
    clock = VirtualClock(NOW)
    async with (
        running(sample_company(), clock=clock) as world,
        open_project(folder, accounts=(), credentials=MemoryStore(), clock=clock) as project,
    ):
        kinds = project.plugins.kinds
        answers = {field: Secret(answer) for field, answer in world.answers.items()}
        for account in world.accounts(kinds, project=folder):
            if kinds[account.kind].logins:
                await project.log_in(account, partial(PreparedLogin, "token", answers))
            else:
                await project.connect(account)
        return (await project.build(ticket)).document.path.read_text("utf-8")


def main() -> None:
    """Write every example."""
    FOLDER.mkdir(exist_ok=True)
    for ticket in TICKETS:
        (FOLDER / f"{ticket}.md").write_text(document_of(ticket), "utf-8")


if __name__ == "__main__":
    main()
