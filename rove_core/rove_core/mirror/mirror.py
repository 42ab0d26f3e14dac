"""The mirror of one account: a database to create, change, search and remove."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from attrs import frozen

from rove_core.mirror.migrations import MIGRATIONS
from rove_core.mirror.state import MirrorState, read_state
from rove_core.project.layout import ProjectPaths
from rove_core.store.files import FileLock, private_folder
from rove_core.store.packages import PackageDatabase

if TYPE_CHECKING:
    from rove_core.auth.accounts import AccountRecord
    from rove_core.items import AnyAccount
    from rove_core.mirror.mirror_writer import MirrorWriter

#: Stands for ``:`` in file names; no account name contains it.
_COLON: Final = "_"


@frozen
class Mirror:
    """The local copy of one account.

    Attributes:
        account: The account.
        path: The database.
    """

    account: str
    path: Path

    @classmethod
    def of(cls, places: ProjectPaths, account: str) -> Self:
        """Return the mirror of an account, whether it exists or not."""
        return cls(account, places.mirrors / f"{account.replace(':', _COLON)}.db")

    @property
    def database(self) -> PackageDatabase:
        """The database itself."""
        return PackageDatabase(self.path, MIGRATIONS)

    @property
    def exists(self) -> bool:
        """Whether the mirror has a scope or content."""
        return self.path.exists()

    @property
    def size(self) -> int:
        """Its size on disk, in bytes."""
        return sum(each.stat().st_size for each in self._files())

    def state(self) -> MirrorState | None:
        """Return the mirror's state; None if it does not exist."""
        if not self.exists:
            return None
        with self.database.reading() as db:
            return read_state(db)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection."""
        with self.database.reading() as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator["MirrorWriter"]:
        """Yield a writer. Hold :meth:`update_lock` for an update."""
        from rove_core.mirror.mirror_writer import MirrorWriter  # noqa: PLC0415  # most only read

        private_folder(self.path.parent)
        with closing(self.database.open()) as db:
            # Overwrite deleted content.
            db.execute("PRAGMA secure_delete = ON")
            yield MirrorWriter(self, db)

    def update_lock(self, *, timeout: float = 0.0) -> FileLock:
        """Return the lock for updating or removing the mirror."""
        private_folder(self.path.parent)
        return FileLock(self.path.with_suffix(".update"), timeout=timeout)

    def drop(self) -> int:
        """Remove the mirror with all its content; return its size in bytes.

        Raises:
            Locked: Another process keeps updating it.
        """
        if not self._files():
            return 0
        size = self.size
        with self.update_lock(timeout=30.0):
            # The database goes last, so that an interrupted removal stays visible.
            for each in sorted(self._files(), key=lambda path: path == self.path):
                each.unlink(missing_ok=True)
        with suppress(OSError):
            self.path.with_suffix(".update").unlink()
        return size

    def rename(self, account: str) -> None:
        """Rename its account."""
        if not self.exists:
            return
        new = self.path.with_name(f"{account.replace(':', _COLON)}.db")
        with self.update_lock(timeout=30.0):
            with closing(self.database.open()) as db:
                db.execute("PRAGMA journal_mode = DELETE")  # All of it is in one file.
            self.path.rename(new)
        Mirror(self.account, self.path).drop()

    def _files(self) -> Sequence[Path]:
        """Return the database, what SQLite put beside it, and copies from before an update."""
        return [each for each in self.path.parent.glob(f"{self.path.name}*") if each.is_file()]


def owner_of(account: "AnyAccount | AccountRecord") -> str:
    """Return the identity and site that a mirror of an account belongs to."""
    identity = account.identity
    return f"{account.base_url} {(identity.id or identity.name) if identity else ''}".strip()
