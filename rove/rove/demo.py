"""``rove --demo``: a ticket of the sample company, by the real plugins from simulated vendors."""

import tempfile
from functools import partial
from pathlib import Path

import click

from rove.reporting import tell
from rove_core import Secret, open_project, run
from rove_core.credentials import MemoryStore
from rove_core.events import Listener
from rove_core.prepared_login import PreparedLogin
from rove_sim import running, sample_company

TICKET = "TB-123"
_HEAD = 12


@click.command("demo")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
def command(*, folder: Path | None) -> None:
    """See Rove work on a sample company, with no account."""
    path = run(demo(folder, tell))
    head = path.read_text("utf-8").splitlines()[:_HEAD]
    click.echo("\n".join(["", *head, "...", "", f"The whole of it: {path}"]), err=True)
    click.echo("Connect your own: rove --add-source jira", err=True)
    click.echo(path)


async def demo(folder: Path | None, on_event: Listener) -> Path:
    """Build the sample ticket's document in a folder, or in a new one, and return its path."""
    place = folder or Path(tempfile.mkdtemp(prefix="rove-demo-"))
    async with (
        running(sample_company()) as world,
        open_project(place, accounts=(), credentials=MemoryStore(), on_event=on_event) as project,
    ):
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        for account in world.accounts(project.plugins.kinds):
            await project.log_in(account, partial(PreparedLogin, "token", answers))
        return (await project.build(TICKET)).document.path
