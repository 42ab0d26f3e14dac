"""A folder without git."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import define

from rove_code.model import FileVersion, UnreadFile, Version
from rove_code.repositories.repository import LATEST, WORKSPACE, Commit
from rove_code.repositories.tree import Tree
from rove_code.repositories.working_files import WorkingFiles
from rove_code.skip_reasons import UNREADABLE, why_not
from rove_core import RevisionNotFound


@define
class PlainFolder:
    """A folder without git, whose only version is its current state.

    Attributes:
        root: The folder.
    """

    root: Path
    _files: WorkingFiles

    def version(self, specifier: str = WORKSPACE) -> Version:
        """Return all files as they are; hidden ones, and what tools put there, are left out."""
        if specifier != WORKSPACE and specifier not in LATEST:
            raise RevisionNotFound(
                f"{self.root} is no git repository, so that there is no {specifier!r}",
                hint="Ask for its workspace.",
            )
        files: list[FileVersion] = []
        skipped: list[UnreadFile] = []
        with Tree(self.root) as tree:
            for found in tree.walk():
                if isinstance(found, UnreadFile):
                    skipped.append(found)
                    continue
                path, status = found
                if why := why_not(status):
                    skipped.append(UnreadFile(path, why))
                elif file := self._files.name(tree, path, status):
                    files.append(file)
                else:
                    skipped.append(UnreadFile(path, UNREADABLE))
        files.sort(key=lambda file: file.path)
        return Version(str(self.root), WORKSPACE, "", tuple(files), tuple(skipped))

    def stamps(
        self,
        version: Version,  # there is but one
        specifier: str,  # as above
    ) -> None:
        """Return nothing: to list the files is as quick as to compare them."""

    def read(
        self,
        version: Version,  # noqa: ARG002  # there is but one
        files: Iterable[FileVersion],
    ) -> Iterator[tuple[FileVersion, bytes]]:
        """Yield the files that have not changed, with their content."""
        read = self._files.read(files)
        return ((file, data) for file, data in read if data is not None)

    def ancestors(
        self,
        version: Version,  # noqa: ARG002  # of none there are commits
        limit: int,  # noqa: ARG002  # as above
        previous: tuple[str, ...] = (),  # noqa: ARG002  # as above
    ) -> tuple[str, ...]:
        """Return nothing: there are no commits."""
        return ()

    def commits(self, names: Iterable[str]) -> Iterator[Commit]:  # noqa: ARG002  # there are none
        """Yield nothing: there are no commits."""
        return iter(())

    def authors(self, names: Iterable[str]) -> Mapping[str, str]:  # noqa: ARG002  # there are none
        """Return nothing: there are no commits."""
        return {}

    def origin(self) -> str:
        """Return an empty address: a folder has no known origin."""
        return ""
