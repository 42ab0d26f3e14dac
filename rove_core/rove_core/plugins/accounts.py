"""The connected accounts: each is a plugin of its own and is called separately."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

import attrs
import pluggy

from rove_core.clock import SYSTEM, Clock
from rove_core.errors import PluginFailed, RoveError, UnknownAccount
from rove_core.hookspecs import SourceHooks
from rove_core.items import ContextItem, Identity, ItemRef, Query, Section
from rove_core.listing import Container, ListedChange, ListScope
from rove_core.login import Credential, Login
from rove_core.plugins.calls import answer, blame, stream
from rove_core.plugins.checked_hits import CheckedHits
from rove_core.plugins.container_results import ReadableContainers, harmless_containers
from rove_core.plugins.hook_checks import check_source, has_hook
from rove_core.plugins.hook_results import (
    ITS_OWN,
    Result,
    change_of,
    check_owner,
    check_section,
    expect,
    item_of,
    reason_of,
    reference_of,
)
from rove_core.plugins.limits import (
    LIST_DEADLINE,
    MOST_CONTAINERS,
    MOST_REFERENCES,
    MOST_REFERENCES_MEANT,
    MOST_REFERENCES_OF_BUILD,
    MOST_SECONDS_FILTERING,
    MOST_SECONDS_RECOGNISING,
    MOST_SECTIONS,
    plugin_seconds,
)
from rove_core.plugins.reports import current_reports, note_flood
from rove_core.plugins.watchdog import step
from rove_core.safety.sanitise import harmless, harmless_work
from rove_core.sources import FormsOf
from rove_core.work.items import WorkItem

_LOG: Final = logging.getLogger("rove.accounts")


class Accounts:
    """Calls the hooks of one account at a time; wrappers of other plugins still apply.

    Args:
        plugins: All loaded plugins.
        key: The key for the marks of secrets; if empty, one of this process.
        clock: The clock that times synchronous hooks.
        closed: The filters that cannot run, and why: without them nothing passes.
    """

    def __init__(
        self,
        plugins: pluggy.PluginManager,
        *,
        key: bytes = b"",
        clock: Clock = SYSTEM,
        closed: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._plugins = plugins
        self._key = key
        self._clock = clock
        self._closed = closed
        self._hosts: dict[str, tuple[str, ...]] = {}
        self._sources: dict[str, SourceHooks] = {}
        self._forms: dict[str, FormsOf | None] = {}
        self._keeping_hits: set[str] = set()
        self._failures: dict[tuple[str, str], RoveError] = {}
        self._checked = CheckedHits()

    @property
    def names(self) -> tuple[str, ...]:
        """The connected accounts, in the order of their connection."""
        return tuple(self._sources)

    @property
    def hosts(self) -> frozenset[str]:
        """Hosts of all connected accounts."""
        return frozenset(chain.from_iterable(self._hosts.values()))

    def connect(
        self,
        name: str,
        source: SourceHooks,
        hosts: Collection[str] = (),
        *,
        keeps_hits: bool = True,
        forms_of: FormsOf | None = None,
    ) -> None:
        """Add an account, or raise :class:`PluginFailed` if its source breaks the contract.

        Args:
            name: Its name.
            source: Its source.
            hosts: The hosts of its items; it has no URLs anywhere else.
            keeps_hits: Whether search hits may be quoted and stored.
            forms_of: Returns other ways to write an item's id.
        """
        if name in self._sources:
            raise PluginFailed(f"the account {name!r} is already connected", account=name)
        check_source(source)
        try:
            self._plugins.register(source, name)
        except (ValueError, pluggy.PluginValidationError) as error:
            raise blame(name, error) from error
        self._sources[name] = source
        self._hosts[name] = tuple(host.lower() for host in hosts)
        self._forms[name] = forms_of
        if keeps_hits:
            self._keeping_hits.add(name)

    def disconnect(self, name: str) -> None:
        """Remove an account from this project; its login stays."""
        self._plugins.unregister(self._source(name))
        del self._sources[name], self._hosts[name], self._forms[name]
        self._keeping_hits.discard(name)

    def can(self, account: str, hook: str) -> bool:
        """Return whether an account has a hook, and with it the capability."""
        return has_hook(self._source(account), hook)

    def names_of(self, ref: ItemRef) -> tuple[str, ...]:
        """Return the search texts for an item's name: its id, and other ways to write it."""
        forms_of = self._forms.get(ref.account)
        return (ref.id, *(forms_of(ref.id) if forms_of else ()))

    def keeps_hits(self, account: str) -> bool:
        """Return whether an account's search hits may be quoted and stored."""
        return account in self._keeping_hits

    async def authenticate(self, account: str, login: Login) -> Credential:
        """Log in a person, without a deadline."""
        hook = "rove_authenticate"
        call = partial(self._only(hook, account), login=login)
        credential = await answer(account, call, deadline=None, hook=hook)
        return expect(account, hook, credential, Credential)

    async def refresh(self, account: str, credential: Credential) -> Credential:
        """Exchange a credential that expires."""
        return await self.ask(account, "rove_refresh", Credential, credential=credential)

    async def identity(self, account: str) -> Identity:
        """Return the identity of an account, which also tests the connection."""
        return await self.ask(account, "rove_identity", Identity)

    async def ask(self, account: str, hook: str, wanted: type[Result], **given: object) -> Result:
        """Call a hook that returns one result.

        Args:
            account: The account.
            hook: The name of the hook.
            wanted: The class of the result.
            given: The hook's arguments.
        """
        call = partial(self._only(hook, account), **given)
        answered = await answer(account, call, deadline=plugin_seconds(), hook=hook)
        return expect(account, hook, answered, wanted)

    async def ask_several(
        self, account: str, hook: str, wanted: type[Result], *, most: int = 10_000, **given: object
    ) -> Sequence[Result]:
        """Call a hook that returns several results; those beyond the maximum are cut."""
        call = partial(self._only(hook, account), **given)
        found = await answer(account, call, deadline=plugin_seconds(), hook=hook)
        with step(account, hook):  # The results may run code of the plugin.
            return [expect(account, hook, each, wanted) for each in islice(found, most)]

    async def revoke(self, account: str) -> None:
        """Revoke the credential at the vendor."""
        hook = "rove_disconnect"
        await answer(account, self._only(hook, account), deadline=plugin_seconds(), hook=hook)

    async def search(
        self, query: Query, *, deadline: float | None = None
    ) -> AsyncGenerator[ContextItem, None]:
        """Yield the items that match a query, at most ``query.limit``.

        Items found before an error or the deadline come first; the error has their number.
        """
        account, hook, count = query.account, "rove_search", 0
        call = partial(self._only(hook, account), query=query)
        seconds = plugin_seconds() if deadline is None else deadline
        async with aclosing(stream(account, call, deadline=seconds, hook=hook)) as found:
            async for item in found:
                yield self._hit(account, hook, item)
                count += 1
                if count >= query.limit:
                    return

    async def item_detail(self, ref: ItemRef, *, deadline: float | None = None) -> ContextItem:
        """Return the whole item."""
        hook = "rove_item_detail"
        call = partial(self._only(hook, ref.account), ref=ref)
        seconds = plugin_seconds() if deadline is None else deadline
        item = await answer(ref.account, call, deadline=seconds, hook=hook)
        return self._harmless(item_of(ref.account, hook, item))

    async def containers(self, account: str) -> Sequence[Container]:
        """Return the containers of an account that can be listed."""
        return await self._containers(account, "rove_containers")

    async def readable(self, account: str, names: Sequence[str]) -> ReadableContainers:
        """Return those of some containers of an account that it can read, by their names."""
        if self.can(account, hook := "rove_readable"):
            return ReadableContainers(await self._containers(account, hook, names=names))
        return ReadableContainers.of(await self.containers(account), names)

    async def list_changes(
        self, scope: ListScope, *, deadline: float = LIST_DEADLINE, hook: str = "rove_list"
    ) -> AsyncGenerator[ListedChange, None]:
        """Yield the changes of an account, with at most ``scope.limit`` items.

        Changes before an error or the deadline are yielded first, with their cursor.

        Args:
            scope: What to list.
            deadline: Maximum seconds.
            hook: ``rove_list`` or ``rove_list_recent``.
        """
        account, count = scope.account, 0
        call = partial(self._only(hook, account), scope=scope)
        async with aclosing(stream(account, call, deadline=deadline, hook=hook)) as found:
            async for change in found:
                yield self._check_listed(account, change)
                count += change.item is not None
                if count >= scope.limit:
                    return

    def recognise(
        self, text: str, *, origin: ItemRef | None = None, accounts: Iterable[str] | None = None
    ) -> Sequence[ItemRef]:
        """Return the references in a text, each once, in the order of the accounts.

        An account that fails finds nothing; that is reported, and :meth:`failure` returns it.
        """
        found: dict[ItemRef, None] = {}
        for account in self.names if accounts is None else accounts:
            found |= dict.fromkeys(self._recognise_with(account, text, origin))
        return tuple(found)

    def failure(self, account: str, hook: str) -> RoveError | None:
        """Return the first failure of a hook that costs only its own contribution."""
        return self._failures.get((account, hook))

    def filter_item(self, account: str, item: ContextItem) -> ContextItem | None:
        """Return an item after all filters, or None if one dropped it.

        They run one by one, in the order of their registration. A filter that fails or cannot run
        drops the item; that is reported.
        """
        try:
            return self.filter_strictly(account, item)
        except PluginFailed:
            return None

    def filter_strictly(self, account: str, item: ContextItem) -> ContextItem | None:
        """Return an item after all filters, or None if one dropped it.

        Raises:
            PluginFailed: A filter failed or cannot run; that is reported, too.
        """
        for name, why in self._closed.items():
            current_reports().fail(name, PluginFailed(why, account=name))
            current_reports().withheld.add(item.ref)
        self.check_filters()
        for plugin in self._implementations("rove_filter_item"):
            if (passing := self._apply_filter(plugin, account, item)) is None:
                return None
            item = passing
        return item

    def check_filters(self) -> None:
        """Raise PluginFailed if a filter cannot run, so that nothing passes."""
        for name, why in self._closed.items():
            raise PluginFailed(why, account=name)

    async def sections(
        self, ticket: ContextItem, *, budget: int, project: Path, deadline: float | None = None
    ) -> Mapping[str, Sequence[Section]]:
        """Return the sections that each plugin adds to a ticket's document, all called at once.

        A plugin that fails or is too slow adds nothing; that is reported.
        """
        plugins = self._implementations("rove_sections")
        arguments = {"ticket": ticket, "budget": budget, "project": project}
        seconds = plugin_seconds() if deadline is None else deadline
        calls = (self._sections_of(plugin, arguments, seconds) for plugin in plugins)
        return dict(zip(map(self._name, plugins), await asyncio.gather(*calls), strict=True))

    def harmless_work(self, account: str, work: WorkItem) -> WorkItem:
        """Return a work item without secrets, hidden characters and foreign links."""
        if work.ref.account != account:
            check_owner(account, "rove_work_item", work.ref)
        return harmless_work(work, hosts=self._hosts[account], key=self._key)

    def _hit(self, account: str, hook: str, value: object) -> ContextItem:
        """Return a search hit, validated and sanitised; the same hit is checked only once."""
        hit = self._checked.get(account, hook, value)
        if hit is None:
            item = item_of(account, hook, value)
            hit = self._harmless(item)
            if item is value:  # A cut is reported each time.
                self._checked.keep(item, hit)
        return hit

    def _harmless(self, item: ContextItem) -> ContextItem:
        return harmless(item, hosts=self._hosts[item.account], key=self._key)

    async def _containers(
        self, account: str, hook: str, **given: Sequence[str]
    ) -> Sequence[Container]:
        found = await self.ask_several(account, hook, Container, most=MOST_CONTAINERS + 1, **given)
        return harmless_containers(account, found, given.get("names"), key=self._key)

    def _check_listed(self, account: str, value: object) -> ListedChange:
        change = change_of(account, value)
        if change.item is None:
            return attrs.evolve(change, work=None)
        item = item_of(account, "rove_list", change.item)
        work = self.harmless_work(account, change.work) if change.work else None
        return attrs.evolve(change, item=self._harmless(item), work=work)

    async def _sections_of(
        self, plugin: object, arguments: Mapping[str, object], deadline: float
    ) -> Sequence[Section]:
        name, hook = self._name(plugin), "rove_sections"
        ask = partial(self._alone(hook, plugin), **arguments)
        try:
            answered = await answer(name, lambda: ask()[0], deadline=deadline, hook=hook)
            with step(name, hook):
                sections = [*islice(answered, MOST_SECTIONS + 1)]
            for each in sections:
                check_section(name, expect(name, hook, each, Section))
        except ITS_OWN as error:
            self._report_failure(name, hook, error)
            return ()
        if len(sections) > MOST_SECTIONS:
            current_reports().note(name, hook, f"gave more than {MOST_SECTIONS} sections: cut")
        return sections[:MOST_SECTIONS]

    def _apply_filter(self, plugin: object, account: str, item: ContextItem) -> ContextItem | None:
        name, hook = self._name(plugin), "rove_filter_item"
        try:
            with self._time_limited(name, hook, MOST_SECONDS_FILTERING):
                answers = self._alone(hook, plugin)(account=account, item=item)
            for answered in answers:  # pluggy leaves out a None.
                return item_of(account, hook, answered, by=name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # nobody is cancelled where nobody waits
            current_reports().withheld.add(item.ref)
            failure = self._report_failure(name, hook, error)
            raise PluginFailed(failure.message, account=name) from error
        return None

    def _recognise_with(self, account: str, text: str, origin: ItemRef | None) -> list[ItemRef]:
        hook, reports = "rove_recognise", current_reports()
        # A flood of references may come from the texts' own account: others keep their share.
        asker = origin.account if origin else account
        fitting: list[ItemRef] = []
        if not self.can(account, hook):
            return fitting
        try:
            with self._time_limited(account, hook, MOST_SECONDS_RECOGNISING):
                found = self._only(hook, account)(text=text, origin=origin)
                refs = tuple(islice(found or (), MOST_REFERENCES + 1))
            if len(refs) > MOST_REFERENCES:
                reports.note(account, hook, f"gave more than {MOST_REFERENCES} for one text: cut")
            for ref in refs[:MOST_REFERENCES]:
                check_owner(account, hook, reference_of(account, ref))
                if reports.count(f"{account} in {asker}", 1) > MOST_REFERENCES_OF_BUILD:
                    note_flood(account, asker if len(refs) <= MOST_REFERENCES_MEANT else account)
                    break
                fitting.append(ref)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  # as for filters
            self._report_failure(account, hook, error)
        return fitting

    @contextmanager
    def _time_limited(self, name: str, hook: str, most: float) -> Iterator[None]:
        """Run a synchronous hook unless it has already taken too much of a build's time."""
        reports, begun = current_reports(), self._clock.monotonic()
        if reports.spend(name, hook, 0.0) > most:
            raise PluginFailed(
                f"{name}: {hook} has taken more than {most:g} s; it is not called again in "
                "this build",
                account=name,
            )
        try:
            with step(name, hook):
                yield
        finally:
            reports.spend(name, hook, self._clock.monotonic() - begun)

    def _report_failure(self, name: str, hook: str, error: BaseException) -> RoveError:
        """Report a failure that costs only the hook's own contribution; return it, log it once."""
        blamed = blame(name, error, hook)
        if hook not in blamed.message:
            blamed = PluginFailed(f"{name}: {hook}: {reason_of(name, blamed)}", account=name)
        current_reports().fail(name, blamed)
        if (name, hook) not in self._failures:
            self._failures[name, hook] = blamed
            _LOG.warning("%s fails: %s", hook, blamed.message)
        return blamed

    def _name(self, plugin: object) -> str:
        return str(self._plugins.get_name(plugin))

    def _source(self, account: str) -> SourceHooks:
        if account not in self._sources:
            names = ", ".join(self._sources) or "none"
            raise UnknownAccount(f"no account {account!r} is connected here; connected: {names}")
        return self._sources[account]

    def _implementations(self, hook: str) -> list[object]:
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
        """Return a new caller of the hook for one plugin and all wrappers.

        A cached one would also call plugins that are registered later.
        """
        others = {*self._implementations(hook)} - {plugin}
        return self._plugins.subset_hook_caller(hook, others)
