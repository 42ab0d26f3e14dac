"""An open project with its connected accounts: the entry point to everything Rove does."""

import asyncio
import copy
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import attrs
from attrs import define, field

from rove_core.auth.accounts import resolve_account
from rove_core.auth.connections import account_in_use, account_of
from rove_core.auth.logins import Logins
from rove_core.build.builds import Builds
from rove_core.build.document_store import DocumentStore
from rove_core.build.engine import Engine
from rove_core.build.extractive import Extractive
from rove_core.build.free_text import build_argument
from rove_core.build.gather.fetches import FetchCache
from rove_core.build.model.record import PlannedCall
from rove_core.build.requests import BuildRequest, BuildResult, DocumentShape, meant_window
from rove_core.errors import PluginFailed, RoveError, UnknownAccount, WrongCall
from rove_core.http import Caps, Http, Limits
from rove_core.items import AnyAccount
from rove_core.login import Credential, Login
from rove_core.mirror.login_owner import check_same_login, login_owner, owner_in_time
from rove_core.mirror.mirror import Mirror, finish_drops
from rove_core.mirror.mirrors import Mirrors, open_mirrors
from rove_core.mirror.update import MirrorUpdated, update_mirror
from rove_core.mirror.update_limits import IN_BACKGROUND, UpdateLimits
from rove_core.operations import Operations
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.hook_checks import make_source
from rove_core.plugins.hook_results import reason_of
from rove_core.plugins.kept_off import (
    kept_off_plugin,
    unused_names,
)
from rove_core.plugins.loader import use_plugins
from rove_core.plugins.reports import PluginReports, reporting
from rove_core.project.document_lookup import document_meant
from rove_core.project.local import LocalProject
from rove_core.project.no_source import no_source
from rove_core.project.tickets import TicketFinder
from rove_core.store.etags import StoredCache
from rove_core.store.store import Store
from rove_core.store.tasks import Task
from rove_core.tasks.leases import retry_at
from rove_core.tasks.recurring_operations import is_recurring
from rove_core.tasks.runner import TaskRunner
from rove_core.time_windows import Window


