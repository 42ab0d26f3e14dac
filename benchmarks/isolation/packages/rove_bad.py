"""A plugin that misbehaves in one hook, in the way that `BAD_DEED` names; else it behaves.

`BAD_HOOK` is one of its hooks, or `import`, `settings`, `connect`, or `beside a filter`: its
sections misbehave while it has a filter.
"""

import asyncio
import atexit
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import count, repeat
from pathlib import Path
from typing import Any, TypeVar, cast

import attrs

from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    Http,
    HttpRequest,
    HttpResponse,
    ItemRef,
    Link,
    Operation,
    Project,
    Query,
    Route,
    Section,
    SourceHooks,
    SourceKind,
    hookimpl,
)

Given = TypeVar("Given")
DEED, HOOK = os.environ.get("BAD_DEED", ""), os.environ.get("BAD_HOOK", "")
AT = datetime(2026, 1, 1, tzinfo=UTC)
KEPT: list[bytes] = []


class Odd(BaseException):
    """An error of nobody's kind."""


class Sly(str):
    """A text that is none of the methods that it has."""

    def __len__(self) -> int:
        raise KeyError("len")


def item(name: str = "BAD-7", **fields: Any) -> ContextItem:
    """Return something that fits, but for what is given."""
    defaults: dict[str, Any] = {
        "ref": ItemRef(account="bad", kind="note", id=name),
        "source": "bad",
        "role": "page",
        "title": f"Note {name}",
        "content": "The cookie of CALM-1 is a matter of taste.",
        "timestamp": AT,
        "author": "Bob",
    }
    return ContextItem(**{**defaults, **fields})


def bent(field: str, value: object) -> ContextItem:
    """Return an item with what no type checker would let in."""
    made = item()
    object.__setattr__(made, field, value)
    return made


def nested(levels: int) -> ContextItem:
    """Return a thread with replies to replies to replies."""
    below = item()
    for _ in range(levels):
        below = item(thread=(below,))
    return below


def looped() -> dict[str, object]:
    """Return what holds itself."""
    metadata: dict[str, object] = {}
    metadata["self"] = metadata
    return metadata


def refs() -> Iterator[ItemRef]:
    """Yield references without an end."""
    return (ItemRef(account="bad", kind="note", id=f"BAD-{n}") for n in count())


#: What is given instead of what should be.
LIES: dict[str, Callable[[], object]] = {
    "none": lambda: None,
    "text": lambda: "nonsense",
    "number": lambda: 42,
    "object": object,
    "foreign": lambda: item(ref=ItemRef(account="calm", kind="ticket", id="CALM-1")),
    "no text": lambda: bent("content", None),
    "no zone": lambda: bent("timestamp", datetime(2026, 1, 1)),
    "no author": lambda: bent("author", 7),
    "sly text": lambda: bent("content", Sly("sly")),
    "looped metadata": lambda: item(metadata=looped()),
    "objects in metadata": lambda: item(metadata={"at": object()}),
    "huge text": lambda: item(content="word " * 2_000_000),
    "many links": lambda: item(links=tuple(repeat(Link(ref=item().ref), 200_000))),
    "wrong facts": lambda: bent("facts", {"status": "open"}),
    "wrong role": lambda: bent("role", "merge_request"),
    "many replies": lambda: item(thread=tuple(repeat(item(), 50_000))),
    "deep thread": lambda: nested(3_000),
    "wrong thread": lambda: bent("thread", ("a reply",)),
}


def do(deed: str) -> None:
    """Do what can be done without waiting."""
    match deed:
        case "raise":
            raise KeyError("taste")
        case "raise odd":
            raise Odd("odd")
        case "raise cancelled":
            raise asyncio.CancelledError
        case "raise stop":
            raise StopIteration
        case "recurse":
            do(deed)
        case "sys.exit":
            sys.exit(3)
        case "exit":
            os._exit(3)
        case "exit as if well":
            os._exit(0)
        case "abort":
            os.abort()
        case "block":
            time.sleep(3_600)
        case "spin":
            while True:
                pass
        case "hold":
            re.match(r"(a+)+$", "a" * 64 + "b")
        case "take":
            KEPT.append(bytes(1 << 40))
        case "leak":
            while True:
                KEPT.append(b"x" * 4_000_000)
        case "leak little":
            while True:
                KEPT.append(b"x" * 3_000)
        case "print":
            print("what a plugin prints")
        case "write":
            sys.stdout.buffer.write(b"bytes\n")
            sys.stdout.flush()
        case "descriptor":
            os.write(1, b"what C code prints\n")
        case "child":
            subprocess.run(["/bin/echo", "what a process prints"], check=True)
        case "stop the loop":
            asyncio.get_running_loop().stop()
        case "cancel all":
            for task in asyncio.all_tasks():
                task.cancel()
        case "cancel itself":
            if this := asyncio.current_task():
                this.cancel()
        case "atexit":
            atexit.register(time.sleep, 3_600)
            raise KeyError("at exit")
        case "thread":
            threading.Thread(target=time.sleep, args=(3_600,)).start()
            raise KeyError("thread")
        case "clear":
            os.environ.clear()
            raise KeyError("environment")


