"""One-line summaries of a document's items.

Reading the items takes more than half of the time of a command that only lists them.
"""

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias, cast

from attrs import frozen

from rove_core.store.values import DamagedValueError, json_value, moment, storable

Reference: TypeAlias = tuple[str, str]

_THE_DOCUMENT: Final = "(SELECT id FROM context_files WHERE account = ? AND ticket_id = ?)"

_READ: Final = f"""
SELECT body, hop, traces, score, reason, tokens, kept, merged, gone_at
FROM document_items JOIN items USING (account, id, version)
WHERE context_file_id = {_THE_DOCUMENT} ORDER BY position
"""  # noqa: S608  # both parts are constants

_SEARCHES: Final = f"""
SELECT account, text FROM document_queries WHERE context_file_id = {_THE_DOCUMENT}
"""  # noqa: S608  # both parts are constants

_UNREQUESTED: Final = f"""
SELECT account FROM document_queries WHERE context_file_id = {_THE_DOCUMENT}
GROUP BY account HAVING max(requests) = 0 ORDER BY account
"""  # noqa: S608  # both parts are constants

_HAS_TICKET: Final = """
SELECT EXISTS (
    SELECT 1 FROM context_files JOIN items
    ON items.account = context_files.account AND items.id = ticket_id
    AND items.version = context_files.version
    WHERE context_files.account = ? AND ticket_id = ?
)
"""


@frozen(kw_only=True)
class UseSummary:
    """The outcome of one item in one document.

    Attributes:
        account: The account that has the item.
        kind: What its vendor calls it.
        id: How its source names it.
        url: Where a person reads it.
        title: One line about it.
        traces: How it was found: the way, and the words or the id that led to it.
        hop: How many references away from the ticket it is.
        score: How much it matters.
        reason: Why it is in the document, or why not.
        tokens: How much of the document it takes.
        kept: Whether the document quotes it.
        merged: Where else the same is said: ids and addresses.
        gone: When it was found to be no longer at its source; None while it is there.
    """

    account: str
    kind: str
    id: str
    url: str
    title: str
    traces: tuple[tuple[str, str], ...] = ()
    hop: int = 1
    score: float = 0.0
    reason: str = ""
    tokens: int = 0
    kept: bool = False
    merged: tuple[Reference, ...] = ()
    gone: datetime | None = None

    @property
    def line(self) -> str:
        """The title on one line; the id where there is none."""
        return " ".join(self.title.split()) or self.id


def read_summaries(db: sqlite3.Connection, account: str, ticket_id: str) -> tuple[UseSummary, ...]:
    """Return the summaries of a document's items, best first, including those left out."""
    return tuple(map(_summary, db.execute(_READ, [account, storable(ticket_id)])))


def is_ticket_stored(db: sqlite3.Connection, account: str, ticket_id: str) -> bool:
    """Return whether the ticket is stored as its document was made of it."""
    row = db.execute(_HAS_TICKET, [account, storable(ticket_id)]).fetchone()
    return bool(row[0])


def read_searches(
    db: sqlite3.Connection, account: str, ticket_id: str
) -> Mapping[str, tuple[str, ...]]:
    """Return the words that each account was searched for, for a document."""
    searches: dict[str, list[str]] = {}
    for name, text in db.execute(_SEARCHES, [account, storable(ticket_id)]):
        searches.setdefault(name, []).append(text)
    return {name: tuple(texts) for name, texts in searches.items()}


def unrequested_accounts(db: sqlite3.Connection, account: str, ticket_id: str) -> tuple[str, ...]:
    """Return the accounts that were searched for a document without any request."""
    rows = db.execute(_UNREQUESTED, [account, storable(ticket_id)])
    return tuple(str(name) for (name,) in rows)


def _summary(row: tuple[Any, ...]) -> UseSummary:
    body, hop, traces, score, reason, tokens, is_kept, merged, gone = row
    (account, kind, own, url), title = _ref_and_title(body)
    return UseSummary(
        account=account,
        kind=kind,
        id=own,
        url=url,
        title=title,
        traces=tuple((way, by) for way, by in cast("list[Any]", json_value(traces))),
        hop=hop,
        score=score,
        reason=reason,
        tokens=tokens,
        kept=bool(is_kept),
        merged=tuple((other, at) for _, _, other, at in cast("list[Any]", json_value(merged))),
        gone=moment(gone) if gone else None,
    )


def _ref_and_title(body: str) -> tuple[tuple[str, str, str, str], str]:
    try:
        fields = cast("Mapping[str, Any]", json_value(body))
        account, kind, own, url = fields["ref"]
        return (account, kind, own, url), str(fields["title"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedValueError(f"not an item: {error}") from error
