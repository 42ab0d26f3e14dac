"""The credentials of a project's accounts: load once, renew when due, forget."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import datetime
from typing import Final

import attrs
from attrs import define, field

from rove_core.auth.account_names import account_variable, add_command
from rove_core.auth.credentials import CredentialStore, environment_answers
from rove_core.auth.credentials.environment import is_answered
from rove_core.auth.login_exchange import Ask, LoginExchange, first_record, is_renewing
from rove_core.auth.login_ledger import Ledger
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.auth.renewal import Renewals
from rove_core.clock import Clock
from rove_core.errors import DiskTrouble, KeychainUnusable, NotLoggedIn, RoveError
from rove_core.http import Http
from rove_core.items import AnyAccount
from rove_core.login import Credential
from rove_core.plugins.accounts import Accounts
from rove_core.sources import AnySourceKind

#: Seconds in which a keychain that does not work is not tried again.
_REST: Final = 30.0

_LOG: Final = logging.getLogger("rove.logins")


@define(eq=False)
class Logins:
    """The credentials of a project's accounts: from the environment, else from the store.

    Attributes:
        accounts: What can log in.
        choose_store: Gives the store; it is asked when a login is first needed.
        ask: Asks a source for the successor of a credential.
        ledger: What is known of the logins in the store.
        clock: The clock, for time and waiting.
        notify: Is told, of an account, what its user should know.
        environ: The variables of the process.
    """

    accounts: Accounts
    choose_store: Callable[[], Awaitable[CredentialStore]]
    ask: Ask
    ledger: Ledger
    clock: Clock
    notify: Callable[[str, str], None]
    environ: Mapping[str, str] = field(factory=lambda: os.environ)
    _exchange: LoginExchange = field(init=False)
    _renewals: Renewals = field(init=False)
    _store: CredentialStore | None = field(default=None, init=False)
    _no_store: tuple[float, KeychainUnusable] | None = field(default=None, init=False)
    _choosing: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _credentials: dict[str, Credential] = field(factory=dict, init=False)
    _not_stored: set[str] = field(factory=set, init=False)
    _turns: dict[str, asyncio.Lock] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._exchange = LoginExchange(
            self.ask, self._choose_store, self.ledger, self.clock, self.notify
        )
        self._renewals = Renewals(self._exchange, self.clock)

    async def credential(
        self, account: AnyAccount, kind: AnySourceKind, http: Callable[[], Http]
    ) -> Credential | None:
        """Return the account's credential, renewed before it expires.

        None is for a source that needs no login, and for one whose login is being renewed.
        """
        if not kind.logins or is_renewing(account.name):
            return None
        name = account.name
        async with self._turns.setdefault(name, asyncio.Lock()):
            with _advice(account):
                if name not in self._credentials:
                    self._credentials[name] = await self._find(account, kind, http)
                if name not in self._not_stored and self._can_renew(name):
                    buffer = getattr(account.settings, "token_refresh_buffer", 0)
                    self._credentials[name] = await self._renewals.usable(
                        name, self._credentials[name], buffer
                    )
            return self._credentials[name]

    async def after_refusal(self, account: AnyAccount, refused: Credential) -> Credential | None:
        """Return what to try once more with when the vendor refused a credential; None if nothing.

        Raises:
            NotLoggedIn: The vendor does not renew it either.
        """
        name = account.name
        if name in self._not_stored:
            return None
        async with self._turns.setdefault(name, asyncio.Lock()):
            if self._credentials.get(name, refused) != refused:
                return self._credentials[name]
            with _advice(account):
                other = await self._other_login(name, refused)
            if other is not None:
                self._credentials[name] = other
            return other

    async def renew_due(self) -> None:
        """Renew logins that were unused for days; failures are only logged.

        While nothing is due, it reads a small file of each login and nothing else.
        """
        for account, record in (await asyncio.to_thread(self.ledger.records)).items():
            if not record.is_due(self.clock.now()):
                continue
            try:
                renewed = await self._renewals.if_due(account)
            except RoveError as error:
                _LOG.warning("%s: the login is not renewed: %s", account, error.message)
            else:
                if renewed and account in self._credentials and account not in self._not_stored:
                    self._credentials[account] = renewed
        await self._exchange.save()

    @asynccontextmanager
    async def trying(self, account: str, credential: Credential) -> AsyncIterator[None]:
        """Use a new credential inside; store it at the end, or go back if anything goes wrong."""
        before, was_stored = self._credentials.get(account), account not in self._not_stored
        self._credentials[account] = credential
        self._not_stored.add(account)
        try:
            yield
            async with self._exchange.replacing(account):
                await (await self._choose_store()).set(account, credential)
                await self._record(account, credential)
        except BaseException:
            self._credentials.pop(account)
            if before is not None:
                self._credentials[account] = before
            if was_stored:
                self._not_stored.discard(account)
            raise
        self._not_stored.discard(account)

    async def note_end(self, account: str, ends_at: datetime | None) -> None:
        """Store when a login ends, as its vendor announced.

        Nothing changes if it announced nothing, or if Rove renews the login.
        """
        if ends_at is None or account in self._not_stored:
            return
        async with self._exchange.replacing(account):
            store = await self._choose_store()
            stored = await store.get(account)
            if stored is None or stored.refresh or stored.lasts_until == ends_at:
                return
            ending = attrs.evolve(stored, ends_at=ends_at)
            await store.set(account, ending)
            await self._record(account, ending)
            self._credentials[account] = ending

    async def keeps(self, account: str, kind: AnySourceKind) -> bool:
        """Return whether the login of an account is in the store, and none in the environment."""
        if not kind.logins or any(is_answered(account, way, self.environ) for way in kind.logins):
            return False
        return await (await self._choose_store()).get(account) is not None

    async def forget(self, account: str) -> None:
        """Forget the login of an account, if there is one."""
        self._credentials.pop(account, None)
        async with self._exchange.replacing(account):
            await (await self._choose_store()).delete(account)
            await asyncio.to_thread(self.ledger.forget, account)

    async def aclose(self) -> None:
        """Wait for the renewals that have begun; nothing may be closed that they need."""
        await self._renewals.aclose()

    async def _find(
        self, account: AnyAccount, kind: AnySourceKind, http: Callable[[], Http]
    ) -> Credential:
        name = account.name
        for way in kind.logins:
            if is_answered(name, way, self.environ):
                answers = environment_answers(name, way, self.environ)
                hint = f"Log in with: {add_command(name, kind.name)}"
                otherwise = f"Unset {account_variable(name)}_*, or: {hint}"
                login = PreparedLogin(way.name, answers, http(), otherwise=otherwise)
                self._not_stored.add(name)
                return await self.accounts.authenticate(name, login)
        if credential := await (await self._choose_store()).get(name):
            return await self._check_stored(name, credential)
        raise NotLoggedIn(f"there is no login for {name}", account=name)

    async def _check_stored(self, account: str, credential: Credential) -> Credential:
        """Return a stored credential, renewed if due, and record it."""
        record = await asyncio.to_thread(self.ledger.read, account)
        first = first_record(account, credential, self.clock)
        if (
            not record
            or record.mark != first.mark
            or (not record.mark and record.ends_at != first.ends_at)
        ):
            await self._record(account, credential)
            return credential
        if not self._can_renew(account):
            return credential
        try:
            return await self._renewals.if_due(account) or credential
        except RoveError as error:
            _LOG.warning("%s: the login is not renewed: %s", account, error.message)
            return credential

    async def _record(self, account: str, credential: Credential) -> None:
        """Record a login that will need attention some day."""
        record = first_record(account, credential, self.clock)
        earlier = await asyncio.to_thread(self.ledger.read, account)
        if record.mark or record.ends_at or earlier:
            with suppress(DiskTrouble):
                await asyncio.to_thread(self.ledger.write, account, record)

    async def _other_login(self, account: str, refused: Credential) -> Credential | None:
        if refused.refresh and self._can_renew(account):
            return await self._renewals.after_refusal(account, refused)
        stored = await (await self._choose_store()).get(account)
        return stored if stored != refused else None

    def _can_renew(self, account: str) -> bool:
        return self.accounts.can(account, "rove_refresh")

    async def _choose_store(self) -> CredentialStore:
        """Return the store; a hung keychain is waited for once, not once per account."""
        async with self._choosing:
            if self._store is None:
                at, error = self._no_store or (0.0, None)
                if error and self.clock.monotonic() - at < _REST:
                    raise error
                try:
                    self._store = await self.choose_store()
                except KeychainUnusable as unusable:
                    self._no_store = self.clock.monotonic(), unusable
                    raise
            return self._store


@contextmanager
def _advice(account: AnyAccount) -> Iterator[None]:
    """Add the login command to errors about a missing login."""
    try:
        yield
    except NotLoggedIn as error:
        if error.hint == error.advice:
            error.hint = f"Log in with: {add_command(account.name, account.kind)}"
        raise
