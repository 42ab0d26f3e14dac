"""Read blobs, trees and commits from git."""

import os
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import new
from itertools import islice
from typing import IO, Final

from attrs import frozen

from rove_code.model import FileVersion, UnreadFile
from rove_code.repositories.git import Git, GitFailed
from rove_code.repositories.repository import Commit
from rove_code.repositories.tree import is_text, printable
from rove_code.skip_reasons import LARGEST, LINK, NAME, SUBMODULE, TOO_LARGE

#: So many questions fit into a pipe, so that neither side waits for the other.
_AT_ONCE: Final = 200
#: So many commits are few.
_NEAR: Final = 100
_ENTRY: Final = re.compile(rb"(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t([^\0]+)\0")
_LINK_MODE: Final = b"120000"
_SUBMODULE_MODE: Final = b"160000"


def blob_of(data: bytes, algorithm: str) -> str:
    """Return what git calls a file's content."""
    return new(algorithm, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def files_of(git: Git, commit: str) -> tuple[tuple[FileVersion, ...], tuple[UnreadFile, ...]]:
    """Return the files of a commit, by path, and those that are not read."""
    files: list[FileVersion] = []
    skipped: list[UnreadFile] = []
    for mode, blob, size, name in _ENTRY.findall(
        git.run("ls-tree", "-r", "-z", "--long", "--full-tree", commit)
    ):
        path = os.fsdecode(name)
        if why := why_not_tracked(mode, path) or (int(size) > LARGEST and TOO_LARGE):
            skipped.append(UnreadFile(printable(path), why))
        else:
            files.append(FileVersion(path, blob.decode(), int(size)))
    return tuple(sorted(files, key=lambda file: file.path)), tuple(skipped)


def why_not_tracked(mode: bytes, path: str) -> str:
    """Return why a tracked file is not read; empty if it may be."""
    if mode == _LINK_MODE:
        return LINK
    if mode == _SUBMODULE_MODE:
        return SUBMODULE
    return "" if is_text(path) else NAME


def contents(git: Git, files: Iterable[FileVersion]) -> Iterator[tuple[FileVersion, bytes | None]]:
    """Yield files with their content; None if git has none of that name."""
    rest = iter(files)
    first = list(islice(rest, _AT_ONCE))
    if not first:
        return
    with git.running("cat-file", "--batch") as (questions, answers):
        while first:
            questions.write("".join(f"{file.blob}\n" for file in first).encode())
            questions.flush()
            for file in first:
                yield file, _answer(answers, git)
            first = list(islice(rest, _AT_ONCE))


def ancestors_of(
    git: Git, commit: str, limit: int, previous: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the names of a commit and of those before it, the newest first.

    Args:
        git: Git, in the repository.
        commit: The commit.
        limit: How many names there are at most.
        previous: The same of another commit: so many of that as the limit allows.
    """
    if previous and (since := _straight(git, commit, previous[0])) is not None:
        return (*since, *previous)[:limit]
    output = git.run("rev-list", f"--max-count={limit}", commit, "--")
    return tuple(output.decode().split())


def commits_of(git: Git, names: Iterable[str]) -> Iterator[Commit]:
    """Yield commits, in the order of their names."""
    stdin = "".join(f"{name}\n" for name in names).encode()
    if not stdin:
        return
    # No message can hold what is made up only now.
    mark = os.urandom(16).hex()
    # A .gitmodules that git refuses would end it, although nothing of a submodule is read.
    command = ("log", "--stdin", "--no-walk=unsorted", "-z", "--name-only", "--no-renames")
    output = git.run(
        *command, "--ignore-submodules=all", f"--format={mark}%H%x00%ct%x00%B%x00", stdin=stdin
    )
    for entry in output.decode(errors="replace").split(mark)[1:]:
        name, at, message, *paths = entry.split("\0")
        yield Commit(
            id=name,
            at=datetime.fromtimestamp(int(at), UTC),
            message=message.strip(),
            paths=tuple(path.removeprefix("\n") for path in paths if path),
        )


@frozen
class LineChange:
    """A commit that changed some lines.

    Attributes:
        commit: Its name.
        at: When it was committed.
        author: Who wrote it.
        message: What its author says of it.
    """

    commit: str
    at: datetime
    author: str
    message: str


def line_changes_of(
    git: Git, commit: str, path: str, lines: tuple[int, int], limit: int
) -> tuple[LineChange, ...]:
    """Return the commits that changed lines of a file or their predecessors, newest first.

    Args:
        git: Git, in the repository.
        commit: The commit in which they are those lines.
        path: The file.
        lines: The first of them and the last.
        limit: How many commits there are at most.
    """
    mark = os.urandom(16).hex()
    command = ("log", "--no-patch", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
    form = f"--format={mark}%H%x00%ct%x00%an%x00%B%x00"
    about = (f"-L{lines[0]},{lines[1]}:{path}", f"--max-count={limit}", commit, "--")
    output = git.run(*command, form, *about)
    found = (entry.split("\0") for entry in output.decode(errors="replace").split(mark)[1:])
    return tuple(
        LineChange(name, datetime.fromtimestamp(int(at), UTC), author, message.strip())
        for name, at, author, message, *_ in found
    )


def authors_of(git: Git, names: Iterable[str]) -> dict[str, str]:
    """Return who wrote commits, by the commit's name."""
    stdin = "".join(f"{name}\n" for name in names).encode()
    if not stdin:
        return {}
    output = git.run(
        "log", "--stdin", "--no-walk=unsorted", "-z", "--format=%H%x01%an", stdin=stdin
    )
    rows = (row.partition("\x01") for row in output.decode(errors="replace").split("\0") if row)
    return {name: author for name, _, author in rows}


def _straight(git: Git, commit: str, base: str) -> tuple[str, ...] | None:
    """Return the commits since another one if each has just one parent; None if not so."""
    if commit == base:
        return ()
    command = ("rev-list", "--parents", f"--max-count={_NEAR}", commit, f"^{base}", "--")
    try:
        rows = [row.split() for row in git.run(*command).decode().splitlines()]
    except GitFailed:
        return None
    names = [row[0] for row in rows]
    parents = [row[1:] for row in rows]
    is_straight = bool(names) and parents == [[name] for name in (*names[1:], base)]
    return tuple(names) if is_straight else None


def _answer(answers: IO[bytes], git: Git) -> bytes | None:
    header = answers.readline().split()
    if not header:
        raise GitFailed(git.folder, "it ended early")
    if header[-1] == b"missing":
        return None
    size = int(header[2])
    if header[1] != b"blob" or size > LARGEST:
        _pass_over(answers, size + 1)
        return None
    data = answers.read(size + 1)
    return data[:-1]


def _pass_over(answers: IO[bytes], size: int) -> None:
    while size > 0:
        passed = len(answers.read(min(size, LARGEST)))
        size = size - passed if passed else 0
