"""``rove`` alone: what it is, the state of this project, and the next command."""

from collections.abc import Iterator

from rove_core.project.local import LocalProject
from rove_core.project.settings.untrusted_settings import ignored_note
from rove_core.store.documents import list_documents


def overview() -> Iterator[str]:
    """Yield at most fifteen lines; the first ones come even if the project is unreadable."""
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
    yield from _next(connected=bool(used), ticket=newest.ticket_id if newest else "")
    yield "\nEverything else: rove --help"


def _next(*, connected: bool, ticket: str) -> Iterator[str]:
    if connected:
        yield "Build a ticket's document   rove --ticket TB-123"
    if ticket:
        yield f"Find it again               rove --find {ticket}"
    if not connected:
        yield "See it work                 rove --demo"
        yield "Connect a source            rove --add-source jira"
        yield "See what can be connected   rove --source-plugins"
