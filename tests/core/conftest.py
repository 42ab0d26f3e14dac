"""What the tests of the core share."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

import aiosqlite
import attrs
import pytest
from keyring.backend import KeyringBackend, get_all_keyring
from keyring.errors import PasswordDeleteError
from tests.core.renewing import Bench
from tests.core.team import Team

from rove.doctor.checks import run_checks
from rove.doctor.findings import Finding
from rove.doctor.subject import Subject
from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    ItemNotFound,
    ItemRef,
    MemoryStore,
    Query,
    RoveError,
    SourceHooks,
    SourceKind,
    hookimpl,
)
from rove_core.build.gather.candidates import Candidate, SearchRecord, Trace
from rove_core.build.write.base import DocumentBase, save_base
from rove_core.build.write.blocks import cut
from rove_core.build.write.merge import BlockRecord, PlacedPiece, remember
from rove_core.http import Http
from rove_core.login import Credential
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject
from rove_core.safety.secret import Secret
from rove_core.store.connection import open_for_reading
from rove_core.store.document_bases import base_path
from rove_core.store.document_items import ItemUse, save_ticket, save_uses
from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.items import save_items
from rove_core.store.store import open_store
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import FaultProxy

if TYPE_CHECKING:
    from rove_core import Project

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


#: Looks at a project as ``rove doctor`` does, and gives what was found by its name.
Look = Callable[..., Mapping[str, list[Finding]]]


class Index:
    """A project's database, opened anew for each call."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(
        self,
        function: Callable[Concatenate[aiosqlite.Connection, Arguments], Awaitable[Result]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Return what a writing function returns, once it is committed."""

        async def call() -> Result:
            opened = open_store(self.path, clock=VirtualClock())
            async with opened as store, store.transaction() as db:
                return await function(db, *args, **kwargs)

        return asyncio.run(call())

    def read(
        self,
        function: Callable[Concatenate[sqlite3.Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Return what a reading function returns."""
        with open_for_reading(self.path) as db:
            return function(db, *args, **kwargs)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Give a database that does not exist yet."""
    return Index(tmp_path / "index.db")


@pytest.fixture
def credential() -> Credential:
    """Give a login whose texts are as hard to keep as texts get."""
    hard = "ü€😀\U000e0041 \u202e\x00\x7f\"\\'`$(x)%&;{}<>\r\n\t"
    return Credential(
        headers={"Authorization": Secret(f"Bearer {hard}"), "X-Später": Secret("")},
        hosts=("acme.atlassian.net", "api.atlassian.com"),
        access=Secret(hard * 200),
        refresh=Secret(""),
        expires_at=datetime(2026, 3, 29, 1, 30, 0, 1, tzinfo=UTC),
        scopes=("read:jira-work", "offline_access"),
        extra={"client_secret": Secret("'; DROP TABLE --")},
    )


class FakeKeychain(KeyringBackend):
    """A keychain in memory, called as the one of macOS is, which asks its owner nothing."""

    entries: ClassVar[dict[tuple[str, str], str]]

    def get_password(self, service: str, username: str) -> str | None:
        """Return an entry."""
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep an entry."""
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        """Delete an entry, or say that there is none."""
        if self.entries.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


@pytest.fixture
def keychain(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeKeychain]:
    """Give a keychain that is this machine's, of a class of its own that tests may break."""
    # What keyring finds when it first looks is what it knows for good: not this one.
    get_all_keyring()

    class Keyring(FakeKeychain):
        priority = 5
        entries: ClassVar[dict[tuple[str, str], str]] = {}

    name = Keyring.__module__ = "keyring.backends.macOS"
    Keyring.__qualname__ = "Keyring"
    module = ModuleType(name)
    monkeypatch.setattr(module, "Keyring", Keyring, raising=False)
    monkeypatch.setitem(sys.modules, name, module)
    backend = Keyring()  # type: ignore[no-untyped-call]  # keyring's own has no types
    monkeypatch.setattr("keyring.core._keyring_backend", backend)
    yield backend
    KeyringBackend._classes.discard(Keyring)  # noqa: SLF001  # keyring registers each class for good


@pytest.fixture
def places(tmp_path: Path) -> ProjectPaths:
    """Give a project whose `.rove` is there, and a user's folders that are not."""
    (tmp_path / "project" / ".rove").mkdir(parents=True, mode=0o700)
    return ProjectPaths(
        root=tmp_path / "project", data_dir=tmp_path / "data", config_dir=tmp_path / "config"
    )


class Shelf:
    """A source of books, each with an id, a text and a discussion, in one account or more.

    Attributes:
        books: The text of each.
        discussions: What is said below each.
        troubles: What is raised instead of a book, by its id, or of all that is found, by words.
    """

    def __init__(self) -> None:
        self.books: dict[str, str] = {}
        self.discussions: dict[str, list[str]] = {}
        self.troubles: dict[str, RoveError] = {}

    def item(self, name: str, account: str = "shelf") -> ContextItem:
        """Return a book as it is now."""
        return ContextItem(
            ref=self.ref(name, account),
            source="Shelf",
            role="page",
            title=f"Book {name}",
            content=self.books[name],
            timestamp=datetime(2026, 1, 1, tzinfo=UTC),
            author="Ada",
            thread=tuple(
                ContextItem(
                    ref=ItemRef(account=account, kind="note", id=f"{name}/{number}"),
                    source="Shelf",
                    role="page",
                    title="",
                    content=text,
                    timestamp=datetime(2026, 1, 1, tzinfo=UTC),
                    author="Bo",
                )
                for number, text in enumerate(self.discussions.get(name, ()), 1)
            ),
        )

    def ref(self, name: str, account: str = "shelf") -> ItemRef:
        """Return where a book is."""
        return ItemRef(account=account, kind="book", id=name, url=f"https://shelf.example/{name}")

    def opened(self, folder: Path, *accounts: str) -> AbstractAsyncContextManager["Project"]:
        """Open a project that uses the shelf and nothing else."""
        from rove_core import open_project  # noqa: PLC0415  # most tests open none

        module = ModuleType("shelf")
        vars(module)["rove_sources"] = self._sources
        return open_project(
            folder,
            plugins=(module,),
            accounts=[
                Account(
                    name=name,
                    kind="shelf",
                    settings=CommonSettings(),
                    base_url="https://shelf.example",
                )
                for name in accounts or ("shelf",)
            ],
            credentials=MemoryStore(),
            clock=VirtualClock(),
        )

    @hookimpl(specname="rove_sources")
    def _sources(self) -> list[SourceKind[CommonSettings]]:
        return [
            SourceKind(
                name="shelf",
                title="Shelf",
                settings=CommonSettings,
                connect=lambda account, _: _Reader(self, account.name),
            )
        ]


class _Reader(SourceHooks):
    """One account's way to a shelf."""

    def __init__(self, shelf: Shelf, account: str) -> None:
        self._shelf = shelf
        self._account = account

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the books in which all words occur."""
        for name, text in self._shelf.books.items():
            if all(word in f"{name} {text}".lower() for word in query.text.lower().split()):
                yield self._shelf.item(name, self._account)
        if trouble := self._shelf.troubles.get(query.text):
            raise trouble

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a book."""
        if trouble := self._shelf.troubles.get(ref.id):
            raise trouble
        if ref.id not in self._shelf.books:
            raise ItemNotFound(f"no book {ref.id}")
        return self._shelf.item(ref.id, self._account)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a book is a book anywhere
        """Return the books that are named."""
        words = (word.strip(".,:") for word in text.split())
        return [self._shelf.ref(word, self._account) for word in words if word.startswith("B-")]


@pytest.fixture
def shelf() -> Shelf:
    """Give a source with two books: the second refers to the first."""
    shelf = Shelf()
    shelf.books = {"B-1": "Rotate the keys.", "B-2": "Keys are rotated monthly, see B-1."}
    shelf.discussions = {"B-2": ["Quarterly is enough."]}
    return shelf


@pytest.fixture
def shelved(shelf: Shelf, tmp_path: Path) -> DocumentRecord:
    """Give the document about the first book: it quotes the second, and leaves out the third."""
    shelf.books["B-3"] = "Keys of a piano."
    places = attrs.evolve(ProjectPaths.at(tmp_path), is_alone=True)
    places.prepare()
    places.context.mkdir()
    record = DocumentRecord(
        account="shelf",
        ticket_id="B-1",
        filename="B-1_keys.md",
        title="Book B-1",
        keywords=("keys",),
        last_updated=datetime(2026, 1, 2, tzinfo=UTC),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    (places.context / record.filename).write_text(_SHELVED, "utf-8")
    pieces = [PlacedPiece(piece, f"block:{number}") for number, piece in enumerate(cut(_SHELVED))]
    path = base_path(places, record.account, record.filename)
    path.parent.mkdir(parents=True)
    save_base(
        path, DocumentBase(blocks={**remember(pieces), "quote:7": BlockRecord("", held=True)})
    )
    asyncio.run(_keep(places.index, record, shelf))
    return record


_SHELVED = """# Context: B-1 - Book B-1

> Rotate the keys. [1]

> Keys are rotated monthly, see B-1. [2]

[1]: https://shelf.example/B-1 "Shelf: B-1"
[2]: https://shelf.example/B-2 "Shelf: B-2"
"""


async def _keep(path: Path, record: DocumentRecord, shelf: Shelf) -> None:
    """Write into the index what a build would."""
    ticket, quoted, other = map(shelf.item, ("B-1", "B-2", "B-3"))
    uses = (
        ItemUse(
            candidate=Candidate(item=quoted, traces=(Trace("link", "B-1"),), whole=True),
            score=0.91234,
            reason="names B-1",
            tokens=12,
            kept=True,
            merged=(shelf.ref("B-4"),),
        ),
        ItemUse(candidate=Candidate(item=other, hop=2), score=0.2, reason="says: keys"),
    )
    async with open_store(path, clock=VirtualClock()) as store, store.transaction() as db:
        await save_document(db, record, {})
        await save_items(db, (ticket, quoted, other), record.last_updated)
        await save_ticket(db, ticket)
        asked = {"shelf": {"B-1": SearchRecord(), "keys": SearchRecord()}}
        await save_uses(db, (record.account, "B-1"), uses, asked)


@pytest.fixture
def team() -> Team:
    """Give a team with a ticket, a thread about it that names a pull request, and that."""
    team = Team()
    team.tickets.put(
        "T-1",
        "The session cookie is lost after the login redirect.",
        kind="ticket",
        title="Keep the session cookie",
    )
    team.chat.put(
        "M-1",
        "T-1: we decided to set SameSite=Lax on the session cookie.",
        "The redirect must keep the session cookie for 900 seconds.",
    )
    team.code.put(
        "P-1",
        "Fixes T-1: the session cookie is set before the redirect.",
        kind="pr",
        title="Set the cookie first",
    )
    return team


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Give a process, a vendor, and no login yet."""
    return Bench(tmp_path / "data")


@pytest.fixture
def new_team() -> Callable[[], Team]:
    """Give what makes teams that have said nothing yet."""
    return Team


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Look:
    """Return what looks at a project, and returns the findings by their names."""
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))

    def look(
        places: ProjectPaths, *, fix: bool = False, patience: float = 12.0
    ) -> Mapping[str, list[Finding]]:
        async def all_found() -> list[Finding]:
            subject = Subject(LocalProject(places, VirtualClock()), fix=fix, patience=patience)
            return [finding async for finding in run_checks(subject)]

        found: dict[str, list[Finding]] = {}
        for finding in asyncio.run(all_found()):
            found.setdefault(finding.name, []).append(finding)
        return found

    return look


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
async def proxy() -> AsyncIterator[FaultProxy]:
    """Give a server that answers ``{}``, unless a fault is played."""
    async with FaultProxy() as proxy:
        yield proxy


@pytest.fixture
async def client() -> AsyncIterator[Callable[..., Http]]:
    """Give what makes clients of an account ``acme``, and closes them."""
    async with AsyncExitStack() as closing:

        def make(base_url: str, **options: Any) -> Http:  # noqa: ANN401  # as Http takes them
            http = Http(account="acme", base_url=base_url, **options)
            closing.push_async_callback(http.aclose)
            return http

        yield make
