"""Find the document a person means: by ticket id, title or words."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from rove_core.build.free_text import build_argument, id_of_words
from rove_core.errors import DocumentNotFound, WrongCall
from rove_core.store.documents import DocumentRecord, document_ids, find_documents, find_titled
from rove_core.store.tasks import is_unknown_ticket

#: Among how many documents a mistyped id is looked for, the newest first.
_NEAR_AMONG: Final = 2000


def documents_meant(db: sqlite3.Connection, text: str) -> Sequence[DocumentRecord]:
    """Return the documents that a text may mean, of each account one."""
    return (
        find_documents(db, text)
        or find_documents(db, id_of_words(text))
        or find_titled(db, text)[:1]
    )


def document_meant(db: sqlite3.Connection, text: str, account: str | None) -> DocumentRecord:
    """Return the document that a text means.

    Args:
        db: The index.
        text: A ticket's id, a document's title, or the words it is about.
        account: The account that has the ticket, when several know the id.

    Raises:
        DocumentNotFound: There is none.
        WrongCall: There are several.
    """
    found = documents_meant(db, text)
    if not found:
        raise no_document(db, text)
    fitting = [each for each in found if account in {None, each.account}]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(each.account for each in found)
    if account:
        raise DocumentNotFound(
            f"the document of {text} belongs to {names}, not {account}",
            hint=f"Build it with: rove build {_quote(text)} --source {account}",
        )
    raise WrongCall(
        f"several accounts have {text}: {names}", hint="Choose one with: --account NAME"
    )


def no_document(db: sqlite3.Connection, text: str) -> DocumentNotFound:
    """Return the error for a ticket without a document, with those that may be meant.

    It names the command that builds one, unless that has just failed because no source has the
    ticket.
    """
    from rove_core.terminal.suggestion import suggested  # noqa: PLC0415  # only a mistake needs it

    slips = [each for each in document_ids(db, _NEAR_AMONG) if _is_slip(text, each)]
    what = f"there is no document for {text!r}{suggested(slips[:1])}"
    if is_unknown_ticket(db, text):
        return DocumentNotFound(
            f"{what}; no source has such a ticket", hint="See the documents: rove list"
        )
    return DocumentNotFound(what, hint=f"Build it with: {build_command(text)}")


def _is_slip(text: str, ticket_id: str) -> bool:
    """Return whether a text is an id with two characters swapped, or one too few or too many.

    Ids that differ in one digit are other tickets, and most ids do.
    """
    typed, known = text.strip().upper(), ticket_id.upper()
    if len(typed) == len(known):
        differing = [
            at for at, pair in enumerate(zip(typed, known, strict=True)) if len({*pair}) > 1
        ]
        return len(differing) == 2 and sorted(typed) == sorted(known)  # a swap
    shorter, longer = sorted((typed, known), key=len)
    return len(longer) - len(shorter) == 1 and any(
        longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer))
    )


def items_lost(record: DocumentRecord) -> DocumentNotFound:
    """Return the error about a document whose items are no longer in the index."""
    return DocumentNotFound(
        f"nothing is stored any more about the items in the document of {record.ticket_id}",
        hint=f"Build it again with: {build_command(build_argument(record))}",
    )


def build_command(text: str) -> str:
    """Return the command that builds the document of a ticket, or about words."""
    return f"rove --ticket {_quote(text)}"


def _quote(text: str) -> str:
    from shlex import quote  # noqa: PLC0415  # only a message needs it

    return quote(text)
