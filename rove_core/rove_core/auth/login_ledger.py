"""Renewal and expiry times of logins, without reading them.

No secret is here: a token is known by a mark that tells it from others. So whoever only wants
to know asks no keychain.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

import attrs
from attrs import frozen

from rove_core.auth.account_names import is_account_name
from rove_core.errors import DiskTrouble
from rove_core.store.files import FileLock, private_folder, read_file, write_atomic

#: A login that is renewed this often outlives every vendor's rule about idle ones.
RENEW_AFTER: Final = timedelta(days=6)
#: How long before its end a login is told to end.
TELL_BEFORE: Final = timedelta(days=14)
#: How long before its end a person is reminded of it each day.
_REMIND_BEFORE: Final = timedelta(days=3)
_DAY: Final = timedelta(days=1)
#: By how much a clock may be set back before what was written ahead of it is doubted.
_SET_BACK: Final = timedelta(days=1)
#: How long a failed renewal is not tried again unasked: longer each time, but never as long as
#: a vendor whose answer was lost still takes the old token.
_PAUSES: Final = (timedelta(minutes=1), timedelta(minutes=5))


@frozen(kw_only=True)
class LoginRecord:
    """Renewal and expiry of a login.

    Attributes:
        renewed_at: When it was last renewed, or first seen.
        mark: Tells what it is renewed with from any other; empty when nothing renews it.
        ends_at: When it ends, whatever is done.
        pending_since: When an exchange began of which nobody knows how it ended.
        tried_at: When that was last tried.
        lost_at: When the vendor had refused to renew it.
        told: Whether a person was told that it is lost.
        told_at: When a person was last told that it ends.
    """

    renewed_at: datetime
    mark: str = ""
    ends_at: datetime | None = None
    pending_since: datetime | None = None
    tried_at: datetime | None = None
    lost_at: datetime | None = None
    told: bool = False
    told_at: datetime | None = None

    def is_due(self, now: datetime) -> bool:
        """Return whether to renew the login although it is not in use.

        A time that is long to come was written under a clock that was wrong: it proves nothing.
        """
        if not self.mark or self.lost_at or is_recent(self.tried_at, self._pause(), now):
            return False
        is_fresh = now - RENEW_AFTER < self.renewed_at < now + _SET_BACK
        return self.pending_since is not None or not is_fresh

    def is_ending(self, now: datetime) -> bool:
        """Return whether its user should know: it is lost, or soon ends."""
        return self.lost_at is not None or (
            self.ends_at is not None and self.ends_at - TELL_BEFORE <= now
        )

    def is_news(self, now: datetime) -> bool:
        """Return whether to tell its user now.

        A loss is told once, an end two weeks before, and once a day in the last days.
        """
        if self.lost_at is not None:
            return not self.told
        if self.ends_at is None or not self.is_ending(now):
            return False
        is_near = self.ends_at - _REMIND_BEFORE <= now
        return self.told_at is None or (is_near and not is_recent(self.told_at, _DAY, now))

    def _pause(self) -> timedelta:
        shortest, longest = _PAUSES
        if self.tried_at is None or self.pending_since is None:
            return shortest
        return min(max(self.tried_at - self.pending_since, shortest), longest)


def expiry_text(ends_at: datetime, now: datetime) -> str:
    """Return when a login expires, in words."""
    date, days = f"on {ends_at:%Y-%m-%d}", (ends_at.date() - now.date()).days
    if ends_at <= now:
        return f"expired {date}"
    if ends_at - TELL_BEFORE > now:
        return f"expires {date}"
    return f"expires {({0: 'today', 1: 'tomorrow'}).get(days, f'in {days} days')}, {date}"


class RenewalTurn(Protocol):
    """A turn that one at a time has."""

    def try_acquire(self) -> bool:
        """Try to take the lock, and return whether it was taken."""

    def release(self) -> None:
        """Give it back."""


class Ledger(Protocol):
    """Records about logins, by account."""

    def read(self, account: str) -> LoginRecord | None:
        """Return the record of an account's login, or None."""

    def write(self, account: str, record: LoginRecord) -> None:
        """Store a record."""

    def forget(self, account: str) -> None:
        """Forget an account; its caller has the turn."""

    def turn(self, account: str) -> RenewalTurn:
        """Return the turn to change an account's login."""

    def records(self) -> Mapping[str, LoginRecord]:
        """Return the records of all logins."""


