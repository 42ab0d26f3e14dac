"""The connected accounts: each is a plugin of its own, and each is called alone."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import aclosing
from typing import Final, TypeVar

import pluggy

from rove_core.contract import check_source
from rove_core.errors import PluginFailed, RoveError, TimedOut, UnknownAccount
from rove_core.hookspecs import SourceHooks
from rove_core.items import ContextItem, Identity, ItemRef, Query
from rove_core.login import Credential, Login

Result = TypeVar("Result")

#: Seconds one call of a source may take, unless who calls it knows better.
DEADLINE: Final = 30.0


class Accounts:
    """Call one account's hooks. Wrappers of other plugins still apply."""

    def __init__(self, plugins: pluggy.PluginManager) -> None:
        self._plugins = plugins
        self._sources: dict[str, SourceHooks] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The connected accounts, in the order in which they were connected."""
        return tuple(self._sources)

    def connect(self, name: str, source: SourceHooks) -> None:
        """Add an account, or raise :class:`PluginFailed` if its source breaks the contract."""
        check_source(source)
        try:
            self._plugins.register(source, name)
        except (ValueError, pluggy.PluginValidationError) as error:
            raise PluginFailed(str(error), account=name) from error
        self._sources[name] = source

    def disconnect(self, name: str) -> None:
        """Forget an account of this project; its login stays."""
        self._plugins.unregister(self._source(name))
        del self._sources[name]

    def can(self, account: str, hook: str) -> bool:
        """Tell whether an account has a hook; to have it is to have the capability."""
        return getattr(type(self._source(account)), hook) is not getattr(SourceHooks, hook)

    async def authenticate(self, account: str, login: Login) -> Credential:
        """Let a person log in. There is no deadline: a person types."""
        call = self._only("rove_authenticate", account)(login=login)
        return _expect(account, "rove_authenticate", await _named(account, call), Credential)

    async def refresh(self, account: str, credential: Credential) -> Credential:
        """Exchange a credential that expires."""
        call = self._only("rove_refresh", account)(credential=credential)
        return _expect(account, "rove_refresh", await _timed(account, call), Credential)

    async def identity(self, account: str) -> Identity:
        """Return who the account is; the test of a connection."""
        call = self._only("rove_identity", account)()
        return _expect(account, "rove_identity", await _timed(account, call), Identity)

    async def revoke(self, account: str) -> None:
        """Let the vendor forget the credential."""
        await _timed(account, self._only("rove_disconnect", account)())

    async def search(self, query: Query, *, deadline: float = DEADLINE) -> AsyncIterator[ContextItem]:
        """Yield what answers the query, at most ``query.limit`` items.

        What came before an error or the deadline has been yielded by then; the error says how
        much that was.
        """
        found = self._only("rove_search", query.account)(query=query)
        count = 0
        try:
            async with asyncio.timeout(deadline), aclosing(found) as items:
                async for item in items:
                    yield _expect(query.account, "rove_search", item, ContextItem)
                    count += 1
                    if count >= query.limit:
                        return
        except TimeoutError as error:
            raise TimedOut(
                f"{query.account}: first {count}, then no answer within {deadline:g} s",
                account=query.account,
            ) from error
        except Exception as error:  # noqa: BLE001  # whatever a plugin raises costs its account alone
            raise _blamed(query.account, error) from error

    async def item_detail(self, ref: ItemRef, *, deadline: float = DEADLINE) -> ContextItem:
        """Return the whole item."""
        call = self._only("rove_item_detail", ref.account)(ref=ref)
        item = await _timed(ref.account, call, deadline=deadline)
        return _expect(ref.account, "rove_item_detail", item, ContextItem)

    def recognise(
        self, text: str, *, origin: ItemRef | None = None, accounts: Iterable[str] | None = None
    ) -> Sequence[ItemRef]:
        """Return the references in a text, each once, the accounts asked in the order given."""
        found: dict[ItemRef, None] = {}
        for account in self.names if accounts is None else accounts:
            try:
                refs = self._only("rove_recognise", account)(text=text, origin=origin)
                found |= dict.fromkeys(
                    _expect(account, "rove_recognise", ref, ItemRef) for ref in refs or ()
                )
            except Exception as error:  # noqa: BLE001  # as above
                raise _blamed(account, error) from error
        return tuple(found)

    def _source(self, account: str) -> SourceHooks:
        if account not in self._sources:
            known = ", ".join(self._sources) or "none"
            raise UnknownAccount(f"no account {account!r} is connected here; there are: {known}")
        return self._sources[account]

    def _only(self, hook: str, account: str) -> pluggy.HookCaller:
        """Return a caller of the hook for this account alone; made anew for each call.

        A kept one would let an account that is connected later answer as well.
        """
        source = self._source(account)
        if not self.can(account, hook):
            raise PluginFailed(f"{account}: its source has no {hook}", account=account)
        everyone = getattr(self._plugins.hook, hook).get_hookimpls()
        others = {impl.plugin for impl in everyone if not impl.wrapper} - {source}
        return self._plugins.subset_hook_caller(hook, others)


async def _timed(account: str, call: Awaitable[Result], *, deadline: float = DEADLINE) -> Result:
    try:
        async with asyncio.timeout(deadline):
            return await _named(account, call)
    except TimeoutError as error:
        raise TimedOut(f"{account}: no answer within {deadline:g} s", account=account) from error


async def _named(account: str, call: Awaitable[Result]) -> Result:
    try:
        return await call
    except Exception as error:
        raise _blamed(account, error) from error


def _expect(account: str, hook: str, value: object, wanted: type[Result]) -> Result:
    if not isinstance(value, wanted):
        raise PluginFailed(
            f"{account}: {hook} gave a {type(value).__name__}, it must give a {wanted.__name__}",
            account=account,
        )
    return value


def _blamed(account: str, error: Exception) -> Exception:
    """Return the error with the account's name on it."""
    if isinstance(error, RoveError):
        error.account = error.account or account
        return error
    if isinstance(error, TimeoutError):
        return error
    return PluginFailed(f"{account}: {type(error).__name__}: {error}", account=account)
