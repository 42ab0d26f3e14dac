"""Plan a removal (what goes, what stays), then carry it out."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core.auth.accounts import AccountRecord
from rove_core.auth.login_states import decided_store
from rove_core.errors import RoveError
from rove_core.project.layout import ProjectPaths, documents_excluded
from rove_core.project.trust import forget_trust, trusted_projects, was_trusted
from rove_core.terminal.tables import counted

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject

#: What Rove makes in the user's data directory; somebody may keep other things there.
_DATA: Final = (
    "accounts.*",
    "credential-store.json",
    "credentials.*",
    "documents",
    "index.key*",
    "limits.db*",
    "login-states.json",
    "logins",
    "master.key",
    "mirrors",
    "plugin-commands.json",
    "plugin-list.json",
    "state",
    "trust",
    ".*.rove-new",
)


@frozen
class Undone:
    """A removal that failed or was skipped.

    Attributes:
        text: What, and why.
        is_left: Whether something that was to be removed is left on this machine.
    """

    text: str
    is_left: bool


@frozen
class Removal:
    """The files and entries to remove.

    Attributes:
        project: The project whose files go.
        documents: Whether its documents go, too.
        of_user: Whether what its user has for all projects goes, too.
    """

    project: "LocalProject"
    documents: bool = field(kw_only=True)
    of_user: bool = field(kw_only=True)

    @property
    def _places(self) -> ProjectPaths:
        return self.project.places

    def goes(self) -> Iterator[str]:
        """Yield what will be removed, one line each, without removing it."""
        places = self._places
        if places.rove.exists():
            yield _size_of(places.rove)
        if was_trusted(places):
            yield "your trust in this project's settings"
        if self.documents and places.context.exists():
            yield _size_of(places.context)
        if self.documents and (excluded := documents_excluded(places.root)):
            yield f"the line .context/ in {excluded}"
        if self.of_user:
            names = ", ".join(record.name for record in self._accounts())
            yield from [f"your accounts and their logins: {names}"] if names else []
            yield from map(_size_of, self._named_of_user())

    def stays(self) -> Iterator[str]:
        """Yield what belongs to Rove and is not removed."""
        places = self._places
        if not self.documents and places.context.exists():
            yield f"{_size_of(places.context)}: remove it with --documents"
        if not self.documents and (excluded := documents_excluded(places.root)):
            yield f"the line .context/ in {excluded}"
        if places.user_settings_file.exists():
            yield f"{places.user_settings_file}, which is your own"
        if not self.of_user:
            if any(self._of_user()):
                yield f"{places.data_dir}, with your accounts and logins: remove it with --all"
            return
        for folder in trusted_projects(places.data_dir):
            if folder != places.root.resolve() and (folder / ".rove").exists():
                yield f"{folder / '.rove'}, of another project: run rove purge there"

    async def carry_out(self) -> AsyncIterator[Undone]:
        """Remove it all, and yield what could not be done."""
        places = self._places
        if self.of_user:
            async for note in self._log_out():
                yield note
        folders = [places.rove, *([places.context] if self.documents else [])]
        for path in (*folders, *(self._of_user() if self.of_user else ())):
            try:
                _remove(path)
            except OSError as error:
                message = f"{error.filename or path} cannot be removed: {error.strerror}"
                yield Undone(message, is_left=True)
        forget_trust(places)
        if self.documents:
            documents_excluded(places.root, undo=True)
        if self.of_user and places.data_dir.is_dir():
            rest = sorted(path.name for path in places.data_dir.iterdir())
            if rest:
                message = f"{places.data_dir} has more that Rove does not know: {', '.join(rest)}"
                yield Undone(message, is_left=False)
            else:
                places.data_dir.rmdir()

    def _accounts(self) -> tuple[AccountRecord, ...]:
        try:
            return self.project.book.accounts()
        except RoveError:
            return ()

    def _of_user(self) -> Iterator[Path]:
        folder = self._places.data_dir
        return (path for pattern in _DATA for path in sorted(folder.glob(pattern)))

    def _named_of_user(self) -> Iterator[Path]:
        """Yield what goes of the user's; the state by package, as some of it may be missed."""
        for path in self._of_user():
            is_state = path.name == "state" and not path.is_symlink()
            yield from (is_state and sorted(path.glob("*"))) or [path]

    async def _log_out(self) -> AsyncIterator[Undone]:
        """Revoke and forget every login; yield what this leaves to do."""
        try:
            self.project.book.accounts()
        except RoveError as error:
            message = f"it is not known which logins there are: {error.message}"
            yield Undone(message, is_left=True)
        records = self._accounts()
        if not records:
            return
        try:
            async for note in self._revoke(records):
                yield note
        except RoveError as error:
            yield Undone(f"the logins were not revoked: {error.message}", is_left=False)
            async for note in self._forgotten(records):
                yield note

    async def _revoke(self, records: tuple[AccountRecord, ...]) -> AsyncIterator[Undone]:
        from rove.operations.source_remove import logged_out  # noqa: PLC0415  # only here
        from rove_core.project.opener import open_project  # noqa: PLC0415  # the same

        async with open_project(self._places.root, accounts=()) as project:
            for record in records:
                for note in (await logged_out(project, record))[1]:
                    yield Undone(f"{record.name}: {note}", is_left=False)

    async def _forgotten(self, records: tuple[AccountRecord, ...]) -> AsyncIterator[Undone]:
        try:
            store = await decided_store(self.project)
            for record in records if store else ():
                await store.delete(record.name)  # type: ignore[union-attr]  # else there is none
        except RoveError as error:
            message = f"a keychain may still hold logins, as rove-KIND: {error.message}"
            yield Undone(message, is_left=True)


def _size_of(path: Path) -> str:
    if not path.is_dir() or path.is_symlink():
        return str(path)
    files = sum(1 for each in path.rglob("*") if not each.is_dir())
    return f"{path} ({counted(files, 'file')})"


def _remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it; no link is followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
