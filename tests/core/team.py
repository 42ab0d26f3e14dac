"""A team and its tools, in memory: they change, fail, and know what they were asked."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import attrs
from anyio.lowlevel import checkpoint
from tests.core.roles import ROLES

import rove_openai
from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    ItemNotFound,
    ItemRef,
    MemoryStore,
    Project,
    Query,
    RoveError,
    SourceHooks,
    SourceKind,
    hookimpl,
    open_project,
)
from rove_core.build.requests import BuildResult
from rove_core.facts import Facts
from rove_core.http import Caps, MemoryLimits
from rove_core.http.deadline import Deadline
from rove_core.http.gate import Gate
from rove_core.testing.clock import VirtualClock

if TYPE_CHECKING:
    from random import Random

    from rove_core.events import Event


class Tool(SourceHooks):
    """One account of a team, in memory: what it holds, how it fails, and what it was asked.

    Attributes:
        name: The account.
        prefix: What the ids that it recognises begin with.
        pattern: What its ids look like; empty where nobody says.
        forms: How else people write them.
        items: All that it holds, by id.
        trouble: What is raised instead of an answer.
        troubles: What a search raises, by what it was asked for.
        reading_trouble: What is raised instead of a whole thing, by its id.
        keeps_hits: Whether what a search tells may be quoted and stored.
        shows_all: Whether a search shows what is said below things, too.
        is_silent: Whether it never answers.
        per_minute: How many searches it allows a minute; as many as one likes without it.
        dice: What says how late it answers; at once without it.
        searches: What it was asked for.
        reads: The ids of what was read.
        named: The ids of what it found, linked or recognised.
    """

    def __init__(self, name: str, prefix: str, clock: VirtualClock) -> None:
        self.name = name
        self.prefix = prefix
        self.pattern = ""
        self.forms: tuple[str, ...] = ()
        self.items: dict[str, ContextItem] = {}
        self.trouble: RoveError | None = None
        self.troubles: dict[str, RoveError] = {}
        self.reading_trouble: dict[str, RoveError] = {}
        self.keeps_hits = True
        self.shows_all = False
        self.is_silent = False
        self.dice: Random | None = None
        self.per_minute: int | None = None
        self.searches: list[Query] = []
        self.reads: list[str] = []
        self.named: set[str] = set()
        self._clock = clock
        self._gate = Gate(account=name, caps=Caps(), limits=MemoryLimits(clock=clock), clock=clock)

    @property
    def host(self) -> str:
        """Where its items live."""
        return f"{self.name.replace(':', '-')}.example"

    def ref(self, name: str, kind: str = "message") -> ItemRef:
        """Return where something is."""
        return ItemRef(account=self.name, kind=kind, id=name, url=f"https://{self.host}/{name}")

    def put(self, name: str, text: str, *replies: str, **known: Any) -> None:  # noqa: ANN401  # as items take them
        """Say something new, or edit it: what is said below it stays.

        Args:
            name: Its id.
            text: What it says.
            replies: What is said below it.
            known: What else an item has; all that is not a field of items is a fact.
        """
        fields = {"kind": "message", "title": f"About {name}", "author": "Ada"} | known
        old = self.items.get(name)
        kind = fields.pop("kind")
        self.items[name] = ContextItem(
            ref=self.ref(name, kind),
            source=self.name,
            role=fields.pop("role", ROLES.get(kind, "page")),
            title=fields.pop("title"),
            content=text,
            timestamp=self._clock.now(),
            author=fields.pop("author"),
            thread=fields.pop("thread", old.thread if old else ()),
            links=tuple(fields.pop("links", ())),
            metadata=fields.pop("metadata", {}),
            facts=Facts(**fields),
        )
        for reply in replies:
            self.reply(name, reply)

    def reply(self, name: str, text: str) -> None:
        """Say something below something."""
        item, now = self.items[name], self._clock.now()
        ref = self.ref(f"{name}/{len(item.thread) + 1}", "comment")
        part = ContextItem(
            ref=ref,
            source=self.name,
            role="comment",
            title=item.title,
            content=text,
            timestamp=now,
            author="Bo",
        )
        self.items[name] = attrs.evolve(item, timestamp=now, thread=(*item.thread, part))

    def edit(self, name: str, number: int, text: str | None) -> None:
        """Say something else in place of a reply, or take it back: no search tells of either."""
        item = self.items[name]
        part = item.thread[number - 1]
        now = () if text is None else (attrs.evolve(part, content=text),)
        thread = (*item.thread[: number - 1], *now, *item.thread[number:])
        self.items[name] = attrs.evolve(item, thread=thread)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield what has all the words, mostly without what is said below it."""
        if self.per_minute:
            deadline = Deadline(self._clock, self._clock.monotonic() + 30)
            async with self._gate.open("search", deadline, self.per_minute):
                pass
        self.searches.append(query)
        await self._answer()
        if query.text in self.troubles:
            raise self.troubles[query.text]
        wanted = query.text.lower().split()
        for name, item in self.items.items():
            texts = (name, item.title, item.content, *(part.content for part in item.thread))
            said = " ".join(texts).lower()
            if query.covers(item.timestamp) and all(word in said for word in wanted):
                self.named |= {name, *(link.ref.id for link in item.links)}
                yield item if self.shows_all else attrs.evolve(item, thread=())

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return all of something."""
        self.reads.append(ref.id)
        await self._answer()
        if ref.id in self.reading_trouble:
            raise self.reading_trouble[ref.id]
        if ref.id not in self.items:
            raise ItemNotFound(f"no {ref.id} in {self.name}")
        return self.items[ref.id]

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id is one anywhere
        """Return what is named: by its id alone, whatever that is, or amid other words."""
        pages = re.findall(rf"https://{self.host}/(\S+)", text)
        found = pages or re.findall(rf"\b{self.prefix}-\d+\b", text)
        names = [text] if text in self.items else found
        self.named |= {*names}
        return [self.ref(name) for name in names]

    async def _answer(self) -> None:
        if self.is_silent:
            await asyncio.Event().wait()
        for _ in range(self.dice.randint(0, 12) if self.dice else 0):
            await checkpoint()
        if self.trouble:
            raise self.trouble


class Team:
    """The tools of a team, in memory: tickets, a chat and code; they have the same clock.

    Attributes:
        clock: What stamps all that is said.
        tickets: What its tickets are in: ``T-1``.
        chat: What it talks in: ``M-1``.
        code: What its pull requests are in: ``P-1``.
        events: What its builds reported.
    """

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.events: list[Event] = []
        self.tickets = Tool("tickets", "T", self.clock)
        self.chat = Tool("chat", "M", self.clock)
        self.code = Tool("code", "P", self.clock)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All of them."""
        return self.tickets, self.chat, self.code

    def opened(
        self, folder: Path, *others: Tool, without: Sequence[Tool] = ()
    ) -> AbstractAsyncContextManager[Project]:
        """Open a project that uses these tools, or not all of them, and others of theirs."""
        tools = {tool.name: tool for tool in (*self.tools, *others) if tool not in without}
        accounts = [
            Account(
                name=name,
                kind=name.partition(":")[0],
                settings=CommonSettings(),
                base_url=f"https://{tool.host}",
            )
            for name, tool in tools.items()
        ]

        @hookimpl
        def rove_sources() -> list[SourceKind[CommonSettings]]:
            return [
                SourceKind(
                    name=kind,
                    title=kind.title(),
                    settings=CommonSettings,
                    id_pattern=next(t.pattern for t in tools.values() if kind in t.name),
                    id_forms=next(t.forms for t in tools.values() if kind in t.name),
                    connect=lambda account, _: tools[account.name],
                    keeps_hits=all(t.keeps_hits for t in tools.values() if kind in t.name),
                )
                for kind in dict.fromkeys(account.kind for account in accounts)
            ]

        module = ModuleType("team")
        vars(module)["rove_sources"] = rove_sources
        return open_project(
            folder,
            plugins=(module, rove_openai),
            accounts=accounts,
            credentials=MemoryStore(),
            clock=self.clock,
            on_event=self.events.append,
        )

    async def build(self, folder: Path, ticket: str = "T-1", **wanted: Any) -> BuildResult:  # noqa: ANN401  # as a project takes them
        """Build a document, or refresh it an hour later, in a project opened for that."""
        self.clock.advance(3600)
        async with self.opened(folder) as project:
            return await project.build(ticket, source="tickets", **wanted)

    def forget(self) -> None:
        """Forget what the tools were asked."""
        for tool in self.tools:
            tool.searches.clear()
            tool.reads.clear()
