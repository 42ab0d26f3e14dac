"""A document's code section: the most relevant declarations, cited, in few lines."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_code.background_work import Progress, WorkAbandoned, in_thread
from rove_code.engines import engine_of
from rove_code.links import Pages
from rove_code.project_code import repository_of
from rove_code.repository_facts import Where, short
from rove_core import (
    ContextItem,
    LocalProject,
    RepositoryNotFound,
    RepositoryUnusable,
    RevisionNotFound,
    Section,
    code_block,
    redact_secrets,
)
from rove_core.clock import SYSTEM, Clock

if TYPE_CHECKING:
    from rove_code.model import Declaration
    from rove_code.view import ChunkHit, VersionView

_HEADING: Final = "Related Code in the Repository"
#: Seconds that taking files apart may take for a document; what is done by then is kept, and the
#: next document goes on from there.
_PATIENCE: Final = 10.0
#: So many chunks are looked at, so many declarations are shown, and of each so many lines.
_LOOKED_AT: Final = 40
_DECLARATIONS: Final = 5
_OF_SIGNATURE: Final = 4
_DECISIVE: Final = 3
#: A line of more characters was written by a machine.
_WIDE: Final = 160
#: A token has about so many characters.
_TOKEN: Final = 4


async def sections(
    ticket: ContextItem, budget: int, project: Path, *, clock: Clock = SYSTEM
) -> Sequence[Section]:
    """Return the section of a ticket, or nothing.

    There is nothing to say where the project is no git repository, where no declaration has
    enough to do with the ticket, or where the repository was never taken apart and that takes
    too long now.

    Args:
        ticket: The ticket, with its comments.
        budget: How many tokens the section may take.
        project: The project's folder.
        clock: The clock that times it.
    """
    began = clock.monotonic()

    def hurry(_done: int, _total: int) -> None:
        if clock.monotonic() > began + _PATIENCE:
            raise WorkAbandoned

    def work(progress: Progress) -> Sequence[Section]:
        local = LocalProject.at(project, clock)
        folder = repository_of(local)
        if not (folder / ".git").exists():
            return ()
        with engine_of(local.places, clock) as engine:
            view = engine.view(folder, "latest", progress)
            return _sections(view, ticket, _TOKEN * budget) if view.version.commit else ()

    try:
        return await in_thread(work, hurry)
    except (WorkAbandoned, RepositoryNotFound, RepositoryUnusable, RevisionNotFound):
        return ()


def _sections(view: "VersionView", ticket: ContextItem, room: int) -> Sequence[Section]:
    from rove_code.relevance import Wishes  # noqa: PLC0415  # numpy comes with it

    text = "\n\n".join([ticket.content, *(part.content for part in ticket.thread)])
    wishes = Wishes.of(ticket.title, text)
    hits = view.find(f"{ticket.title}\n\n{text}", _LOOKED_AT, title=ticket.title)
    chosen: list[tuple[ChunkHit, Declaration]] = []
    for hit, declaration in _declared(hits):
        if len(chosen) == _DECLARATIONS:
            break
        if wishes.fit(hit, declaration) and not _is_within(hit, declaration, chosen):
            chosen.append((hit, declaration))
    if not chosen:
        return ()
    citing = _CodeCitations.of(view, {hit.path for hit, _ in chosen})
    parts: list[str] = []
    for hit, declaration in chosen:
        part = citing.part(hit, declaration)
        room -= len(part) + len("\n\n")
        if room < 0:
            break
        parts.append(part)
    return [Section(heading=_HEADING, content="\n\n".join(parts))] if parts else ()


def _declared(hits: "Iterable[ChunkHit]") -> "Iterator[tuple[ChunkHit, Declaration]]":
    return ((hit, declaration) for hit in hits for declaration in hit.declarations)


def _is_within(
    hit: "ChunkHit", declaration: "Declaration", chosen: "Iterable[tuple[ChunkHit, Declaration]]"
) -> bool:
    """Return whether a declaration is part of one that is chosen, or has one in it."""
    return any(
        hit.path == other.path
        and declaration.place.start < each.place.end
        and each.place.start < declaration.place.end
        for other, each in chosen
    )


@frozen
class _CodeCitations:
    """Formats declarations with citations.

    Attributes:
        changed: By which commit a file was changed last: there it stands as it is now, and a
            document need not change with each commit.
        commit: The commit for all other files.
        pages: Where people read them; None if that is not known.
    """

    changed: dict[str, str]
    commit: str
    pages: Pages | None

    @classmethod
    def of(cls, view: "VersionView", paths: set[str]) -> "_CodeCitations":
        changed: dict[str, str] = {}
        for commit in view.commits():
            for path in paths.intersection(commit.paths):
                changed.setdefault(path, commit.id)
        return cls(changed, view.version.commit, Pages.of(view.repository.origin()))

    def part(self, hit: "ChunkHit", declaration: "Declaration") -> str:
        place = declaration.place
        commit = self.changed.get(hit.path, self.commit)
        at = Where(hit.path, place.first, place.last)
        caption = f"{_code(declaration.path)} in {_code(str(at))} at {short(commit)}"
        if self.pages:
            # An address in a sentence would lead nowhere: no account has vouched for its host.
            page = self.pages.lines(commit, hit.path, place.first, place.last)
            caption += f": {_code(page)}"
        lines = "\n".join(_lines(hit, declaration))
        return f"{caption}\n\n{code_block(lines)}"


def _lines(hit: "ChunkHit", declaration: "Declaration") -> Iterator[str]:
    """Yield the signature of a declaration, and the lines most relevant to the ticket."""
    lines = dict(enumerate(hit.text.split("\n"), hit.place.first))
    signature = declaration.signature
    head = [*range(signature.first, signature.last + 1)][:_OF_SIGNATURE]
    body = range(signature.last + 1, declaration.place.last + 1)
    weights = dict(enumerate(hit.weights, hit.place.first))
    telling = sorted(body, key=lambda number: (-weights.get(number, 0.0), number))[:_DECISIVE]
    before = signature.first - 1
    for number in sorted({*head, *(n for n in telling if weights.get(n))} & lines.keys()):
        line = lines[number].rstrip()
        if number > before + 1:
            yield f"{line[: len(line) - len(line.lstrip())]}. . ."
        before = number
        yield redact_secrets(line if len(line) <= _WIDE else f"{line[:_WIDE]} . . .")


def _code(text: str) -> str:
    """Return a text as code within a line."""
    plain = " ".join(text.replace("`", "'").split())
    return f"`{plain}`"
