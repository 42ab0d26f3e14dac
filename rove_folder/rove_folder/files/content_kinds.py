"""Detect a file's kind by its content."""

import codecs
from typing import Final

from rove_folder.files.kinds import FileKind

PNG: Final = b"\x89PNG\r\n\x1a\n"
JPEG: Final = b"\xff\xd8\xff"
ZIP: Final = b"PK\x03\x04"
#: How much of a file tells what it is. A PDF may begin with other bytes before its mark.
BEGINNING: Final = 1_024
_PDF: Final = b"%PDF-"
#: What the first parts of a Word document's archive are called.
_WORD_PARTS: Final = (b"[Content_Types].xml", b"word/", b"_rels/.rels")
#: Characters that no text has.
_CONTROLS: Final = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})


def is_pdf(data: bytes) -> bool:
    """Return whether some bytes are a PDF document."""
    return _PDF in data[:BEGINNING]


def content_kind(data: bytes) -> FileKind:
    """Return the kind of a file's content."""
    if data.startswith((PNG, JPEG)):
        return "image"
    if is_pdf(data):
        return "pdf"
    return "docx" if data.startswith(ZIP) else "text"


def recognised_kind(beginning: bytes) -> FileKind | None:
    """Return the kind of a file with an uninformative name; None if it is not supported.

    Without a name that promises text, only UTF-8 is taken for text.
    """
    kind = content_kind(beginning)
    if kind == "docx":
        return kind if any(part in beginning for part in _WORD_PARTS) else None
    if kind == "text":
        return kind if beginning and _is_plain_text(beginning) else None
    return kind


def _is_plain_text(data: bytes) -> bool:
    """Return whether some bytes, which may end within a character, are text in UTF-8."""
    if data.translate(None, _CONTROLS) != data:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, final=False)
    except UnicodeDecodeError:
        return False
    return True
