"""The text of an attached file, as Markdown."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress

from rove_core.markup.markdown_writer import fenced

_MARKDOWN = (".md", ".markdown")


def file_to_markdown(name: str, body: bytes, *, media_type: str = "") -> str:
    """Return the text of a file as Markdown; empty if it holds no text.

    Markdown stays as it is, anything else becomes a block of code, so that all of it is shown.

    Args:
        name: The file's name.
        body: What it holds.
        media_type: What the vendor says that it holds; the body itself counts for more.
    """
    text = _decode(body, is_text=media_type.startswith("text/"))
    lines = "\n".join(text.splitlines()).strip("\n")
    if not lines.strip():
        return ""
    return lines if name.lower().endswith(_MARKDOWN) else fenced(lines)


def _decode(body: bytes, *, is_text: bool) -> str:
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    if b"\0" in body:
        return ""
    with suppress(UnicodeDecodeError):
        return body.decode("utf-8-sig")
    return body.decode("cp1252", "replace") if is_text else ""
