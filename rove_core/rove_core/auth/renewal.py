"""Renew logins: before they expire, when refused, and when unused.

How that is done so that no login is lost is told in :mod:`rove_core.auth.login_exchange`.
"""

import asyncio
import logging
from datetime import timedelta
from typing import Final

from attrs import define, field

from rove_core.auth.login_exchange import PATIENCE, LoginExchange, first_record
from rove_core.auth.login_ledger import LoginRecord
from rove_core.clock import Clock
from rove_core.errors import Locked, RoveError
from rove_core.login import Credential

#: Seconds in which what failed is not tried again, and what was renewed is not renewed again.
_REST: Final = 30.0

_LOG: Final = logging.getLogger("rove.logins")


@define(eq=False)
class Renewals:
    """Renews the logins that one process uses, each once for all who wait for it.

    Attributes:
        logins: Does the exchanges.
        clock: The clock.
    """

    logins: LoginExchange
    clock: Clock
    _running: dict[tuple[str, float], asyncio.Task[Credential]] = field(factory=dict, init=False)
    _failed: dict[str, tuple[float, RoveError]] = field(factory=dict, init=False)
    _renewed: dict[str, float] = field(factory=dict, init=False)

    async def usable(self, account: str, credential: Credential, buffer: float) -> Credential:
        """Return a credential that does not expire soon.

        One that is still valid stays in use when it cannot be renewed now.

        Args:
            account: Whose it is.
            credential: The one at hand.
            buffer: Seconds before its expiry at which it is renewed; half of its life at most.
        """
        if not credential.refresh or not self._expires(credential, buffer):
            return credential
        if not self._expires(credential, await self._within_half(account, credential, buffer)):
            return credential
        if self._expires(credential):
            return await self._single(account, credential, buffer=buffer)
        try:
            return await self._single(account, credential, buffer=buffer, patience=0)
        except RoveError as error:
            _LOG.info("%s: the login is not renewed yet: %s", account, error.message)
            return credential

    async def after_refusal(self, account: str, refused: Credential) -> Credential | None:
        """Return what to use instead of a credential that the vendor refused; None if nothing.

        This machine's clock may be wrong, or another process may have renewed it.
        """
        last = self._renewed.get(account)
        if last is not None and self.clock.monotonic() - last < _REST:
            return None
        return await self._single(account, refused)

    async def if_due(self, account: str) -> Credential | None:
        """Renew a login that was unused for days, or whose renewal was killed.

        Returns:
            What holds now; None if it was not due.
        """
        ledger = self.logins.ledger
        record = await asyncio.to_thread(ledger.read, account)
        if record is None or not record.is_due(self.clock.now()):
            return None
        return await self._single(account, None, patience=0)

    async def aclose(self) -> None:
        """Wait for renewals in progress, and try once more to store unsaved logins."""
        while running := tuple(self._running.values()):
            await asyncio.wait(running)
        await self.logins.save()
        self.logins.give_up()

    def _expires(self, credential: Credential, within: float = 0.0) -> bool:
        moment = credential.expires_at
        return moment is not None and moment - timedelta(seconds=within) <= self.clock.now()

    async def _within_half(self, account: str, credential: Credential, buffer: float) -> float:
        """Return the renewal buffer, at most half of the credential's lifetime."""
        record = await asyncio.to_thread(self.logins.ledger.read, account)
        if record is None or record.mark != first_record(account, credential, self.clock).mark:
            return buffer
        return _half_of_life(credential, record, buffer)

    async def _single(
        self,
        account: str,
        credential: Credential | None,
        *,
        buffer: float = 0.0,
        patience: float = PATIENCE,
    ) -> Credential:
        """Renew a login once for all who ask; who stops waiting does not stop it."""
        at, error = self._failed.get(account, (0.0, None))
        if error and self.clock.monotonic() - at < _REST:
            raise error

        def is_needed(stored: Credential, record: LoginRecord) -> bool:
            within = _half_of_life(stored, record, buffer)
            return stored.refresh is not None and (
                stored == credential
                or self._expires(stored, within)
                or record.is_due(self.clock.now())
            )

        key = account, patience
        if key not in self._running:
            work = asyncio.create_task(self.logins.renew(account, is_needed, patience=patience))
            self._running[key] = work
            work.add_done_callback(lambda done: self._forget_ended(key, done))
        return await asyncio.shield(self._running[key])

    def _forget_ended(self, key: tuple[str, float], work: "asyncio.Task[Credential]") -> None:
        del self._running[key]
        account, _ = key
        self._failed.pop(account, None)
        error = None if work.cancelled() else work.exception()
        if isinstance(error, RoveError) and not isinstance(error, Locked):
            self._failed[account] = self.clock.monotonic(), error
        elif not error:
            self._renewed[account] = self.clock.monotonic()


def _half_of_life(credential: Credential, record: LoginRecord, buffer: float) -> float:
    """Return a buffer that is at most half of the time for which a credential was given."""
    if credential.expires_at is None:
        return buffer
    life = (credential.expires_at - record.renewed_at).total_seconds()
    return min(buffer, life / 2) if life > 0 else buffer
