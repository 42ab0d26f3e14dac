"""The connected accounts: each is a plugin of its own, and each is called alone."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeVar

import pluggy

from rove_core.errors import PluginFailed, RoveError, UnknownAccount
from rove_core.hookspecs import SourceHooks
from rove_core.items import ContextItem, Identity, ItemRef, Query, Section
from rove_core.login import Credential, Login
from rove_core.plugins.calls import answer, blame, stream
from rove_core.plugins.hook_checks import check_source, has_hook
from rove_core.plugins.item_validation import fitted, misfit
from rove_core.plugins.watchdog import step
from rove_core.safety.sanitize import harmless

Result = TypeVar("Result")

#: Seconds one call of a source may take, unless who calls it knows better.
DEADLINE: Final = 30.0

#: References that one account may find in one text; more is a flood.
MOST_REFERENCES: Final = 1000

_LOG: Final = logging.getLogger("rove.accounts")


class Accounts:
    """Call one account's hooks. Wrappers of other plugins still apply.

    Args:
        plugins: All that is loaded.
        key: What the marks of secrets are made with; one of this process when empty.
    """

    def __init__(self, plugins: pluggy.PluginManager, *, key: bytes = b"") -> None:
        self._plugins = plugins
        self._key = key
        self._hosts: dict[str, tuple[str, ...]] = {}
        self._sources: dict[str, SourceHooks] = {}
        self._failures: dict[tuple[str, str], RoveError] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The connected accounts, in the order in which they were connected."""
        return tuple(self._sources)

    @property
    def hosts(self) -> frozenset[str]:
        """Where the items of all connected accounts live."""
        return frozenset(chain.from_iterable(self._hosts.values()))

    def connect(self, name: str, source: SourceHooks, hosts: Collection[str] = ()) -> None:
        """Add an account, or raise :class:`PluginFailed` if its source breaks the contract.

        Args:
            name: How people name it.
            source: What serves it.
            hosts: Where its items live; it has no addresses anywhere else.
        """
        if name in self._sources:
            raise PluginFailed(f"the account {name!r} is connected already", account=name)
        check_source(source)
        try:
            self._plugins.register(source, name)
        except (ValueError, pluggy.PluginValidationError) as error:
            raise blame(name, error) from error
        self._sources[name] = source
        self._hosts[name] = tuple(host.lower() for host in hosts)

    def disconnect(self, name: str) -> None:
        """Forget an account of this project; its login stays."""
        self._plugins.unregister(self._source(name))
        del self._sources[name], self._hosts[name]

    def can(self, account: str, hook: str) -> bool:
        """Tell whether an account has a hook; to have it is to have the capability."""
        return has_hook(self._source(account), hook)

    async def authenticate(self, account: str, login: Login) -> Credential:
        """Let a person log in. There is no deadline: a person types."""
        call = partial(self._only("rove_authenticate", account), login=login)
        credential = await answer(account, call, deadline=None)
        return _expect(account, "rove_authenticate", credential, Credential)

    async def refresh(self, account: str, credential: Credential) -> Credential:
        """Exchange a credential that expires."""
        call = partial(self._only("rove_refresh", account), credential=credential)
        successor = await answer(account, call, deadline=DEADLINE)
        return _expect(account, "rove_refresh", successor, Credential)

    async def identity(self, account: str) -> Identity:
        """Return who the account is; the test of a connection."""
        who = await answer(account, self._only("rove_identity", account), deadline=DEADLINE)
        return _expect(account, "rove_identity", who, Identity)

    async def revoke(self, account: str) -> None:
        """Let the vendor forget the credential."""
        await answer(account, self._only("rove_disconnect", account), deadline=DEADLINE)

    async def search(
        self, query: Query, *, deadline: float = DEADLINE
    ) -> AsyncGenerator[ContextItem, None]:
        """Yield what answers the query, at most ``query.limit`` items.

        What came before an error or the deadline has been yielded by then; the error says how
        much that was.
        """
        account, count = query.account, 0
        call = partial(self._only("rove_search", account), query=query)
        async with aclosing(stream(account, call, deadline=deadline)) as found:
            async for item in found:
                yield self._harmless(_item(account, "rove_search", item))
                count += 1
                if count >= query.limit:
                    return

    async def item_detail(self, ref: ItemRef, *, deadline: float = DEADLINE) -> ContextItem:
        """Return the whole item."""
        call = partial(self._only("rove_item_detail", ref.account), ref=ref)
        item = await answer(ref.account, call, deadline=deadline)
        return self._harmless(_item(ref.account, "rove_item_detail", item))

    def recognise(
        self, text: str, *, origin: ItemRef | None = None, accounts: Iterable[str] | None = None
    ) -> Sequence[ItemRef]:
        """Return the references in a text, each once, the accounts asked in the order given.

        An account that fails finds nothing; that is logged once, and :meth:`failure` tells it.
        """
        found: dict[ItemRef, None] = {}
        for account in self.names if accounts is None else accounts:
            found |= dict.fromkeys(self._recognised(account, text, origin))
        return tuple(found)

    def failure(self, account: str, hook: str) -> RoveError | None:
        """Return the first failure of a hook whose failures are only logged."""
        return self._failures.get((account, hook))

    def filter_item(self, account: str, item: ContextItem) -> ContextItem | None:
        """Return an item as every plugin lets it pass, or None when one of them drops it.

        They are asked one by one, in the order in which they were registered. One that fails
        drops the item; that is logged once.
        """
        passing: ContextItem | None = item
        for plugin in self._implementing("rove_filter_item"):
            if passing is not None:
                passing = self._filtered(plugin, account, passing)
        return passing

    async def sections(
        self, ticket: ContextItem, *, budget: int, project: Path, deadline: float = DEADLINE
    ) -> Sequence[Section]:
        """Return what the plugins add to a ticket's document, all asked at once.

        One that fails or is too slow adds nothing; that is logged once.
        """
        plugins = self._implementing("rove_sections")
        given = {"ticket": ticket, "budget": budget, "project": project}
        asked = (self._sections_of(plugin, given, deadline) for plugin in plugins)
        return tuple(chain.from_iterable(await asyncio.gather(*asked)))

    def _harmless(self, item: ContextItem) -> ContextItem:
        return harmless(item, hosts=self._hosts[item.account], key=self._key)

    async def _sections_of(
        self, plugin: object, given: Mapping[str, object], deadline: float
    ) -> Sequence[Section]:
        name = str(self._plugins.get_name(plugin))
        ask = partial(self._alone("rove_sections", plugin), **given)
        try:
            sections = await answer(name, lambda: ask()[0], deadline=deadline)
            return [_expect(name, "rove_sections", each, Section) for each in sections]
        except (Exception, SystemExit) as error:  # noqa: BLE001  # it costs its sections alone
            self._log_once(name, "rove_sections", error)
        return ()

    def _filtered(self, plugin: object, account: str, item: ContextItem) -> ContextItem | None:
        ask, name = self._alone("rove_filter_item", plugin), str(self._plugins.get_name(plugin))
        try:
            with step(name):
                answers = ask(account=account, item=item)
            for answered in answers:  # pluggy leaves out a None.
                return _item(account, "rove_filter_item", answered, by=name)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # it fails closed
            self._log_once(name, "rove_filter_item", error)
        return None

    def _recognised(self, account: str, text: str, origin: ItemRef | None) -> Iterator[ItemRef]:
        if not self.can(account, "rove_recognise"):
            return
        try:
            with step(account):
                found = self._only("rove_recognise", account)(text=text, origin=origin)
                refs = tuple(islice(found or (), MOST_REFERENCES))
            for ref in refs:
                _own(account, "rove_recognise", _reference(account, ref))
                yield ref
        except (Exception, SystemExit) as error:  # noqa: BLE001  # it costs this account alone
            self._log_once(account, "rove_recognise", error)

    def _log_once(self, name: str, hook: str, error: BaseException) -> None:
        if (name, hook) not in self._failures:
            self._failures[name, hook] = blame(name, error)
            _LOG.warning("%s fails: %s", hook, self._failures[name, hook].message)

    def _source(self, account: str) -> SourceHooks:
        if account not in self._sources:
            known = ", ".join(self._sources) or "none"
            raise UnknownAccount(f"no account {account!r} is connected here; there are: {known}")
        return self._sources[account]

    def _implementing(self, hook: str) -> list[object]:
        """Return the plugins that have a hook, in the order of their registration."""
        everyone = getattr(self._plugins.hook, hook).get_hookimpls()
        return [each.plugin for each in everyone if not each.wrapper]

    def _only(self, hook: str, account: str) -> pluggy.HookCaller:
        """Return a caller of the hook for this account alone."""
        source = self._source(account)
        if not has_hook(source, hook):
            raise PluginFailed(f"{account}: its source has no {hook}", account=account)
        return self._alone(hook, source)

    def _alone(self, hook: str, plugin: object) -> pluggy.HookCaller:
        """Return a caller of the hook for one plugin and all wrappers; made anew for each call.

        A kept one would let a plugin that is registered later answer as well.
        """
        others = {*self._implementing(hook)} - {plugin}
        return self._plugins.subset_hook_caller(hook, others)


def _item(account: str, hook: str, value: object, *, by: str = "") -> ContextItem:
    item = _expect(by or account, hook, value, ContextItem)
    if wrong := misfit(item):
        raise PluginFailed(f"{by or account}: {hook} gave an item {wrong}", account=account)
    _own(account, hook, item.ref, by=by)
    return fitted(item)


def _reference(account: str, value: object) -> ItemRef:
    ref = _expect(account, "rove_recognise", value, ItemRef)
    if wrong := misfit(ref):
        raise PluginFailed(f"{account}: rove_recognise gave a reference {wrong}", account=account)
    return ref


def _own(account: str, hook: str, ref: ItemRef, *, by: str = "") -> None:
    if ref.account != account:
        raise PluginFailed(
            f"{by or account}: {hook} gave {ref.id!r} of the account {ref.account!r}",
            account=account,
        )


def _expect(who: str, hook: str, value: object, wanted: type[Result]) -> Result:
    if not isinstance(value, wanted):
        raise PluginFailed(
            f"{who}: {hook} gave {type(value).__name__} instead of {wanted.__name__}",
            account=who,
        )
    return value