@frozen
class LoginLedger:
    """Records in files that all processes of this user share.

    Attributes:
        data_dir: The user's data directory.
    """

    data_dir: Path

    @property
    def folder(self) -> Path:
        """Folder of the files: one per account, and its lock."""
        return self.data_dir / "logins"

    def read(self, account: str) -> LoginRecord | None:
        """Return the record of an account's login; None if it cannot be read."""
        try:
            return _parse(read_file(self._file(account)))
        except OSError:
            return None

    def write(self, account: str, record: LoginRecord) -> None:
        """Store a record; it is on disk when this returns.

        Raises:
            DiskTrouble: It cannot be written; what was known before is still there.
        """
        self._make_folder()
        write_atomic(self._file(account), _text(record))

    def forget(self, account: str) -> None:
        """Forget an account; its caller has the turn."""
        # Whoever waits for the lock finds it gone and makes a new one.
        for path in (self._file(account), self._lock(account)):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise DiskTrouble(f"{path} cannot be removed: {error.strerror}") from error

    def turn(self, account: str) -> FileLock:
        """Return the lock of an account's login.

        Raises:
            DiskTrouble: Its folder cannot be made.
        """
        self._make_folder()
        return FileLock(self._lock(account))

    def records(self) -> Mapping[str, LoginRecord]:
        """Return the records of all logins, by name."""
        return dict(self._read_all())

    def ending(self, now: datetime) -> Mapping[str, LoginRecord]:
        """Return the records of logins that are lost or expire soon."""
        return {name: each for name, each in self._read_all() if each.is_ending(now)}

    def news(self, now: datetime) -> Mapping[str, LoginRecord]:
        """Return logins that are lost or expire soon, if it is time to tell; mark them as told."""
        found = {name: each for name, each in self._read_all() if each.is_news(now)}
        return {name: each for name, each in found.items() if self._mark_told(name, now)}

    def _mark_told(self, account: str, now: datetime) -> bool:
        """Mark a login as told, unless it is being renewed."""
        with suppress(DiskTrouble):
            turn = self.turn(account)
            if turn.try_acquire():
                try:
                    return self._note_told(account, now)
                finally:
                    turn.release()
        return False

    def _note_told(self, account: str, now: datetime) -> bool:
        record = self.read(account)
        if record is None or not record.is_news(now):
            return False
        self.write(account, attrs.evolve(record, told=record.lost_at is not None, told_at=now))
        return True

    def _read_all(self) -> Iterator[tuple[str, LoginRecord]]:
        names: list[str] = []
        with suppress(OSError):
            names = sorted(path.stem for path in self.folder.glob("*.json"))
        for name in filter(is_account_name, names):
            if record := self.read(name):
                yield name, record

    def _make_folder(self) -> None:
        private_folder(self.data_dir)
        private_folder(self.folder)

    def _file(self, account: str) -> Path:
        return self.folder / f"{account}.json"

    def _lock(self, account: str) -> Path:
        return self.folder / f"{account}.lock"


def is_recent(moment: datetime | None, span: timedelta, now: datetime) -> bool:
    """Return whether a moment is past, and not longer than a span."""
    return moment is not None and now - span < moment <= now


def _text(record: LoginRecord) -> bytes:
    fields = attrs.asdict(record, filter=lambda _, value: value not in (None, "", False))
    return json.dumps(fields, default=datetime.isoformat, indent=2).encode() + b"\n"


def _parse(text: bytes) -> LoginRecord | None:
    """Return the record in a file; a damaged file counts as empty."""
    try:
        fields = json.loads(text)
        moments = {
            name: datetime.fromisoformat(value)
            for name, value in fields.items()
            if name.endswith(("_at", "_since"))
        }
        if any(moment.tzinfo is None for moment in moments.values()):
            return None
        mark, told = str(fields.get("mark", "")), bool(fields.get("told"))
        return LoginRecord(**moments, mark=mark, told=told)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None
