"""A git repository: its commits and, if it has one, its working tree."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import define

from rove_code.model import FileVersion, Version
from rove_code.repositories.git import Git, GitFailed
from rove_code.repositories.objects import (
    LineChange,
    ancestors_of,
    authors_of,
    commits_of,
    contents,
    files_of,
    line_changes_of,
)
from rove_code.repositories.repository import LATEST, WORKSPACE, Commit
from rove_code.repositories.tree import is_text
from rove_code.repositories.tree_stamps import GitFolders, TreeStamps
from rove_code.repositories.working_files import WorkingFiles
from rove_code.repositories.working_tree import working_tree
from rove_core import RevisionNotFound


@define
class GitRepository:
    """A git repository.

    Attributes:
        root: Its working tree; a bare repository's own folder.
    """

    root: Path
    _git: Git
    _folders: GitFolders
    _files: WorkingFiles

    def version(self, specifier: str = WORKSPACE) -> Version:
        """Return all files as they were at a commit, or as they are in the working tree."""
        if specifier != WORKSPACE:
            return self._at(self._commit("HEAD" if specifier in LATEST else specifier))
        head = self._resolved("HEAD")
        if self._git.work_tree:
            files, skipped = working_tree(self._git, self._files, self._folders.own / "index")
            return Version(str(self.root), WORKSPACE, head, files, skipped)
        return self._at(head) if head else Version(str(self.root), WORKSPACE, "", ())

    def stamps(self, version: Version, specifier: str) -> TreeStamps | None:
        """Return stamps that change when a version does; None if it has to be listed."""
        clock = self._files.clock
        if specifier == WORKSPACE and self._git.work_tree:
            return TreeStamps.of_tree(self._folders, self._git, version, clock)
        if specifier in {WORKSPACE, *LATEST, version.commit}:
            return TreeStamps.of_head(self._folders, clock)
        return None

    def read(
        self, version: Version, files: Iterable[FileVersion]
    ) -> Iterator[tuple[FileVersion, bytes]]:
        """Yield files with their content, from the working tree where unchanged."""
        rest: list[FileVersion] = []
        if version.name == WORKSPACE and self._git.work_tree:
            for file, data in self._files.read(files):
                if data is None:
                    rest.append(file)
                else:
                    yield file, data
            files = rest
        # A file may stand there in another form than git keeps it in: with other line ends.
        for file, data in contents(self._git, files):
            if data is not None:
                yield file, data

    def ancestors(
        self, version: Version, limit: int, previous: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        """Return the names of the commits that led to a version, the newest first."""
        return ancestors_of(self._git, version.commit, limit, previous) if version.commit else ()

    def commits(self, names: Iterable[str]) -> Iterator[Commit]:
        """Yield commits, in the order of their names."""
        return commits_of(self._git, names)

    def line_changes(
        self, commit: str, path: str, first: int, last: int, limit: int
    ) -> tuple[LineChange, ...]:
        """Return the commits that changed lines of a file, newest first."""
        return line_changes_of(self._git, commit, path, (first, last), limit)

    def authors(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return who wrote commits, by the commit's name."""
        return authors_of(self._git, names)

    def origin(self) -> str:
        """Return the address of the origin; empty if unknown."""
        try:
            return os.fsdecode(self._git.run("config", "--get", "remote.origin.url")).strip()
        except GitFailed:
            return ""

    def _at(self, commit: str) -> Version:
        files, skipped = files_of(self._git, commit)
        return Version(str(self.root), commit, commit, files, skipped)

    def _commit(self, specifier: str) -> str:
        # A branch that nobody has checked out yet has a name only as one of the remote's.
        for name in (specifier, f"refs/remotes/origin/{specifier}"):
            if found := self._resolved(name):
                return found
        if specifier == "HEAD":
            raise RevisionNotFound(
                f"{self.root} has no commits yet", hint="Commit something first: git commit"
            )
        raise RevisionNotFound(f"{self.root} has no commit, tag or branch {specifier!r}")

    def _resolved(self, name: str) -> str:
        if name.startswith("-") or "\0" in name or not is_text(name):
            return ""
        try:
            commit = self._git.run("rev-parse", "--verify", f"{name}^{{commit}}").decode().strip()
        except GitFailed:
            return ""
        # With a sign before it, it would be all but this commit.
        return commit if commit.isalnum() else ""
