"""The interface of every place that code is read from."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from attrs import frozen

from rove_code.model import FileVersion, Version
from rove_code.repositories.tree_stamps import TreeStamps

#: The files as they are now: what is edited counts, and so does what was never committed.
WORKSPACE: Final = "workspace"
#: The newest commit of the branch that is checked out.
LATEST: Final = frozenset({"latest", "HEAD"})


@frozen
class Commit:
    """A change that was made to a repository.

    Attributes:
        id: Its name, hexadecimal.
        at: When it was committed.
        message: What its author says of it.
        paths: The files that it changed; none for a merge.
    """

    id: str
    at: datetime
    message: str
    paths: tuple[str, ...]


class Repository(Protocol):
    """A place that code is read from; nothing outside it is."""

    @property
    def root(self) -> Path:
        """Its folder, absolute, without links."""

    def version(self, specifier: str = WORKSPACE) -> Version:
        """Return all files as they were, or are.

        Args:
            specifier: ``workspace``, ``latest``, or a commit, tag or branch.

        Raises:
            RevisionNotFound: There is no such commit, tag or branch.
        """

    def stamps(self, version: Version, specifier: str) -> TreeStamps | None:
        """Return stamps that change when a version does, taken now.

        Args:
            version: The version, as it was a moment ago.
            specifier: What it was asked for as.

        Returns:
            The stamps; None if the version has to be listed to see whether it has changed.
        """

    def read(
        self, version: Version, files: Iterable[FileVersion]
    ) -> Iterator[tuple[FileVersion, bytes]]:
        """Yield files with their content, in any order.

        A file that is gone, or no longer what it was when the version was made, is left out.
        The files are taken one after the other while others are given out already.
        """

    def ancestors(
        self, version: Version, limit: int, previous: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        """Return the names of the commits that led to a version, the newest first.

        Args:
            version: The version.
            limit: How many names there are at most.
            previous: Those of another version, as many as the limit: it can be quicker from there.
        """

    def commits(self, names: Iterable[str]) -> Iterator[Commit]:
        """Yield commits, in the order of their names."""

    def authors(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return who wrote commits, by the commit's name."""

    def origin(self) -> str:
        """Return the address of the origin; empty if unknown."""
