"""A project: the accounts it uses and the documents it keeps. Everything Rove does goes through it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypeVar

import attrs
from attrs import define, field, frozen

from rove_core.accounts import Accounts
from rove_core.builder import Builder
from rove_core.clock import SYSTEM, Clock
from rove_core.document import Findings, render
from rove_core.errors import ItemNotFound, UnknownAccount, WrongCall
from rove_core.events import Event, Listener
from rove_core.files import private_folder, write_atomic
from rove_core.http import Http
from rove_core.items import AnyAccount, ItemRef
from rove_core.keywords import keywords
from rove_core.login import Credential, Login
from rove_core.plugins import Plugins, load_plugins, use_plugins

Result = TypeVar("Result")


class Credentials(Protocol):
    """Where credentials are kept."""

    async def get(self, account: str) -> Credential | None:
        """Return an account's credential, if there is one."""

    async def set(self, account: str, credential: Credential) -> None:
        """Keep an account's credential."""


@frozen
class Document:
    """A document that was written.

    Attributes:
        ticket_id: The ticket it is about.
        path: Where it is.
        keywords: The words it is named by.
    """

    ticket_id: str
    path: Path
    keywords: tuple[str, ...]


@define
class Project:
    """One folder, the accounts in use there, and what Rove can do with them."""

    path: Path
    plugins: Plugins
    clock: Clock
    credentials: Credentials
    accounts: Accounts
    _closing: AsyncExitStack
    _on_event: Listener
    _titles: dict[str, str] = field(factory=dict, init=False)

    async def connect(self, account: AnyAccount) -> None:
        """Use an account in this project."""
        kind = self.plugins.kind(account.kind)

        async def credential() -> Credential | None:
            return await self.credentials.get(account.name)

        http = self._http(account, credential)
        self.accounts.connect(account.name, kind.connect(account, http))
        self._titles[account.name] = kind.title

    async def log_in(self, account: AnyAccount, login: Callable[[Http], Login]) -> AnyAccount:
        """Log in to an account, connect it, and return it with what is now known of it.

        Args:
            account: The account, as far as it is known.
            login: Makes the way to the person, given HTTP without a credential.
        """
        await self.connect(account)
        asking = login(self._http(account, _nothing))
        await self.credentials.set(
            account.name, await self.accounts.authenticate(account.name, asking)
        )
        identity = await self.accounts.identity(account.name)
        known = attrs.evolve(account, identity=identity, hosts=identity.hosts or account.hosts)
        self.accounts.disconnect(account.name)
        await self.connect(known)
        return known

    async def build(self, ticket: str, *, source: str = "") -> Document:
        """Write a ticket's document and return where it is."""
        ref = self._ticket(ticket, source)
        builder = Builder(self.accounts, self._titles, self.clock, self._progress(ticket))
        return self._write(await builder.gather(ref))

    def _http(
        self, account: AnyAccount, credential: Callable[[], Awaitable[Credential | None]]
    ) -> Http:
        http = Http(account=account.name, base_url=account.base_url, credential=credential)
        self._closing.push_async_callback(http.aclose)
        return http

    def _ticket(self, ticket: str, source: str) -> ItemRef:
        if not self.accounts.names:
            raise UnknownAccount("no account is connected here", hint="rove --add-source KIND")
        asked = (source,) if source else self.accounts.names
        for ref in self.accounts.recognise(ticket, accounts=asked):
            if ref.id == ticket:
                return ref
        raise ItemNotFound(f"no account in use knows an id like {ticket!r}")

    def _progress(self, task: str) -> Callable[..., None]:
        def progress(stage: str, **said: object) -> None:
            event = Event(task=task, at=self.clock.now(), stage=stage)
            self._on_event(attrs.evolve(event, **said))

        return progress

    def _write(self, findings: Findings) -> Document:
        ticket = findings.ticket
        texts = [ticket.content, *(part.content for part in ticket.thread)]
        words = keywords(ticket.title, *texts)
        stem = "".join(c if c.isascii() and (c.isalnum() or c == "-") else "-" for c in ticket.ref.id)
        folder = private_folder(self.path / ".context")
        path = folder / f"{stem}_{'_'.join(words)}.md"
        write_atomic(path, render(findings).encode(), mode=0o644)
        return Document(ticket.ref.id, path, words)


async def _nothing() -> Credential | None:
    return None


@asynccontextmanager
async def open_project(
    path: Path,
    *,
    accounts: Sequence[AnyAccount] = (),
    plugins: Iterable[ModuleType] | None = None,
    credentials: Credentials,
    clock: Clock = SYSTEM,
    on_event: Listener = lambda _: None,
) -> AsyncIterator[Project]:
    """Open a folder as a project, and close all its connections afterwards."""
    found = load_plugins() if plugins is None else use_plugins(plugins)
    async with AsyncExitStack() as closing:
        project = Project(
            path, found, clock, credentials, Accounts(found.manager), closing, on_event
        )
        for account in accounts:
            await project.connect(account)
        yield project


def run(work: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine from synchronous code and return its result."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise WrongCall(
        "rove_core.run() was called inside a running event loop",
        hint="Await the coroutine itself there.",
    )
