"""A block between two markers that Rove maintains in a user's file.

All that stands outside of the marks stays, byte for byte, also when the part is taken out again.
What a person changed between the marks is theirs from then on.
"""

import re
from enum import StrEnum
from hashlib import sha256
from typing import Final, Protocol, Self

from attrs import frozen

_MARKED: Final = re.compile(
    rb"<!-- rove:begin (?P<body>[0-9a-f]{16})(?: head=(?P<head>[0-9a-f]{16}))?"
    rb"(?: after=(?P<after>[0-2]))?(?P<new> new)? -->\r?\n"
    rb"(?P<text>.*?)<!-- rove:end -->(?:\r?\n|\Z)",
    re.DOTALL,
)
_FRONT: Final = re.compile(rb"---\r?\n.*?\n---\r?\n", re.DOTALL)


class InstallState(StrEnum):
    """State of Rove's block in a file."""

    MISSING = "missing"
    CURRENT = "current"
    STALE = "stale"
    CHANGED = "changed by hand"
    FOREIGN = "not written by Rove"


class ManagedPart(Protocol):
    """The part of a person's file that Rove manages."""

    def whole(self) -> bytes:
        """Return a file with nothing else in it."""

    def state(self, file: bytes | None) -> InstallState:
        """Return the state of Rove's block in a file; None for a missing file."""

    def put(self, file: bytes) -> bytes:
        """Return a file with the part in it."""

    def taken_out(self, file: bytes) -> bytes | None:
        """Return a file without the part; None if nothing is left that a person wrote."""

    def is_changed(self, file: bytes) -> bool:
        """Return whether a person has changed the part."""


@frozen
class ManagedBlock:
    """A block of text that Rove maintains in a file.

    Attributes:
        text: What stands between the marks.
        head: What a file of Rove's own begins with; empty if the part may stand in any file.
    """

    text: bytes
    head: bytes = b""

    @classmethod
    def split(cls, text: bytes) -> Self:
        """Return a text and its front matter, if the block owns the whole file."""
        front = _FRONT.match(text)
        head = front[0] if front else b""
        return cls(text[len(head) :], head)

    def whole(self) -> bytes:
        """Return a file of Rove's own."""
        return self.head + self._with_markers(after=0, new=True)

    def state(self, file: bytes | None) -> InstallState:
        """Return the state of the block in a file; None for a missing file."""
        found = _MARKED.search(file) if file else None
        if file is None:
            return InstallState.MISSING
        if found is None:
            return InstallState.FOREIGN if self.head else InstallState.MISSING
        if _is_changed(found):
            return InstallState.CHANGED
        return InstallState.CURRENT if self.put(file) == file else InstallState.STALE

    def put(self, file: bytes) -> bytes:
        """Return a file with the part in it, in place of an earlier one or at its end."""
        lines = b"\r\n" if b"\r\n" in file else b"\n"
        found = _MARKED.search(file)
        if found is None:
            gap = _gap(file, lines)
            return file + lines * gap + self._with_markers(after=gap, new=False, lines=lines)
        new = self._with_markers(
            after=int(found["after"] or 0), new=bool(found["new"]), lines=lines
        )
        before = file[: found.start()]
        if found["head"] and _digest(before) == found["head"]:
            before = self.head
        return before + new + file[found.end() :]

    def taken_out(self, file: bytes) -> bytes | None:
        """Return a file without Rove's part; None if nothing is left that a person wrote."""
        return taken_out(file)

    def is_changed(self, file: bytes) -> bool:
        """Return whether a person has changed the block."""
        return is_changed(file)

    def _with_markers(self, *, after: int, new: bool, lines: bytes = b"\n") -> bytes:
        marks = [b"<!-- rove:begin", _digest(self.text)]
        marks += [b"head=" + _digest(self.head)] if self.head and new else []
        marks += [b"after=%d" % after] if after else []
        marks += [b"new"] if new else []
        text = b" ".join([*marks, b"-->\n"]) + self.text + b"<!-- rove:end -->\n"
        return text.replace(b"\n", lines)


def taken_out(file: bytes) -> bytes | None:
    """Return a file without Rove's part; None if nothing else is left."""
    found = _MARKED.search(file)
    if found is None:
        return file
    before, after = file[: found.start()], file[found.end() :]
    if found["head"] and _digest(before) == found["head"]:
        before = b""
    if found["new"] and not before + after:
        return None
    return _without_gap(before, int(found["after"] or 0)) + after


def is_changed(file: bytes) -> bool:
    """Return whether a person has changed the text between the markers."""
    found = _MARKED.search(file)
    return found is not None and _is_changed(found)


def _is_changed(found: re.Match[bytes]) -> bool:
    return _digest(found["text"]) != found["body"]


def _gap(file: bytes, lines: bytes) -> int:
    """Return the number of line ends between the block and the text before it."""
    if not file or file.endswith(lines * 2):
        return 0
    return 1 if file.endswith(lines) else 2


def _without_gap(before: bytes, gap: int) -> bytes:
    """Take out the line ends that :func:`_gap` put in, unless a person has: the rest is theirs."""
    if gap == 1 and not before.endswith((b"\n\n", b"\n\r\n")):
        return before
    for _ in range(gap):
        before = before.removesuffix(b"\n").removesuffix(b"\r")
    return before


def _digest(text: bytes) -> bytes:
    plain = text.replace(b"\r\n", b"\n")
    return sha256(plain).hexdigest()[:16].encode()
