"""``rove --demo``: build a sample ticket with real plugins and simulated vendors."""

import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Final

import click

from rove.command_path import typed_command
from rove.progress import shown_progress
from rove.streams import print_line, print_sentence
from rove_core.auth.credentials import MemoryStore
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.clock import SYSTEM
from rove_core.errors import RoveError, WrongCall
from rove_core.events import Listener
from rove_core.project.index_claim import sign_index
from rove_core.project.local import LocalProject
from rove_core.project.opener import open_project, run
from rove_core.safety.secret import Secret
from rove_core.store.documents import list_documents
from rove_core.store.files import private_folder
from rove_core.store.store import open_store
from rove_sim import running, sample_company

_TICKET: Final = "TB-123"
_HEAD: Final = 12


@click.command("demo")
@click.argument("folder", required=False)
def command(*, folder: str | None) -> None:
    """See Rove work on a sample company, with no account.

    The sample stays in its folder. Name that folder again, and its document is refreshed.
    """
    place = Path(folder).absolute() if folder else Path(tempfile.mkdtemp(prefix="rove-demo-"))
    with shown_progress() as listener:
        path = run(demo(place, listener))
    head = path.read_text("utf-8", errors="replace").splitlines()[:_HEAD]
    rove, project = typed_command(), quote(str(place))
    for line in ["", *head, "...", ""]:
        print_sentence(line)
    print_line(f"The whole document: {path}")
    print_line(f"Read it in the browser: cd {project} && {rove} open {_TICKET}")
    print_line(f"Why each thing is in it: cd {project} && {rove} explain {_TICKET}")
    print_line(f"Refresh it: {rove} --demo {project}")
    print_sentence("The folder holds this one sample ticket; its sources end with the demo.")
    print_line(f"Next, in a project of your own: {rove} --add-source jira")
    if not folder:
        print_line(f"Remove the sample: rm -r {project}")
    click.echo(path)


async def demo(folder: Path, on_event: Listener) -> Path:
    """Build or refresh the sample ticket's document in a folder and return its path.

    Raises:
        WrongCall: The folder is a project already, of something else.
    """
    if _is_taken(folder):
        raise WrongCall(
            f"{folder} is already a project; the sample would mix with it",
            hint=f"Give it a folder of its own: rove --demo {quote(str(folder / 'rove-demo'))}",
        )
    # With a `.rove` of its own the folder is no part of a project around it.
    private_folder(folder / ".rove")
    places = LocalProject.at(folder).places
    is_new = not places.index.exists()
    path = await _build(folder, on_event)
    if is_new:
        # The commands that it proposes run as the user, whose index this is from now on.
        with suppress(OSError, RoveError):
            async with open_store(places.index, clock=SYSTEM) as store:
                await sign_index(store, places)
    return path


async def _build(folder: Path, on_event: Listener) -> Path:
    async with (
        running(sample_company()) as world,
        open_project(folder, accounts=(), credentials=MemoryStore(), on_event=on_event) as project,
    ):
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        kinds = project.plugins.kinds
        for account in world.accounts(kinds, project=folder):
            if kinds[account.kind].logins:
                await project.log_in(account, partial(PreparedLogin, "token", answers))
            else:
                await project.connect(account)
        return (await project.build(_TICKET)).document.path


def _is_taken(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    project = LocalProject.at(folder)
    if (folder / ".git").exists() or project.places.settings_file.exists():
        return True
    with project.reading() as db:
        return any(document.ticket_id != _TICKET for document in list_documents(db))
