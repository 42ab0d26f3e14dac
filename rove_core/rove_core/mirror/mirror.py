"""The mirror of one account: a database to create, change, search and remove."""

import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from attrs import frozen

from rove_core.auth.account_names import account_variable
from rove_core.errors import Locked, NotLoggedIn, RoveError, StoreUnusable
from rove_core.mirror.migrations import MIGRATIONS
from rove_core.mirror.scope import MirrorScope, start_command
from rove_core.mirror.state import MirrorState, read_state
from rove_core.project.layout import ProjectPaths
from rove_core.store.connection import REBUILD
from rove_core.store.files import (
    FileLock,
    kind_of_file,
    private_folder,
    read_file,
    write_atomic,
)
from rove_core.store.packages import PackageDatabase

if TYPE_CHECKING:
    from rove_core.auth.accounts import AccountRecord
    from rove_core.auth.identity import Identity
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
        # A build that finds one of an older Rove does not wait for a copy of it.
        return PackageDatabase(self.path, MIGRATIONS, is_copied=False)

    @property
    def exists(self) -> bool:
        """Whether the mirror has a scope or content, and is not to be dropped."""
        return self.path.exists() and not self.is_dropped

    @property
    def has_files(self) -> bool:
        """Whether any file of it is there: the database, or what a damaged one left."""
        return bool(self._files())

    @property
    def is_dropped(self) -> bool:
        """Whether it is to be removed by whoever holds its lock next."""
        return os.path.lexists(self._mark)

    @property
    def size(self) -> int:
        """Its size on disk, in bytes."""
        return sum(each.lstat().st_size for each in self._files())

    def state(self) -> MirrorState | None:
        """Return the mirror's state; None if it does not exist."""
        if not self.exists:
            return None
        with self.reading() as db:
            return read_state(db)

    def save_scope(self, scope: MirrorScope) -> None:
        """Store the scope beside the database, to name it if the database is damaged."""
        text = scope.text().encode()
        with suppress(OSError):
            if read_file(self._scope_file) == text:
                return
        write_atomic(self._scope_file, text)

    def start_command(self) -> str:
        """Return the command that copies the account again, with its last scope if it is known."""
        scope = MirrorScope()
        with suppress(OSError, ValueError, AttributeError):
            scope = MirrorScope.of(read_file(self._scope_file).decode())
        return start_command(self.account, scope)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection."""
        with self._hints(), self.database.reading() as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator["MirrorWriter"]:
        """Yield a writer. Hold :meth:`update_lock` for an update."""
        from rove_core.mirror.mirror_writer import MirrorWriter  # noqa: PLC0415  # most only read

        private_folder(self.path.parent)
        self.finish_drop()
        if not self.path.exists():
            self._damage_mark.unlink(missing_ok=True)
        with self._hints(), closing(self.database.open()) as db:
            # A copy that an earlier Rove made before a migration would keep what is deleted.
            for each in self.path.parent.glob(f"{self.path.name}.before-*"):
                each.unlink(missing_ok=True)
            yield MirrorWriter(self, db)

    def update_lock(self, *, timeout: float = 0.0) -> FileLock:
        """Return the lock for updating or removing the mirror."""
        private_folder(self.path.parent)
        return FileLock(self.path.with_suffix(".update"), timeout=timeout)

    def begin_drop(self) -> bool:
        """Let the mirror count as missing from now on; return whether there is anything of it.

        Builds that use it notice at their end, and erase what they have stored of it.

        Raises:
            StoreUnusable: A link or a folder has the name of one of its files.
        """
        if not self._files():
            return False
        self._check_files()
        self._stop_updates()
        self._mark.touch(mode=0o600)
        return True

    def drop(self, *, wait: float = 30.0) -> int:
        """Remove the mirror with all its content; return its size in bytes.

        It is not opened, so that a damaged one can be removed, too.

        Args:
            wait: Maximum seconds to wait for an update that is under way.

        Raises:
            Locked: Another process is still updating it. From now on it counts as missing; that
                update removes it, or the next command or server that finds it.
            StoreUnusable: A link or a folder has the name of one of its files.
        """
        if not self.begin_drop():
            return 0
        size = self.size
        self.finish_drop(wait=wait)
        return size

    def finish_drop(self, *, wait: float = 0.0) -> None:
        """Remove the mirror if it was dropped while another process held it.

        Args:
            wait: Maximum seconds to wait for that process.

        Raises:
            Locked: It still does.
        """
        if not self.is_dropped:
            return
        try:
            with self.update_lock(timeout=wait):
                self.remove_files()
        except Locked:
            raise Locked(
                f"another process is updating the copy of {self.account}; it removes the copy when "
                "that ends",
                hint="See whether it is gone: rove mirror status",
            ) from None

    def remove_files(self) -> None:
        """Remove all files; call it with the update lock."""
        # The database goes last, so that an interrupted removal stays visible.
        for each in sorted(self._files(), key=lambda path: path == self.path):
            each.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)
        with suppress(OSError):
            self.path.with_suffix(".update").unlink()

    @property
    def _scope_file(self) -> Path:
        return self.path.with_name(f"{self.path.name}.scope")

    @property
    def is_damaged(self) -> bool:
        """Whether a damaged place was found in it: not every question reads all of it."""
        return self.path.exists() and self._damage_mark.exists()

    def _refuse_damaged(self) -> None:
        if self.is_damaged:
            raise StoreUnusable(f"{self.path} is damaged", hint=REBUILD)

    @property
    def _damage_mark(self) -> Path:
        return self.path.with_name(f"{self.path.name}.is-damaged")

    @property
    def _mark(self) -> Path:
        """The file that says that the mirror is to be removed."""
        return self.path.with_suffix(".dropped")

    def rename(self, account: str) -> None:
        """Rename its account."""
        if self.exists:
            new = self.path.with_name(f"{account.replace(':', _COLON)}.db")
            with self.update_lock(timeout=30.0):
                with closing(self.database.open()) as db:
                    db.execute("PRAGMA journal_mode = DELETE")  # All of it is in one file.
                self.path.rename(new)
                with suppress(FileNotFoundError):
                    self._scope_file.rename(new.with_name(f"{new.name}.scope"))
        Mirror(self.account, self.path).drop()

    def _files(self) -> Sequence[Path]:
        """Return the database, what SQLite put beside it, and damaged ones that were moved away."""
        return [*self.path.parent.glob(f"{self.path.name}*")]

    def _check_files(self) -> None:
        """Check that removing the files removes their content."""
        for each in self._files():
            if (kind := kind_of_file(each)) in {"link", "folder"}:
                raise StoreUnusable(
                    f"{each} is a {kind}, so not all of the copy of {self.account} can be removed",
                    hint=f"Remove the {kind} and what it leads to.",
                )

    def _stop_updates(self) -> None:
        """Let a running update end before its next listing; a damaged mirror has none."""
        with suppress(RoveError):
            if self.state() is not None:
                with self.writing() as writer:
                    writer.set_running(running=False)

    @contextmanager
    def _hints(self) -> Iterator[None]:
        """Refuse a damaged mirror, remember that one is damaged, and say how to replace it."""
        try:
            self._refuse_damaged()
            yield
        except StoreUnusable as error:
            if error.hint.startswith(REBUILD):
                if _is_damage(error.__cause__):
                    with suppress(OSError):
                        self._damage_mark.touch(mode=0o600)
                again = self.start_command()
                error.hint = f"Copy it again: rove mirror drop {self.account} && {again}"
            raise


def _is_damage(cause: BaseException | None) -> bool:
    """Return whether a database is damaged for good: a statement may also have been interrupted."""
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return cause is not None and code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def finish_drops(places: ProjectPaths) -> None:
    """Remove the mirrors that were dropped while another process held them, and that are free."""
    for mark in places.mirrors.glob("*.dropped"):
        mirror = Mirror(mark.stem.replace(_COLON, ":"), mark.with_suffix(".db"))
        with suppress(RoveError):
            mirror.finish_drop()


def mirrors_without(places: ProjectPaths, accounts: Collection[str]) -> Sequence[Mirror]:
    """Return the mirrors of accounts that no longer exist.

    Args:
        places: The project; mirrors are outside of it.
        accounts: The accounts that exist.
    """
    names = {each.name.partition(".db")[0] for each in places.mirrors.glob("*.db*")}
    found = [Mirror.of(places, name.replace(_COLON, ":")) for name in sorted(names)]
    return [each for each in found if each.account not in accounts]


def other_login_note(account: str) -> str:
    """Return what to say of a mirror of an account that was made with another login."""
    return (
        f"The copy of {account} was made with another login, so nothing uses it."
        f" To copy the same with this one: rove mirror start {account};"
        f" to delete it: rove mirror drop {account}"
    )


def unknown_login_note(account: str) -> str:
    """Return what to say of a mirror while it is not known whose login the environment holds."""
    return (
        f"A variable like {account_variable(account)}_TOKEN holds a login to {account}, and the"
        " vendor was not asked yet whose it is, so nothing uses the copy."
        f" To ask: rove mirror update --account {account}"
    )


def owner_of(account: "AnyAccount | AccountRecord") -> str:
    """Return the identity and site that a mirror of an account belongs to."""
    identity = account.identity
    return f"{account.base_url} {(identity.id or identity.name) if identity else ''}".strip()


def check_owner(owner: str, identity: "Identity") -> None:
    """Check that who is logged in owns a mirror: the environment may bring another login.

    Raises:
        NotLoggedIn: It is somebody else's.
    """
    _, _, own = owner.partition(" ")
    if own and own != (identity.id or identity.name):
        raise NotLoggedIn(
            f"{identity.name} is logged in, and the copy is another login's; it stays as it is",
            hint="See which login is used: rove sources list",
        )