@define(eq=False, repr=False)
class Project(LocalProject):
    """A folder, the accounts in use there, and what Rove can do: see `open_project`.

    Attributes:
        accounts: The connected accounts.
        store: The index.
        tasks: What runs work as tasks.
        engine: What answers questions about words, where no model does.
    """

    accounts: Accounts = field(kw_only=True)
    store: Store = field(kw_only=True)
    tasks: TaskRunner = field(kw_only=True)
    engine: Engine = field(factory=Extractive, kw_only=True)
    _logins: Logins = field(kw_only=True)
    _limits: Limits = field(kw_only=True)
    _closing: AsyncExitStack = field(kw_only=True)
    _connected: dict[str, AnyAccount] = field(factory=dict, init=False)
    _titles: dict[str, str] = field(factory=dict, init=False)
    _unconnected: dict[str, str] = field(factory=dict, init=False)

    async def build(  # noqa: PLR0913  # each may be left out, and each is a word of its own
        self,
        ticket: str,
        *,
        source: str = "",
        since: str | None = None,
        until: str | None = None,
        window: Window | None = None,
        fresh: bool = False,
        max_tokens: int | None = None,
        shape: DocumentShape | None = None,
        fetched: FetchCache | None = None,
        wait: bool = True,
        retries: bool = False,
        resumed: datetime | None = None,
    ) -> BuildResult:
        """Write a ticket's document, or refresh it.

        Args:
            ticket: The ticket's id, or words that say what the document is to be about.
            source: The account that has it, or its kind; by default the default ticket source.
            since: Nothing older: ``2024-12-01``, ``30 days ago``, ``7d``; ``all`` lifts a limit
                of an earlier build.
            until: Only items until then, in the same form.
            window: Both at once, as moments; as in the last build unless anything is given.
            fresh: Whether to ask for everything again, and to write what people changed again.
            max_tokens: How much Rove may write; as the settings say unless given.
            shape: What the document begins with; as the settings say unless given.
            fetched: What was fetched for other documents just now: it is not asked for again.
            wait: Whether to wait for limits that are lifted within minutes; else ``rest`` of
                what is returned names what to ask later, with ``resumed``.
            retries: Whether to request again what could not be read just now.
            resumed: When the build began that this call finishes.
        """
        with reporting() as reports:
            self._report_broken_plugins(reports)
            request = attrs.evolve(
                await self._request(ticket, source),
                window=window or meant_window(since, until, now=self.clock.now()),
                fresh=fresh,
                max_tokens=max_tokens,
                shape=shape,
                retries=retries,
                resumed=resumed,
            )
            return await self._builds.build(request, fetched or FetchCache(), wait=wait)

    async def refresh(self, ticket: str, *, account: str | None = None) -> BuildResult:
        """Fetch what is new for a document, and update it.

        Args:
            ticket: The ticket's id, the title of its document, or the words it is about.
            account: The account, if several have this id.

        Raises:
            DocumentNotFound: There is none yet.
        """
        record = await self.store.read(document_meant, ticket, account)
        return await self.build(build_argument(record), source=record.account, retries=True)

    def __repr__(self) -> str:
        """Return the project's folder and its accounts."""
        accounts = ", ".join(self._connected) or "no account"
        return f"<Project {self.places.root}: {accounts}>"

    async def plan_model_calls(  # as above
        self,
        ticket: str,
        *,
        source: str = "",
        window: Window | None = None,
        fresh: bool = False,
        max_tokens: int | None = None,
    ) -> tuple[PlannedCall, ...]:
        """Return what building would send to a model; nothing is sent there, nothing written.

        Args:
            ticket: The ticket's id, or words.
            source: The account that has it, or its kind.
            window: When it must have been said.
            fresh: Whether everything would be asked for again.
            max_tokens: How much Rove would write.
        """
        with reporting() as reports:
            self._report_broken_plugins(reports)
            request = await self._request(ticket, source)
            return await self._builds.planned(
                attrs.evolve(request, window=window, fresh=fresh, max_tokens=max_tokens)
            )

    def _report_broken_plugins(self, reports: PluginReports) -> None:
        """Report broken and disabled plugins to the document."""
        for plugin in self.plugins.broken:
            if kept_off_plugin(self.kept_off, plugin.distribution, plugin.name) is None:
                reports.note(plugin.distribution, f"the plugin {plugin.name}", plugin.error)
        for name, why in unused_names(self.kept_off, self._unconnected).items():
            reports.fail(name, PluginFailed(why, account=name))

    def run_queued(self, operations: Operations, task_id: str) -> Coroutine[Any, Any, Task | None]:
        """Run a queued task and return its new state; return None if it cannot be claimed.

        Args:
            operations: The operations that can be run here.
            task_id: Which task.
        """

        def work(runner: TaskRunner, task: Task) -> Coroutine[Any, Any, object]:
            operation = operations[task.operation]
            if operation.terminal_only:
                raise WrongCall(f"{operation.name} is for a person at a terminal, and never queued")
            operation.check(task.arguments)
            return operation.run(self._for_task(runner), task.arguments)

        scheduler = self.settings.scheduler
        return self.tasks.run_queued(
            task_id,
            work,
            # What runs again anyway needs no second attempt.
            retry_at=lambda task, error: (
                None if is_recurring(task) else retry_at(task, error, scheduler, self.clock.now())
            ),
        )

    def _for_task(self, runner: TaskRunner) -> "Project":
        """Return this project for use inside a task: its builds are parts of that task."""
        project = copy.copy(self)
        project.tasks = runner
        project.plugins, project.settings = self.plugins, self.settings
        return project

    @property
    def _builds(self) -> Builds:
        return Builds(
            documents=DocumentStore(store=self.store, places=self.places, clock=self.clock),
            settings=self.settings,
            tasks=self.tasks,
            accounts=self.accounts,
            titles=self._titles,
            unconnected=self._unconnected,
            engine=self.engine,
            engines=self.plugins.engines,
            clock=self.clock,
            mirrors=self.open_mirrors,
        )

    def mirror(self, account: str) -> Mirror:
        """Return the local copy of an account in use here, whether there is one or not."""
        return Mirror.of(self.places, self.account(account).name)

    async def open_mirrors(self, *, update: bool = True, refresh: bool = False) -> Mirrors:
        """Return the local copies that may be searched here instead of their accounts.

        Args:
            update: Whether to ask the vendors for what changed, where a copy is not current.
            refresh: Whether to ask them even where it is.
        """
        await asyncio.to_thread(finish_drops, self.places)
        names = [name for name in self._connected if Mirror.of(self.places, name).exists]
        owners = await asyncio.gather(*(owner_in_time(self.login_owner(name)) for name in names))
        mirrors = {
            name: (Mirror.of(self.places, name), owner)
            for name, owner in zip(names, owners, strict=True)
        }
        kinds = {name: self.plugins.kind(account.kind) for name, account in self._connected.items()}
        return await open_mirrors(
            mirrors, self.accounts, self.clock, update=update, refresh=refresh, kinds=kinds
        )

    async def login_owner(self, account: str) -> str:
        """Return the owner of the login that an account uses, as mirrors name owners."""
        meant = self.account(account)
        return await login_owner(
            Mirror.of(self.places, meant.name),
            meant,
            self.plugins.kind(meant.kind),
            self.accounts,
            self._logins.environ,
        )

    async def update_mirror(
        self, account: str, limits: UpdateLimits = IN_BACKGROUND
    ) -> MirrorUpdated:
        """Update the mirror of an account, as far as its limits allow.

        A copy made with another login is left alone: this login may read other things.

        Args:
            account: The account, or its kind.
            limits: How much that may take.
        """
        mirror = self.mirror(account)
        state = await asyncio.to_thread(mirror.state)
        if state and state.running:
            try:
                check_same_login(mirror, state, await self.login_owner(mirror.account))
            except RoveError as failure:
                return MirrorUpdated(failure=failure)
        return await update_mirror(mirror, self.accounts, self.clock, limits)

    async def connect(self, account: AnyAccount) -> None:
        """Use an account in this project while it is open."""
        kind = self.plugins.kind(account.kind)
        if not account.hosts and account.base_url == kind.base_url:
            account = attrs.evolve(account, hosts=kind.hosts)
        account = attrs.evolve(account, extractors=self.plugins.extractors)

        async def credential() -> Credential | None:
            return await self._logins.credential(account, kind, lambda: self._http(account))

        http = self._http(account, credential)
        hosts = {*account.hosts, urlsplit(account.base_url).netloc} - {""}
        source = make_source(kind, account, http)
        self.accounts.connect(
            account.name, source, hosts, keeps_hits=kind.keeps_hits, forms_of=kind.forms_of
        )
        self._connected[account.name] = account
        self._titles[account.name] = kind.title

    async def log_in(self, account: AnyAccount, login: Callable[[Http], Login]) -> AnyAccount:
        """Log in to an account, connect it, and return it with its identity.

        Args:
            account: The account, as far as it is known.
            login: Makes the way to the person, given HTTP without a credential.
        """
        await self.connect(account)
        try:
            credential = await self.accounts.authenticate(account.name, login(self._http(account)))
            async with self._logins.trying(account.name, credential):
                identity = await self.accounts.identity(account.name)
            await self._logins.note_end(account.name, identity.login_ends_at)
        finally:
            self.accounts.disconnect(account.name)
        full_account = attrs.evolve(
            account, identity=identity, hosts=identity.hosts or account.hosts
        )
        await self.connect(full_account)
        return full_account

    async def note_login_end(self, account: str, ends_at: datetime | None) -> None:
        """Store when the login of an account ends, if its vendor announced that."""
        await self._logins.note_end(account, ends_at)

    async def revoke_login(self, account: str) -> bool:
        """Revoke a connected account's login at its vendor; return whether that worked.

        It is asked if the source can do that and the login is one that Rove keeps: what the
        environment holds is not Rove's.
        """
        kind = self.plugins.kind(self._connected[account].kind)
        can = self.accounts.can(account, "rove_disconnect")
        if not can or not await self._logins.keeps(account, kind):
            return False
        await self.accounts.revoke(account)
        return True

    async def forget_login(self, account: str) -> None:
        """Forget the login of an account on this machine."""
        existing = self._connected.get(account)
        if existing is None or self.plugins.kind(existing.kind).logins:
            await self._logins.forget(account)

    async def renew_logins(self) -> None:
        """Renew the logins of this user that were not renewed for days, before they lapse.

        Call it whenever there is time: while none is due, it reads a small file of each login.
        What fails is logged, and tried again later.
        """
        await self._logins.renew_due()

    async def successor(self, account: str, credential: Credential) -> Credential:
        """Return the renewed credential from an account's source, in use here or not."""
        if account in self._connected:
            return await self.accounts.refresh(account, credential)
        target = account_of(resolve_account(account, self.book.accounts()), self)
        apart = Accounts(use_plugins(()).manager)
        apart.connect(
            account, make_source(self.plugins.kind(target.kind), target, self._http(target))
        )
        return await apart.refresh(account, credential)

    def account(self, text: str) -> AnyAccount:
        """Return the account in use here that a person means by its name, or by its kind.

        Raises:
            UnknownAccount: It is none of them, could be several, or cannot be connected.
        """
        if why := self._unconnected.get(text.lower()):
            hint = "See what to do: rove doctor"
            raise UnknownAccount(f"{text.lower()}: {why}", account=text.lower(), hint=hint)
        try:
            return resolve_account(text, tuple(self._connected.values()))
        except UnknownAccount as error:
            ignored, name = [*self._ignored_accounts()], text.lower()
            if not ignored and any(each.name == name for each in self.book.accounts()):
                raise UnknownAccount(
                    f"this project does not use {name}", hint=f"Use it: rove sources use {name}"
                ) from error
            error.hint = " ".join([*ignored, error.hint])
            raise

    async def connect_those_in_use(self) -> None:
        """Connect the accounts that the settings name; one that cannot be is a row in documents."""
        for name in self.settings.sources.use:
            if kept_off := self.kept_off.get(name):
                self._unconnected[name] = kept_off.why.removeprefix(f"{name}: ")
                continue
            try:
                await self.connect(account_in_use(name, self))
            except RoveError as error:
                self._unconnected[name] = reason_of(name, error)

    def _http(
        self,
        account: AnyAccount,
        credential: Callable[[], Coroutine[Any, Any, Credential | None]] | None = None,
    ) -> Http:
        """Return HTTP for an account; without a credential it may go where logging in leads."""
        http = Http(
            account=account.name,
            base_url=account.base_url,
            hosts=account.hosts,
            credential=credential,
            after_refusal=partial(self._logins.after_refusal, account) if credential else None,
            clock=self.clock,
            limits=self._limits,
            cache=StoredCache(self.store) if credential else None,
            caps=Caps(rate_limit=getattr(account.settings, "rate_limit", None)),
            elsewhere=credential is None,
        )
        self._closing.push_async_callback(http.aclose)
        return http

    async def _request(self, text: str, source: str) -> BuildRequest:
        """Return the build request for a text: a ticket that an account has, or words."""
        account_names = self._ticket_accounts(source)
        finder = TicketFinder(
            accounts=self.accounts,
            records=[self._connected[name] for name in account_names],
            kinds={name: self.plugins.kind(self._connected[name].kind) for name in account_names},
            unconnected=self._unconnected,
            store=self.store,
        )
        return await finder.find(text, only_ids=bool(source))

    def _ignored_accounts(self) -> Sequence[str]:
        """Return what to say of accounts that the project's file names in vain."""
        return [str(each) for each in self.settings.ignored if each.key == "sources.use"]

    def _ticket_accounts(self, source: str) -> Sequence[str]:
        """Return the accounts that a ticket's id may belong to, the likeliest first."""
        if not self._connected:
            raise no_source(self, self._unconnected)
        if source:
            return (self.account(source).name,)
        default = self.settings.sources.default_ticket_source
        first = [self.account(default).name] if default else []
        return tuple(dict.fromkeys([*first, *self._connected]))
