"""Content that an extractor returns."""

from collections.abc import Iterable

from attrs import field, frozen

from rove_folder.files.kinds import FileKind


class UnreadableContent(Exception):  # noqa: N818  # it is an answer: the file is skipped
    """A file whose content cannot be used; the message is for people."""


def _numbers(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(values)


@frozen(kw_only=True)
class ExtractedContent:
    """Content extracted from a file.

    Attributes:
        kind: What the content is, whatever the file's name says.
        text: Its text; empty for an image.
        pages: Where in the text each page begins; empty where there are no pages.
        title: The title that the file itself states.
        note: What is known besides: the size of an image, the shape of a table.
        form: How the text is written: ``prose``, ``code``, ``table``, or empty.
    """

    kind: FileKind
    text: str = ""
    pages: tuple[int, ...] = field(default=(), converter=_numbers)
    title: str = ""
    note: str = ""
    form: str = ""


def paged(kind: FileKind, pages: list[str], *, title: str = "", note: str = "") -> ExtractedContent:
    """Return the content of a file with pages."""
    starts, length = [], 0
    for page in pages:
        starts.append(length)
        length += len(page) + 1
    return ExtractedContent(
        kind=kind,
        text="\n".join(pages),
        pages=tuple(starts),
        title=title,
        note=note,
        form="prose",
    )
