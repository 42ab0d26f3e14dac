"""Read document files in ``.context`` without the index."""

import os
import re
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from attrs import frozen

from rove_core.safety.text import file_stem

_NAME: Final = re.compile(r"(?P<stem>[A-Za-z0-9-]+)(?P<words>(?:_[a-z0-9-]+)*)\.md")
_TITLE: Final = re.compile(r"^# Context: (.+)$", re.MULTILINE)
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
#: How far into a file its title line is looked for.
_BEGINNING: Final = 65_536
_LONGEST_TITLE: Final = 500


@frozen(kw_only=True)
class ContextFile:
    """A document as read from its file alone.

    Attributes:
        filename: Its name below ``.context``.
        ticket_id: The ticket it is about.
        title: The ticket's title.
        keywords: What it is about.
        created_at: When it came there.
        last_updated: When it was last written.
    """

    filename: str
    ticket_id: str
    title: str
    keywords: tuple[str, ...]
    created_at: datetime
    last_updated: datetime


@frozen(kw_only=True)
class SkippedFile:
    """A Markdown file in ``.context`` that is not a document of Rove's.

    Attributes:
        filename: Its name there.
        reason: Why not.
    """

    filename: str
    reason: str


def context_files(folder: Path) -> Iterator[ContextFile | SkippedFile]:
    """Yield what each Markdown file of a folder is; links are not followed."""
    names = (entry.name for entry in os.scandir(folder)) if folder.is_dir() else ()
    for name in sorted(name for name in names if name.endswith(".md")):
        try:
            yield _read(folder / name)
        except ValueError as error:
            yield SkippedFile(filename=name, reason=str(error))
        except OSError as error:
            yield SkippedFile(filename=name, reason=f"it cannot be read: {error.strerror}")


def _read(path: Path) -> ContextFile:
    """Return the data in a document file; a ValueError says why it is not one."""
    named = _NAME.fullmatch(path.name)
    if named is None:
        raise ValueError("its file name is not one of Rove's")
    text, status = _read_beginning(path)
    ticket_id, title = _title(text, named["stem"])
    changed, written = (datetime.fromtimestamp(each, UTC) for each in _times(status))
    return ContextFile(
        filename=path.name,
        ticket_id=ticket_id,
        title=title,
        keywords=tuple(filter(None, named["words"].split("_"))),
        created_at=changed,
        last_updated=written,
    )


def _read_beginning(path: Path) -> tuple[str, os.stat_result]:
    """Return how a regular file begins; a pipe would keep its reader waiting."""
    if path.is_symlink():
        raise ValueError("it is a link")
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is not a file")
        return os.read(descriptor, _BEGINNING).decode("utf-8", "replace"), status
    finally:
        os.close(descriptor)


def _times(status: os.stat_result) -> tuple[float, float]:
    return min(status.st_ctime, status.st_mtime), status.st_mtime


def _title(text: str, stem: str) -> tuple[str, str]:
    """Return the ticket's id and title, which share a line; the file name has the id too."""
    from html import unescape  # noqa: PLC0415  # two thousand names that a list needs not

    found = _TITLE.search(text)
    if found is None:
        raise ValueError("it has no line like: # Context: TB-123 - Title")
    words = unescape(_ESCAPED.sub(r"\1", found[1].strip())).split(" - ")
    for count in range(1, len(words)):
        ticket_id, title = " - ".join(words[:count]), " - ".join(words[count:])
        if re.fullmatch(f"{re.escape(file_stem(ticket_id))}(?:-[0-9]+)?", stem):
            return ticket_id, title[:_LONGEST_TITLE]
    raise ValueError("its title line and its file name name different tickets")
