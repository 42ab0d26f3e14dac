"""One exchange of a login for its successor, so that it is lost in no crash that can be helped.

The vendors' rules make this delicate. What a login is renewed with works once; who shows it
twice may lose the login for good. So each exchange

- happens under a lock between processes, after another look at what is stored,
- leaves a record before it begins, so that whoever comes after a killed process asks again at
  once, while the vendor still answers to the old token,
- is stored before it is used, with the signals that would end the process held off,
- ends a login only when the vendor refuses twice what nobody has changed meanwhile.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from datetime import timedelta
from hashlib import sha256
from typing import Final, TypeAlias

from attrs import define, evolve, field

from rove_core.auth.credentials.store import CredentialStore
from rove_core.auth.login_ledger import Ledger, LoginRecord, RenewalTurn, is_recent
from rove_core.clock import Clock
from rove_core.errors import DiskTrouble, Locked, LoginRefused, NotLoggedIn, RoveError
from rove_core.login import Credential
from rove_core.store.signals import deferred_signals

#: Asks the source of an account for the successor of its credential.
Ask: TypeAlias = Callable[[str, Credential], Awaitable[Credential]]
#: Tells whether what is stored is to be renewed, from it and from what is known of it.
IsNeeded: TypeAlias = Callable[[Credential, LoginRecord], bool]

#: Seconds that one waits for another process that renews the same login.
PATIENCE: Final = 60.0
#: Seconds between two looks whether it is done.
_LOOK: Final = 0.02
#: Seconds between two looks at what the vendor refuses.
_SECOND_THOUGHT: Final = 1.0
#: How long what the vendor refused is not shown to it again.
_LOST: Final = timedelta(days=1)

_LOG: Final = logging.getLogger("rove.logins")
_RENEWING: Final[ContextVar[str]] = ContextVar("_RENEWING", default="")


def is_renewing(account: str) -> bool:
    """Return whether what runs here renews an account's login, which is not to be had meanwhile."""
    return _RENEWING.get() == account


def first_record(account: str, credential: Credential, clock: Clock) -> LoginRecord:
    """Return the first record of a new or newly seen login."""
    mark = ""
    if refresh := credential.refresh:
        text = f"{account}\n{refresh.reveal()}".encode("utf-8", "surrogatepass")
        mark = sha256(text).hexdigest()[:16]
    return LoginRecord(renewed_at=clock.now(), mark=mark, ends_at=credential.lasts_until)


