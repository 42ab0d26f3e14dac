"""Choose the reader of a file by its content; its name is only a hint."""

import io
import zipfile
from contextlib import suppress
from typing import Final

from rove_folder.extract.content import ExtractedContent, UnreadableContent
from rove_folder.extract.docx import read_docx
from rove_folder.extract.image import read_image
from rove_folder.extract.plain import read_text
from rove_folder.files.content_kinds import JPEG, PNG, ZIP

#: Formats that are no text and have no reader here, by how they begin.
_BINARY: Final = (
    b"GIF8",
    b"RIFF",
    b"\x7fELF",
    b"MZ",
    b"\x1f\x8b",
    b"BZh",
    b"7z\xbc\xaf",
    b"\xd0\xcf\x11\xe0",
)


def warm_up() -> None:
    """Preload lazily imported modules."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("word/document.xml", "<a/>")
    for sample in (archive.getvalue(), b"a,b\n1,2\n", PNG, JPEG):
        with suppress(UnreadableContent):
            read_content("a.csv", sample)


def read_content(name: str, data: bytes) -> ExtractedContent:
    """Return the content of any file but PDF documents, which have a process of their own.

    Raises:
        UnreadableContent: Nothing can be taken out of it.
    """
    if data.startswith((PNG, JPEG)):
        return read_image(name, data)
    if data.startswith(ZIP):
        return read_docx(name, data)
    if data.startswith(_BINARY):
        raise UnreadableContent("Binary content")
    if name.lower().endswith((".png", ".jpg", ".jpeg")) and b"\0" in data[:1_024]:
        raise UnreadableContent("Not a readable image")
    if name.lower().endswith((".docx", ".pdf")):
        raise UnreadableContent("Could not extract text")
    return read_text(name, data)
