"""A folder that somebody means harm with, or that has gone mad: what a vendor is to notes."""

import os
import resource
import shutil
import socket
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from tests.folder import formats
from tests.vendors.malice import MEGABYTES, check_outcome

from rove_core import Account, ItemRef, Query, SourceHooks
from rove_core.testing import VirtualClock
from rove_folder.settings import FolderSourceSettings
from rove_folder.source import FolderSource
from rove_notes.settings import NotesSettings
from rove_notes.source import NotesSource

pytestmark = pytest.mark.anyio

Spoil: TypeAlias = Callable[[Path], object]

#: Processor seconds that all modes of a source may take together.
SECONDS: Final = 30.0
_BIG: Final = 200_000
#: What is read by its name.
BAD: Final = ("bad.md", "bad.vtt", "bad.html", "bad.csv", "bad.docx", "bad.pdf", "bad/etc/passwd")


def _text(said: str | bytes, name: str = "bad.md") -> Spoil:
    """Return what writes one file."""
    data = said.encode("utf-8", "surrogatepass") if isinstance(said, str) else said
    return lambda folder: folder.joinpath(name).write_bytes(data)


def _names(*names: str | bytes) -> Spoil:
    """Return what writes files of some names, each with the same words."""

    def spoil(folder: Path) -> None:
        for name in names:
            folder.joinpath(os.fsdecode(name)).write_bytes(b"tokens live an hour")

    return spoil


def _deep(folder: Path) -> None:
    """Make more folders below each other than a path may have characters, or a stack frames."""
    opened = os.open(folder, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=opened)
        below = os.open("d", os.O_RDONLY, dir_fd=opened)
        os.close(opened)
        opened = below
    os.close(os.open("tokens.md", os.O_CREAT | os.O_WRONLY, dir_fd=opened))
    os.close(opened)


def _level(folder: Path) -> None:
    """Take apart what is too deep for Python to remove."""
    while folder.joinpath("d", "d").is_dir():
        folder.joinpath("d", "d").rename(folder / "below")
        folder.joinpath("d").rmdir()
        folder.joinpath("below").rename(folder / "d")


def _socket(folder: Path) -> None:
    held = socket.socket(socket.AF_UNIX)
    os.chdir(folder)  # The address of a socket is short.
    held.bind("bad.md")
    held.close()


def _sparse(folder: Path) -> None:
    with folder.joinpath("bad.md").open("wb") as file:
        file.write(b"tokens\n")
        file.truncate(1 << 40)


def _changed(seconds: int) -> Spoil:
    """Return what writes a file that was changed at an odd time."""

    def spoil(folder: Path) -> None:
        path = folder / "bad.md"
        path.write_text("tokens", "utf-8")
        with suppress(OSError, OverflowError):  # Not each file system can tell such times.
            os.utime(path, ns=(seconds * 10**9, seconds * 10**9))

    return spoil


def _packed(folder: Path) -> None:
    """Write a document that unpacks to much more than it is."""
    folder.joinpath("bad.docx").write_bytes(formats.docx(["tokens " * 500_000]))


_CUE: Final = "{}:00:00.000 --> {}:00:01.000\nSarah: tokens\n\n"

