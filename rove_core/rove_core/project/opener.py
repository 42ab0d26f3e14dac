"""Open a project, use it, and close it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

import attrs

from rove_core.auth.credentials import CredentialStore
from rove_core.auth.login_ledger import LoginLedger
from rove_core.auth.logins import Logins
from rove_core.auth.memory_ledger import MemoryLedger
from rove_core.auth.user_store import user_store
from rove_core.build.engine import Engine
from rove_core.build.extractive import Extractive
from rove_core.clock import SYSTEM, Clock
from rove_core.errors import WrongCall
from rove_core.events import Event, Listener
from rove_core.http import Limits, MemoryLimits, SharedLimits
from rove_core.items import AnyAccount
from rove_core.login import Credential
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.event_loop import run_to_end
from rove_core.plugins.kept_off import (
    AllKeptOff,
    closed_filters,
)
from rove_core.plugins.loader import load_plugins, use_plugins
from rove_core.project.index_claim import claim_index
from rove_core.project.layout import ProjectPaths
from rove_core.project.lesson_weights import read_weights
from rove_core.project.local import LocalProject
from rove_core.project.logs import start_logging
from rove_core.project.project import Project
from rove_core.project.settings import load_settings
from rove_core.safety.secrets.marks import mark_key
from rove_core.store.files import private_folder
from rove_core.store.store import open_store
from rove_core.tasks.runner import TaskRunner

Result = TypeVar("Result")


@asynccontextmanager
async def open_project(  # noqa: PLR0913  # each may be left out, and each is a word of its own
    path: Path | None = None,
    *,
    accounts: Sequence[AnyAccount] | None = None,
    plugins: Iterable[ModuleType] | None = None,
    engine: Engine | None = None,
    credentials: CredentialStore | None = None,
    clock: Clock = SYSTEM,
    limits: Limits | None = None,
    on_event: Listener = lambda _: None,
    kept_off: AllKeptOff = MappingProxyType({}),
) -> AsyncIterator[Project]:
    """Open a project, and close all its connections afterwards.

    A program that gives ``accounts``, ``plugins`` and ``credentials`` needs nothing of the
    user's: no entry points, no keychain, no file outside the folder.

    Args:
        path: The project's folder; the one that the current folder belongs to unless given.
        accounts: The accounts to use; those that the settings name unless given.
        plugins: The plugins to load; all that are installed unless given.
        engine: What answers questions about words, where the settings name no model.
        credentials: Where logins are kept; the user's own store unless given.
        clock: The clock.
        limits: What counts the requests, for a program that opens several projects. Unless given,
            all projects of a user share one count; with ``credentials`` each has its own.
        on_event: Receives progress events.
        kept_off: Accounts and plugins that are not to be used, each with the reason.
    """
    local = LocalProject.at(path, clock)
    if credentials:
        local.places = attrs.evolve(local.places, is_alone=True)
    local.places.prepare()

    async def successor(account: str, credential: Credential) -> Credential:
        return await project.successor(account, credential)

    found = load_plugins(kept_off=kept_off) if plugins is None else use_plugins(plugins)
    connected = Accounts(
        found.manager,
        key=mark_key(local.places.rove),
        clock=clock,
        closed={**found.closed_filters(), **closed_filters(kept_off)},
    )
    async with AsyncExitStack() as stack:
        logs = stack.enter_context(closing(start_logging(local.places, clock=clock)))
        stack.enter_context(logs.here())
        store = await stack.enter_async_context(open_store(local.places.index, clock=clock))
        await claim_index(store, local.places)
        project = Project(
            local.places,
            clock,
            accounts=connected,
            store=store,
            tasks=TaskRunner(store, clock, on_event),
            engine=engine or _own_engine(local.places),
            logins=_logins(local, connected, credentials, successor, on_event),
            limits=limits or _limits(local, stack, is_alone=credentials is not None),
            closing=stack,
            kept_off=kept_off,
        )
        project.plugins = found
        project.settings = load_settings(project.places, sections=found.sections)
        if accounts is None:
            await project.connect_those_in_use()
        for account in accounts or ():
            await project.connect(account)
        try:
            yield project
        finally:
            # A login is renewed through connections: these are closed afterwards.
            await project._logins.aclose()  # noqa: SLF001  # the project is made here


def _own_engine(places: ProjectPaths) -> Engine:
    """Return the engine that works with words alone, with what this project taught it."""
    record = read_weights(places)
    return Extractive(record.weights) if record else Extractive()


def _logins(
    project: LocalProject,
    accounts: Accounts,
    credentials: CredentialStore | None,
    ask: Callable[[str, Credential], Coroutine[Any, Any, Credential]],
    on_event: Listener,
) -> Logins:
    async def store() -> CredentialStore:
        return credentials or await user_store(project)

    def report(account: str, note: str) -> None:
        now = project.clock.now()
        on_event(Event(task="", at=now, stage="login", account=account, note=note))

    return Logins(
        accounts=accounts,
        choose_store=store,
        ask=ask,
        ledger=MemoryLedger() if credentials else LoginLedger(project.places.data_dir),
        clock=project.clock,
        notify=report,
    )


def _limits(project: LocalProject, stack: AsyncExitStack, *, is_alone: bool) -> Limits:
    if is_alone:
        return MemoryLimits(clock=project.clock)
    path = private_folder(project.places.data_dir) / "limits.db"
    limits = SharedLimits(path, clock=project.clock)
    stack.callback(limits.shut)
    return limits


def run(work: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine from synchronous code and return its result."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run_to_end(work)
    work.close()
    raise WrongCall(
        "rove_core.run() was called inside a running event loop",
        hint="Await the coroutine itself there.",
    )


def run_in_project(
    work: Callable[[Project], Coroutine[object, object, Result]],
    path: Path | None = None,
    *,
    on_event: Listener = lambda _: None,
) -> Result:
    """Open a project, do something in it, close it, and return the result: without ``await``.

    Args:
        work: What to do: ``lambda rove: rove.build("TB-123")``.
        path: The project's folder; the one that the current folder belongs to unless given.
        on_event: Receives progress events.
    """

    async def done() -> Result:
        async with open_project(path, on_event=on_event) as project:
            return await work(project)

    return run(done())