async def do_waiting(deed: str) -> None:
    """Do what can be done, and what takes an event loop."""
    match deed:
        case "hang":
            await asyncio.Event().wait()
        case "swallow":
            while True:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    continue
        case "swallow in a task":
            task = asyncio.create_task(do_waiting("swallow"))
            await asyncio.sleep(0)
            raise KeyError(task.get_name())
        case "block a thread":
            await asyncio.to_thread(time.sleep, 3_600)
        case "block a task":
            await asyncio.gather(asyncio.create_task(do_waiting("block")))
        case "tasks":
            while True:
                await asyncio.gather(*(do_waiting("") for _ in range(1_000)))
        case _:
            do(deed)


def given(hook: str, well: Given) -> Given:
    """Return what a hook gives."""
    return cast("Given", LIES[DEED]()) if hook == HOOK and DEED in LIES else well


class BadSource(SourceHooks):
    """Reads notes, as it likes."""

    def __init__(self, account: Account[Any], _: Http) -> None:
        if HOOK == "connect":
            do(DEED)
        self._account = account

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield a note."""
        if HOOK == "rove_search":
            await do_waiting(DEED)
            if DEED == "flood":
                for n in count():
                    yield item(f"BAD-{n}")
        yield given("rove_search", item())

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a note."""
        if HOOK == "rove_item_detail":
            await do_waiting(DEED)
        return given("rove_item_detail", item(ref.id))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the notes that a text names."""
        if HOOK == "rove_recognise":
            do(DEED)
            if DEED == "flood":
                return refs()  # type: ignore[return-value]
            if DEED in LIES:
                return cast("Sequence[ItemRef]", given(HOOK, None))
        return [
            ItemRef(account="bad", kind="note", id=name) for name in re.findall(r"\bBAD-\d\b", text)
        ]


if HOOK in {"rove_filter_item", "beside a filter"}:

    @hookimpl
    def rove_filter_item(account: str, item: ContextItem) -> ContextItem | None:
        """Let everything pass."""
        if HOOK == "rove_filter_item":
            do(DEED)
        return given("rove_filter_item", item)


if HOOK in {"rove_sections", "beside a filter"}:

    @hookimpl
    async def rove_sections(ticket: ContextItem, budget: int, project: Path) -> Sequence[Section]:
        """Add a section."""
        await do_waiting(DEED)
        if DEED == "flood":
            return [Section(heading=f"Section {n}", content="word " * 50) for n in range(10_000)]
        if DEED == "many words":
            return [Section(heading="Taste", content="word " * 12_000)]
        if DEED == "many lines":
            return [Section(heading="Taste", content="word\n\n" * 200_000)]
        if DEED == "endless":
            return (Section(heading="Taste", content="word") for _ in count())  # type: ignore[return-value]
        if DEED == "wrong section":
            return [Section(heading=7, content=b"bytes")]  # type: ignore[arg-type]
        return given(
            "rove_sections", (Section(heading="Taste", content="It is a matter of taste."),)
        )


async def _answer(request: HttpRequest, rove: Project) -> HttpResponse:
    return HttpResponse(200, {}, b"")


async def taste(rove: Project) -> str:
    """Tell a matter of taste."""
    return "taste"


@hookimpl
def rove_operations() -> Sequence[Operation]:
    """Bring an operation."""
    if HOOK == "rove_operations":
        do(DEED)
        if DEED == "flood":
            return repeat(Operation(taste))  # type: ignore[return-value]
    return given("rove_operations", [Operation(taste)])


@hookimpl
def rove_routes() -> Sequence[Route]:
    """Bring a route."""
    if HOOK == "rove_routes":
        do(DEED)
    return given("rove_routes", [Route("GET", "/taste", _answer, "Tell a matter of taste.")])


@attrs.frozen
class Demanding:
    """Settings that cannot be left alone."""

    token: str


@attrs.frozen
class Failing:
    """Settings that fail."""

    token: str = ""

    def __attrs_post_init__(self) -> None:
        do(DEED)


@hookimpl
def rove_sources() -> Sequence[SourceKind[Any]]:
    """Bring the notes."""
    settings: Any = CommonSettings
    if HOOK == "settings":
        settings = {"dict": dict, "required": Demanding}.get(DEED, Failing)
    if HOOK == "rove_sources":
        do(DEED)
        if DEED == "flood":
            return repeat(None)  # type: ignore[return-value]
    kind = SourceKind(name="bad", title="Bad", settings=settings, connect=BadSource)
    return given("rove_sources", [kind])


if HOOK == "import":
    do(DEED)
