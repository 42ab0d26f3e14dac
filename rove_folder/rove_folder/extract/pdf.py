"""PDF documents: the text of their pages."""

from contextlib import suppress
from typing import Final

import pypdfium2

from rove_folder.extract.content import ExtractedContent, UnreadableContent, paged

_MOST_PAGES: Final = 2_000
_MOST_CHARACTERS: Final = 2_000_000
#: The smallest document with a page.
_SAMPLE: Final = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF\n"
)
_FAULT: Final = "Could not extract text"


def read_pdf(_name: str, data: bytes) -> ExtractedContent:
    """Return the content of a PDF document.

    Raises:
        UnreadableContent: It is damaged or encrypted, or holds pictures of text alone.
    """
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise UnreadableContent(f"{_FAULT}: encrypted" if locked else _FAULT) from error
    try:
        pages = _pages(document)
        title = str(document.get_metadata_value("Title"))
        count = len(document)
    finally:
        document.close()
    if not any(page.strip() for page in pages):
        raise UnreadableContent(f"{_FAULT}: no text on its {count} pages")
    return paged("pdf", pages, title=title.strip(), note=f"{count} pages")


def warm_up() -> None:
    """Preload what the library imports lazily."""
    for sample in (b"", _SAMPLE):
        with suppress(UnreadableContent):
            read_pdf("", sample)


def _pages(document: "pypdfium2.PdfDocument") -> list[str]:
    pages: list[str] = []
    length = 0
    for number in range(min(len(document), _MOST_PAGES)):
        try:
            page = document[number]
            words = page.get_textpage()
            text = str(words.get_text_range()).replace("\r\n", "\n").replace("\ufffe", "-")
            words.close()
            page.close()
        except pypdfium2.PdfiumError:
            text = ""  # One damaged page does not cost the others.
        pages.append(text)
        length += len(text)
        if length > _MOST_CHARACTERS:
            break
    return pages
