"""Why a declaration is as it is: the commits that changed it, and what Rove knows of them."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

from rove_code.causes import Cause, CauseQuote, Why
from rove_code.links import Pages
from rove_code.model import Declaration
from rove_code.repositories.git_repository import GitRepository
from rove_code.repositories.objects import LineChange
from rove_code.view import VersionView, ViewedFile
from rove_core import NoCodeFound, excerpt_of, search_documents

#: A ticket's id as commits name it, and a pull request's or issue's number.
_TICKET: Final = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b")
_NUMBER: Final = re.compile(r"(?<![\w&])#(\d{1,6})\b")
_PULL: Final = re.compile(r"^Merge pull request #(\d+)|\(#(\d+)\)\s*$", re.MULTILINE)
#: Names that look like a ticket's id and are none.
_NO_TICKETS: Final = frozenset({"UTF", "SHA", "ISO", "RFC", "PEP", "CVE", "MD", "HTTP", "ES"})
#: So many documents are quoted for a commit, and of several commits those that say most.
_DOCUMENTS: Final = 2
_BODY_LINES: Final = 3


def why(
    view: VersionView, path: str, name: str, *, limit: int, index: sqlite3.Connection | None
) -> Why:
    """Return why a declaration is as it is.

    Args:
        view: A version of the repository, which is a commit.
        path: The file.
        name: The declaration: ``Outer.name``.
        limit: How many commits at most.
        index: Where documents are looked up; None without any.

    Raises:
        NoCodeFound: The version has no such declaration.
    """
    declaration = _declared(view, path, name)
    place = declaration.place
    repository = view.repository
    if not isinstance(repository, GitRepository):
        raise NoCodeFound(f"{repository.root} is no git repository: it has no history")
    changes = repository.line_changes(view.version.commit, path, place.first, place.last, limit + 1)
    pages = Pages.of(repository.origin())
    causes = (_cause(change, pages, index) for change in changes[:limit])
    return Why(
        path,
        declaration.path,
        place.first,
        place.last,
        view.version.commit,
        tuple(causes),
        is_cut=len(changes) > limit,
    )


def declared_at(view: VersionView, path: str, line: int) -> str:
    """Return the innermost declaration that contains a line.

    Raises:
        NoCodeFound: The version has no such file, or no declaration there.
    """
    around = _file(view, path).parsed.around(line, line)
    if not around:
        raise NoCodeFound(
            f"line {line} of {path} is in no declaration",
            hint=f"List the file's history with: git log -L {line},{line}:{path}",
        )
    return around[-1].path


def _declared(view: VersionView, path: str, name: str) -> Declaration:
    found = [
        each
        for each in _file(view, path).parsed.declarations
        if f".{each.path}".endswith(f".{name}")
    ]
    if not found:
        raise NoCodeFound(
            f"no declaration of {name!r} in {path}", hint=f"Find it with: rove code symbol {name}"
        )
    return min(found, key=lambda each: (each.path != name, each.place.first))


def _file(view: VersionView, path: str) -> ViewedFile:
    found = view.file(path)
    if found is None:
        raise NoCodeFound(f"no file {path} in {view.version.name}")
    return found


def _cause(change: LineChange, pages: Pages | None, index: sqlite3.Connection | None) -> Cause:
    subject, _, rest = change.message.partition("\n")
    body = [line.strip() for line in rest.strip().split("\n") if line.strip()]
    pulls = [one or other for one, other in _PULL.findall(change.message)]
    tickets = tuple(dict.fromkeys(_tickets(change.message, pulls)))
    keys = [*tickets, *(f"#{number}" for number in pulls), change.commit[:10]]
    return Cause(
        change.commit,
        change.at,
        change.author,
        subject.strip(),
        "\n".join(body[:_BODY_LINES]),
        f"#{pulls[0]}" if pulls else "",
        tickets,
        pages.commit(change.commit) if pages else "",
        tuple(_quotes(index, keys)) if index else (),
    )


def _tickets(message: str, pulls: Sequence[str]) -> Iterator[str]:
    for found in _TICKET.findall(message):
        if found.partition("-")[0] not in _NO_TICKETS:
            yield found
    for number in _NUMBER.findall(message):
        if number not in pulls:
            yield f"#{number}"


def _quotes(index: sqlite3.Connection, keys: Sequence[str]) -> Iterator[CauseQuote]:
    """Yield quotes from documents that name a ticket, a pull request or a commit."""
    seen: set[tuple[str, str]] = set()
    for key in keys:
        for hit in search_documents(index, key, _DOCUMENTS * 2):
            document = hit.document
            excerpt = excerpt_of(index, document, key)
            is_its = document.ticket_id == key or document.ticket_id.endswith(key)
            is_named = excerpt is not None and re.search(
                rf"(?<!\w){re.escape(key)}(?!\w)", excerpt.text
            )
            place = (document.filename, excerpt.text if excerpt else "")
            if (is_its or is_named) and place not in seen and len(seen) < _DOCUMENTS:
                seen.add(place)
                text, url = (excerpt.text, excerpt.url) if excerpt else ("", "")
                yield CauseQuote(
                    document.filename, document.ticket_id, document.title, text, url or document.url
                )
