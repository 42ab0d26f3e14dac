"""``rove`` alone: what it is, the state of this project, and the next command."""

from collections.abc import Iterator, Sequence

from rove_core.project.local import LocalProject
from rove_core.project.settings.untrusted_settings import ignored_note
from rove_core.store.documents import list_documents
from rove_core.terminal.line_breaks import wrapped_words
from rove_core.terminal.screen import width


def overview() -> Iterator[str]:
    """Yield at most fifteen lines; the first ones come even if the project is unreadable.

    On a narrow terminal a line is broken between its words.
    """
    for line in _lines():
        yield _fitted(line)


def _fitted(line: str) -> str:
    room = width()
    if room is None or max(map(len, line.splitlines()), default=0) <= room:
        return line
    text = line.rstrip("\n")
    return "\n".join(wrapped_words(text, room)) + line[len(text) :]


def _lines() -> Iterator[str]:
    yield "Rove gives your coding agent what people said about a ticket, quoted and cited.\n"
    project = LocalProject.at()
    yield f"Project    {project.places.root}"
    used = project.settings.sources.use
    yield f"Sources    {', '.join(used) or 'none connected'}"
    if note := ignored_note(project.places, project.settings.ignored):
        yield f"Settings   {note}"
    with project.reading() as db:
        documents = list_documents(db)
    newest = documents[0] if documents else None
    yield f"Documents  {len(documents)}{f', the newest {newest.filename}' if newest else ''}\n"
    yield from _next(
        connected=bool(used),
        unused=[] if used else [record.name for record in project.book.accounts()],
        ticket=newest.ticket_id if newest else "",
    )
    yield "\nEverything else: rove --help"


def _next(*, connected: bool, unused: Sequence[str], ticket: str) -> Iterator[str]:
    if connected:
        yield _command("Build a ticket's document", "rove --ticket TB-123")
    if ticket:
        yield _command("Find it again", f"rove --find {ticket}")
    if not connected:
        if unused:
            yield _command("Use your accounts here", f"rove sources use {' '.join(unused)}")
        else:
            yield _command("See it work", "rove --demo")
        yield _command("Connect a source", "rove --add-source jira")
        yield _command("See what can be connected", "rove --source-plugins")


def _command(what: str, command: str) -> str:
    """Return a command to paste, on a separate line if both do not fit on one."""
    line, room = f"{what:27} {command}", width()
    return line if room is None or len(line) <= room else f"{what}\n  {command}"
