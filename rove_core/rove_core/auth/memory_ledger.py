"""A login ledger in memory, for programs with their own store."""

from collections.abc import Mapping

from attrs import frozen

from rove_core.auth.login_ledger import LoginRecord, RenewalTurn


class MemoryLedger:
    """Records in this process only, for programs with their own store."""

    def __init__(self) -> None:
        self._records: dict[str, LoginRecord] = {}
        self._turns: set[str] = set()

    def read(self, account: str) -> LoginRecord | None:
        """Return the record of an account's login, or None."""
        return self._records.get(account)

    def write(self, account: str, record: LoginRecord) -> None:
        """Store a record."""
        self._records[account] = record

    def forget(self, account: str) -> None:
        """Forget an account."""
        self._records.pop(account, None)

    def turn(self, account: str) -> RenewalTurn:
        """Return the turn to change an account's login."""
        return _MemoryTurn(account, self._turns)

    def records(self) -> Mapping[str, LoginRecord]:
        """Return the records of all logins."""
        return dict(self._records)


@frozen
class _MemoryTurn:
    account: str
    taken: set[str]

    def try_acquire(self) -> bool:
        if self.account in self.taken:
            return False
        self.taken.add(self.account)
        return True

    def release(self) -> None:
        self.taken.discard(self.account)
