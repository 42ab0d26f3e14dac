"""Word documents: the text of their paragraphs and tables, streamed within limits.

Sizes in the archive's directory are claims: what is really inflated is counted.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

from attrs import define, field

from rove_folder.extract.content import ExtractedContent, UnreadableContent

_MOST_ENTRIES: Final = 1_000
_MOST_INFLATED: Final = 64 << 20
_PIECE: Final = 1 << 16
#: How deep the markup of a document goes that a program wrote for people.
_DEEPEST: Final = 256
MOST_CHARACTERS: Final = 2_000_000
_TEXT: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main t"
_STRICT: Final = "http://purl.oclc.org/ooxml/wordprocessingml/main t"
_FAULT: Final = "Could not extract text"


class _EnoughText(Exception):  # noqa: N818  # it is no error
    """The text is as long as it may get."""


def read_docx(_name: str, data: bytes) -> ExtractedContent:
    """Return the content of a Word document.

    Raises:
        UnreadableContent: It is damaged, encrypted, or a trap.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > _MOST_ENTRIES:
                raise UnreadableContent(f"{_FAULT}: more than {_MOST_ENTRIES} parts")
            words = _Words()
            text = words.read(_inflate(archive, "word/document.xml"))
            title = _title(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError) as error:
        raise UnreadableContent(_FAULT) from error
    except (expat.ExpatError, RuntimeError, NotImplementedError, OSError) as error:
        raise UnreadableContent(_FAULT) from error
    return ExtractedContent(
        kind="docx", text=text, title=title, form="prose", note="\n".join(words.headings)
    )


def _inflate(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    count = 0
    with archive.open(name) as part:
        while piece := part.read(_PIECE):
            count += len(piece)
            if count > _MOST_INFLATED:
                raise UnreadableContent(f"{_FAULT}: more than {_MOST_INFLATED >> 20} MB unpacked")
            yield piece


def _title(archive: zipfile.ZipFile) -> str:
    """Return the title in the document's properties."""
    if "docProps/core.xml" not in archive.namelist():
        return ""
    found = _Words(tags=frozenset({"http://purl.org/dc/elements/1.1/ title"}))
    try:
        return " ".join(found.read(_inflate(archive, "docProps/core.xml")).split())
    except (expat.ExpatError, UnreadableContent):
        return ""


@define
class _Words:
    """Collects the text of WordprocessingML, and which paragraphs are headings."""

    tags: frozenset[str] = frozenset({_TEXT, _STRICT})
    headings: list[str] = field(factory=list)
    _parts: list[str] = field(factory=list)
    _length: int = 0
    _depth: int = 0
    _is_text: bool = False
    _is_heading: bool = False
    _begin: int = 0

    def read(self, pieces: Iterator[bytes]) -> str:
        """Return the text of a part."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        try:
            for piece in pieces:
                parser.Parse(piece, False)  # noqa: FBT003  # its one way to be called
            parser.Parse(b"", True)  # noqa: FBT003  # as above
        except _EnoughText:
            pass
        return "".join(self._parts)

    def _refuse(self, *_: object) -> None:
        raise UnreadableContent(f"{_FAULT}: it declares a document type")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableContent(f"{_FAULT}: nested too deeply")
        space, _, local = name.rpartition(" ")
        if name in self.tags:
            self._is_text = True
        elif local == "p":
            self._begin, self._is_heading = len(self._parts), False
        elif local == "pStyle":
            style = attributes.get(f"{space} val", "").lower()
            self._is_heading = style.startswith(("heading", "title", "berschrift", "titre"))
        elif local in {"tab", "br", "cr"}:
            self._parts.append("\t" if local == "tab" else "\n")

    def _end(self, name: str) -> None:
        self._depth -= 1
        local = name.rpartition(" ")[2]
        if name in self.tags:
            self._is_text = False
        elif local == "p":
            if self._is_heading:
                self.headings.append("".join(self._parts[self._begin :]).strip())
            self._parts.append("\n")
        elif local == "tc":
            self._parts.append("\t")

    def _characters(self, text: str) -> None:
        if not self._is_text:
            return
        self._parts.append(text)
        self._length += len(text)
        if self._length > MOST_CHARACTERS:
            raise _EnoughText