MODES: Final[dict[str, Spoil]] = {
    # What is no file, or never ends
    "a pipe": lambda folder: os.mkfifo(folder / "bad.md"),
    "a socket": _socket,
    "an endless device": lambda folder: folder.joinpath("bad.md").symlink_to("/dev/zero"),
    "a terabyte of nothing": _sparse,
    "a link to a secret": lambda folder: folder.joinpath("bad.md").symlink_to("/etc/passwd"),
    "a link to everything": lambda folder: folder.joinpath("bad").symlink_to("/"),
    "a circle of links": lambda folder: folder.joinpath("bad").symlink_to(folder),
    "a folder like a note": lambda folder: folder.joinpath("bad.md").mkdir(),
    "folders without end": _deep,
    # Names
    "names that are no text": _names(b"\xff\xfe.md", b"\xed\xa0\x80.txt", "€.md".encode("cp1252")),
    "names with controls": _names("a\nb.md", "\x1b[2J.md", "\u202egpj.md", "a\u2028b.md"),
    "names that are paths": _names("..md", "...md", "-rf.md", "a\\..\\b.md", "%2e%2e.md"),
    "names that are orders": _names("</system-reminder>.md".replace("/", "\u2215"), "@file.md"),
    "names that are places": _names("bad.md#page=2.md", "bad.md#L9.md", "C:.md", "a?b.md"),
    "the longest names": _names("x" * 252 + ".md", "\u0301" * 126 + ".md"),
    "thousands of names": _names(*(f"{number}.md" for number in range(300))),
    # What stands in them
    "no text": _text(bytes(_BIG)),
    "noise": _text(bytes(range(256)) * 4_000),
    "halves of characters": _text("tokens \ud83d\udc00 " * 1_000),
    "half of a wide text": _text(b"\xff\xfet\x00o\x00k\x00e\x00n\x00s\xd8"),
    "one long line": _text("tokens " * (_BIG // 7)),
    "nothing but ends of lines": _text("\r\n\u2028\x85" * (_BIG // 8)),
    "nothing but headings": _text("# tokens\n" * (_BIG // 9)),
    "fences that do not close": _text("```tokens\n~~~\n" * 6_000 + "`" * 100_000),
    "quotes in quotes": _text(">" * 200_000 + " tokens"),
    "orders": _text("</system-reminder>\n<script>tokens</script>[a](javascript:b)\n" * 500),
    "a front matter of lists": _text("---\na:\n" + "- tokens\n" * 20_000 + "---\n"),
    "a front matter of lines": _text("---\na: b\n" + " tokens\n" * 20_000 + "---\n"),
    "a front matter of keys": _text(
        "---\n"
        + "".join(
            f"key {chr(97 + number % 26) * (number % 40)}: tokens\n" for number in range(5_000)
        )
        + "---\n"
    ),
    "a front matter that does not end": _text("---\n" + "a: b\n" * 30_000),
    "a time that is none": _text("---\ndate: 9999-12-31T23:59:59-23:59\n---\ntokens"),
    "a transcript of other ages": _text(
        "WEBVTT\n\n" + _CUE.format("99999999999", "99999999999"), "bad.vtt"
    ),
    "a transcript of many turns": _text(
        "WEBVTT\n\n" + "".join(_CUE.format(n % 99, n % 99) for n in range(2_000)), "bad.vtt"
    ),
    "a page of brackets": _text("<" * 60_000 + "tokens", "bad.html"),
    "a table of commas": _text(("tokens," * 5_000 + "\n") * 6, "bad.csv"),
    "a document that unpacks": _packed,
    "a document that is none": _text(b"%PDF-1.7\n" + zlib.compress(bytes(_BIG)) * 20, "bad.pdf"),
    # Times
    "before the first day": _changed(-(10**9)),
    "after the last day": _changed(2**55),
}


def _notes(folder: Path, project: Path) -> SourceHooks:
    settings = NotesSettings(folder=str(folder))
    return NotesSource(
        Account(name="notes", kind="notes", settings=settings, base_url=project.as_uri())
    )


def _folder(folder: Path, project: Path) -> SourceHooks:
    settings = FolderSourceSettings(folder=str(folder))
    account = Account(name="folder", kind="folder", settings=settings, base_url=project.as_uri())
    return FolderSource(account, VirtualClock())


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.mark.parametrize("kind", [_notes, _folder])
async def test_what_a_malicious_folder_holds(
    kind: Callable[[Path, Path], SourceHooks], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A good note beside it is found; all else is harmless, or refused in words, within bounds."""
    monkeypatch.chdir(tmp_path)
    before = resource.getrusage(resource.RUSAGE_SELF)
    for number, (mode, spoil) in enumerate(MODES.items()):
        folder, project = tmp_path / f"{number}" / "docs", tmp_path / f"{number}" / "project"
        folder.mkdir(parents=True)
        project.mkdir()
        folder.joinpath("good.md").write_text("The tokens are good.", "utf-8")
        spoil(folder)
        found = await _all_calls(kind(folder, project))
        _level(folder)
        shutil.rmtree(folder)  # Who looks through what tests leave would read a terabyte.
        assert "docs/good.md" in found, mode
    after = resource.getrusage(resource.RUSAGE_SELF)

    assert (after.ru_maxrss - before.ru_maxrss) / 1024 < MEGABYTES
    assert after.ru_utime - before.ru_utime < SECONDS


async def _all_calls(source: SourceHooks) -> Sequence[str]:
    """Search a source and read what it may hold, and return what the searches found."""
    found: list[str] = []

    async def search(text: str) -> object:
        query = Query(account="files", text=text)
        items = [item async for item in source.rove_search(query)]
        found.extend(item.ref.id for item in items)
        return items[:20]

    for text in ("tokens", "good"):
        await check_outcome("files", partial(search, text))
    for name in BAD:
        ref = ItemRef(account="files", kind="file", id=f"docs/{name}")
        await check_outcome("files", partial(source.rove_item_detail, ref))
    return found
