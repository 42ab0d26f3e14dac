"""Cached facts of a repository: files, commits, pages."""

import re
import threading
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from rove_code.links import Pages

if TYPE_CHECKING:
    from rove_code.view import VersionView

#: A path as it stands in anybody's text, with a line or a name behind it.
_RUN: Final = re.compile(
    r"(?<![\w./@+:-])[\w./@+-]{1,400}(?::\d{1,7}(?:-\d{1,7})?|#[^\W\d][\w.]{0,200})?(?![\w/@+-])"
)
_TICKED: Final = re.compile(r"`([^`\n]{1,400})`")
#: As Python's tracebacks have it.
_FRAME: Final = re.compile(r'File "([^"\n]{1,400})", line (\d{1,7})')
_COMMIT: Final = re.compile(r"(?<![\w./@+-])[0-9a-f]{7,64}(?![\w@+-])")
_PLACE: Final = re.compile(r"(.+?)(?::(\d{1,7})(?:-(\d{1,7}))?|#([^\W\d][\w.]*))?", re.DOTALL)
#: What is taken for a file's line where nobody has looked yet.
_SURE: Final = re.compile(r"\.?/?(?:[\w@+-][\w.@+-]*/)+[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}")
_SHORT: Final = 12


@frozen
class Where:
    """A place in a file, as its id says it.

    Attributes:
        path: The file.
        first: The first line; 0 if none is named.
        last: The last line; 0 if none is named.
        name: The declaration, as ``Outer.name``; empty if none is named.
    """

    path: str
    first: int = 0
    last: int = 0
    name: str = ""

    @classmethod
    def of(cls, text: str) -> "Where":
        """Parse an id."""
        found = _PLACE.fullmatch(text)
        if found is None:
            return cls(text)
        path, first, last, name = found.groups("")
        return cls(path, int(first or 0), int(last or first or 0), name)

    def __str__(self) -> str:
        """Return the id."""
        if self.name:
            return f"{self.path}#{self.name}"
        if not self.first:
            return self.path
        lines = f"{self.first}-{self.last}" if self.last != self.first else str(self.first)
        return f"{self.path}:{lines}"


@frozen(eq=False)
class RepositoryFacts:
    """The facts of a repository at one time.

    Attributes:
        commit: The version that was looked at; empty without git.
        paths: Its files.
        commits: The names of the commits that led to it, sorted.
        changed: By which commit, and when, each file was changed last, as far as that is known.
        latest: When the newest commit was made; None without git.
        pages: Where people read it; None if that is not known.
    """

    commit: str
    paths: frozenset[str]
    commits: tuple[str, ...]
    changed: Mapping[str, tuple[str, datetime]]
    latest: datetime | None
    pages: Pages | None

    @classmethod
    def of(cls, view: "VersionView") -> "RepositoryFacts":
        """Look at a version."""
        commits = view.commits()
        changed: dict[str, tuple[str, datetime]] = {}
        for commit in commits:
            for path in commit.paths:
                changed.setdefault(path, (commit.id, commit.at))
        return cls(
            view.version.commit,
            frozenset(file.path for file in view.version.files),
            tuple(sorted(commit.id for commit in commits)),
            changed,
            commits[0].at if commits else None,
            Pages.of(view.repository.origin()),
        )

    def commit_named(self, text: str) -> str:
        """Return the name of the one commit that begins so; empty if there is none, or several."""
        at = bisect_left(self.commits, text)
        found = [name for name in self.commits[at : at + 2] if name.startswith(text)]
        return found[0] if len(found) == 1 else ""


@define(eq=False)
class Memory:
    """Cached facts of repositories, by folder."""

    _facts: dict[Path, RepositoryFacts] = field(factory=dict, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def get(self, folder: Path) -> RepositoryFacts | None:
        """Return the cached facts, current or not."""
        return self._facts.get(folder)

    def look(self, folder: Path, view: "VersionView") -> RepositoryFacts:
        """Return the facts of a version, read from the repository."""
        facts = self._facts.get(folder)
        if facts is None or not facts.commit or facts.commit != view.version.commit:
            facts = RepositoryFacts.of(view)
            with self._lock:
                self._facts[folder] = facts
        return facts


def short(commit: str) -> str:
    """Return a commit's name as people write it."""
    return commit[:_SHORT]


def places_in(text: str, folder: Path, facts: RepositoryFacts | None) -> Iterator[Where]:
    """Yield the places of files that a text names.

    Args:
        text: Anybody's text.
        folder: The repository's folder: paths may begin with it.
        facts: What is known of it; without, only a path with its line is taken for one.
    """
    for frame in _FRAME.finditer(text):
        yield from _there(f"{frame[1]}:{frame[2]}", folder, facts)
    for ticked in _TICKED.finditer(text):
        yield from _there(ticked[1], folder, facts)
    for run in _RUN.finditer(text):
        if "/" in run[0] or ":" in run[0]:
            yield from _there(run[0].rstrip("."), folder, facts)


def commits_in(text: str, facts: RepositoryFacts | None) -> Iterator[str]:
    """Yield the names of the commits that a text names."""
    if facts and facts.commits:
        yield from filter(None, (facts.commit_named(each[0]) for each in _COMMIT.finditer(text)))


def _there(text: str, folder: Path, facts: RepositoryFacts | None) -> Iterator[Where]:
    where = Where.of(text.strip().removeprefix(f"{folder}/").removeprefix("./"))
    if facts is None:
        if where.first and _SURE.fullmatch(where.path):
            yield where
    elif where.path in facts.paths:
        yield where
