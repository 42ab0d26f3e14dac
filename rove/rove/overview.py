"""``rove`` alone: what it is, how things stand here, and the next command."""

from pathlib import Path

from rove_core.local_project import LocalProject
from rove_core.store.documents import list_documents


def overview() -> str:
    """Return at most fifteen lines."""
    project = LocalProject.at(Path.cwd())
    with project.reading() as db:
        documents = list_documents(db)
    used = project.settings.sources.use
    newest = f", the newest {documents[0].filename}" if documents else ""
    return "\n".join(
        [
            "Rove gives your coding agent what was said about a ticket, quoted and cited.",
            "",
            f"Project    {project.places.root}",
            f"Sources    {', '.join(used) or 'none connected'}",
            f"Documents  {len(documents)}{newest}",
            "",
            *_next(connected=bool(used)),
            "",
            "Everything else: rove --help",
        ]
    )


def _next(*, connected: bool) -> list[str]:
    if connected:
        return [
            "Build a ticket's document   rove --ticket TB-123",
            "Find it again               rove --find TB-123",
        ]
    return [
        "See it work                 rove --demo",
        "Connect a source            rove --add-source jira",
        "See what can be connected   rove --source-plugins",
    ]
