"""Nothing of the user's: own accounts, own plugins, own credentials."""

import asyncio
import tempfile
from functools import partial
from pathlib import Path

import rove_jira
from rove_core import Account, MemoryStore, PreparedLogin, Secret, open_project
from rove_jira.settings import JiraSettings
from rove_sim import running, sample_company


async def main(folder: Path) -> None:
    """Build from a simulated Jira, in a folder of our own."""
    async with (
        running(sample_company()) as world,
        open_project(folder, accounts=(), plugins=[rove_jira], credentials=MemoryStore()) as rove,
    ):
        jira = Account(
            name="jira", kind="jira", settings=JiraSettings(), base_url=world.urls["jira"]
        )
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        await rove.log_in(jira, partial(PreparedLogin, "token", answers))
        built = await rove.build("TB-123")
        print(built.document.path.read_text("utf-8").splitlines()[0])


with tempfile.TemporaryDirectory() as place:
    asyncio.run(main(Path(place)))
