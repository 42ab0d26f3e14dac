"""Documents about words instead of a ticket; the same words give the same document."""

import re
from binascii import crc32
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

if TYPE_CHECKING:
    from rove_core.documents import Document
    from rove_core.store.documents import DocumentRecord

#: An id as trackers write it, or a URL.
_NAMED: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*-[0-9]+|[\w.-]*(?:/[\w.-]+)?#[0-9]+|https?://\S+")
#: An id written without its dash.
_DASHLESS: Final = re.compile(r"([A-Za-z]{2,10})[ _]([0-9]{1,7})")
_ID: Final = re.compile(r"Q-[0-9a-f]{8}")


def id_of_words(words: str) -> str:
    """Return the id of the document about words; case, spaces and final marks do not count."""
    text = " ".join(normalize("NFKC", words).casefold().split()).rstrip(" ?!.")
    return f"Q-{crc32(text.encode('utf-8', 'replace')):08x}"


def is_of_words(ticket_id: str) -> bool:
    """Return whether an id is that of a document about words."""
    return _ID.fullmatch(ticket_id) is not None


def are_words(text: str) -> bool:
    """Return whether a text consists of words and is not a mistyped id."""
    return len(text.split()) > 1 or (text.strip().isalpha() and not text.isupper())


def split_tickets(text: str) -> tuple[str, ...]:
    """Return the ids and URLs of a text that contains nothing else; otherwise the text itself.

    They are separated by spaces or commas. ``tb 123`` means ``TB-123``.
    """
    if dashless := _DASHLESS.fullmatch(text.strip()):
        return (f"{dashless[1].upper()}-{dashless[2]}",)
    parts = text.replace(",", " ").split()
    if len(parts) > 1 and all(map(_NAMED.fullmatch, parts)):
        return tuple(parts)
    return (text.strip(),) if text.strip() else ()


def build_argument(document: "Document | DocumentRecord") -> str:
    """Return the argument that builds a document again: its ticket's id, or its words."""
    return document.title if is_of_words(document.ticket_id) else document.ticket_id