@define(eq=False)
class LoginExchange:
    """Exchanges the logins of this user's accounts.

    Attributes:
        ask: Asks a source for the successor.
        store: Gives where logins are kept.
        ledger: What is known of them.
        clock: The clock, for time and waiting.
        notify: Is told, of an account, what its user should know.
    """

    ask: Ask
    store: Callable[[], Awaitable[CredentialStore]]
    ledger: Ledger
    clock: Clock
    notify: Callable[[str, str], None]
    _inside: dict[str, asyncio.Lock] = field(factory=dict, init=False)
    _turns: dict[str, RenewalTurn] = field(factory=dict, init=False)
    _unsaved: dict[str, Credential] = field(factory=dict, init=False)

    async def renew(
        self, account: str, is_needed: IsNeeded, *, patience: float = PATIENCE
    ) -> Credential:
        """Return an account's login, renewed if it is still due once the lock is held.

        Raises:
            NotLoggedIn: It is gone, or the vendor does not renew it any more.
            Locked: Another process took longer than the patience for it.
            DiskTrouble: Nothing can be written; so nothing was asked of the vendor.
        """
        async with self._turn(account, patience):
            stored = await (await self.store()).get(account)
            current = self._unsaved.get(account, stored)
            if current is None:
                raise NotLoggedIn(f"the login of {account} was removed", account=account)
            record = await self._record(account, current)
            if not is_needed(current, record):
                return current
            if is_recent(record.lost_at, _LOST, self.clock.now()):
                raise _lost_login(account)
            with deferred_signals():
                return await self._exchange(account, current, stored, record)

    @asynccontextmanager
    async def replacing(self, account: str) -> AsyncIterator[None]:
        """Block renewals of a login while it is replaced or removed."""
        async with self._turn(account, PATIENCE):
            yield
            self._unsaved.pop(account, None)

    async def save(self) -> None:
        """Try again to store what could not be stored."""
        for account, credential in tuple(self._unsaved.items()):
            async with self._turn(account, PATIENCE):
                await self._keep(account, credential)

    def give_up(self) -> None:
        """Leave what cannot be stored, and let others have their turn."""
        self._unsaved.clear()
        while self._turns:
            self._turns.popitem()[1].release()

    @asynccontextmanager
    async def _turn(self, account: str, patience: float) -> AsyncIterator[None]:
        """Hold the lock inside; it is kept until a new login is stored.

        What others find stored is spent then, and they must not show it to the vendor.
        """
        async with self._inside.setdefault(account, asyncio.Lock()):
            if account not in self._turns:
                self._turns[account] = await self._take_turn(account, patience)
            try:
                yield
            finally:
                if account not in self._unsaved:
                    self._turns.pop(account).release()

    async def _take_turn(self, account: str, patience: float) -> RenewalTurn:
        turn = await asyncio.to_thread(self.ledger.turn, account)
        deadline = self.clock.monotonic() + patience
        while not turn.try_acquire():
            if self.clock.monotonic() >= deadline:
                raise Locked(f"another process is renewing the login of {account}", account=account)
            await self.clock.sleep(_LOOK)
        return turn

    async def _record(self, account: str, current: Credential) -> LoginRecord:
        record = await asyncio.to_thread(self.ledger.read, account)
        first = first_record(account, current, self.clock)
        if record and record.mark == first.mark:
            return record
        # The record is of an earlier login: whoever was killed had stored its successor.
        await self._note(account, first)
        return first

    async def _exchange(
        self, account: str, current: Credential, stored: Credential | None, record: LoginRecord
    ) -> Credential:
        begun = evolve(
            record, pending_since=record.pending_since or self.clock.now(), tried_at=None
        )
        await asyncio.to_thread(self.ledger.write, account, begun)
        try:
            fresh = await self._ask_vendor(account, current)
            if fresh is None and await self._is_stored(account, stored):
                await self.clock.sleep(_SECOND_THOUGHT)
                fresh = await self._ask_vendor(account, current)
        except RoveError:
            await self._note(account, evolve(begun, tried_at=self.clock.now()))
            raise
        if fresh is not None:
            await self._keep(account, fresh)
            return fresh
        return await self._adopt(account, stored, begun)

    async def _ask_vendor(self, account: str, current: Credential) -> Credential | None:
        """Return the successor that the vendor gives; None if it refuses."""
        before = _RENEWING.set(account)
        try:
            fresh = await self.ask(account, current)
        except LoginRefused as error:
            _LOG.warning("%s: the vendor does not renew the login: %s", account, error.message)
            return None
        finally:
            _RENEWING.reset(before)
        return evolve(
            fresh,
            refresh=fresh.refresh or current.refresh,
            ends_at=fresh.ends_at or current.ends_at,
            hosts=tuple(host for host in fresh.hosts if host in current.hosts),
        )

    async def _is_stored(self, account: str, stored: Credential | None) -> bool:
        return await (await self.store()).get(account) == stored

    async def _adopt(
        self, account: str, stored: Credential | None, begun: LoginRecord
    ) -> Credential:
        """Return a login that another process has stored meanwhile; else the login is lost."""
        found = await (await self.store()).get(account)
        if found is not None and found != stored:
            await self._note(account, first_record(account, found, self.clock))
            return found
        now = self.clock.now()
        await self._note(account, evolve(begun, pending_since=None, lost_at=now))
        raise _lost_login(account)

    async def _keep(self, account: str, fresh: Credential) -> None:
        """Store a new login; if that fails, use it in this process and report it."""
        try:
            await (await self.store()).set(account, fresh)
        except RoveError as error:
            if account not in self._unsaved:
                self.notify(account, f"the renewed login cannot be stored: {error.message}")
                self.notify(account, "it works until Rove exits, and may then be lost")
            self._unsaved[account] = fresh
            return
        self._unsaved.pop(account, None)
        await self._note(account, first_record(account, fresh, self.clock))

    async def _note(self, account: str, record: LoginRecord) -> None:
        """Write a record; losing it only makes somebody ask again too early."""
        with suppress(DiskTrouble):
            await asyncio.to_thread(self.ledger.write, account, record)


def _lost_login(account: str) -> NotLoggedIn:
    return NotLoggedIn(
        f"the login of {account} has expired: the vendor no longer renews it",
        account=account,
    )
