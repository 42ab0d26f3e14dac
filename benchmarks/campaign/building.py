"""Documents as a scenario: each state is a build of a ticket of which one thing is new."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Final

import attrs

from benchmarks.campaign.scenarios import NOTHING, Broken, Scenario
from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    ItemNotFound,
    ItemRef,
    MemoryStore,
    Query,
    SourceHooks,
    SourceKind,
    hookimpl,
    open_project,
)
from rove_core.build.document_store import remembered
from rove_core.build.write.reader import words_of_people
from rove_core.errors import DiskTrouble
from rove_core.project.layout import ProjectPaths
from rove_core.store.document_bases import base_path, next_base
from rove_core.store.files import write_atomic

_START: Final = datetime(2026, 11, 20, tzinfo=UTC)
_SLOTS: Final = 6
#: What a person writes into the document after the first build; it ends in no way of Rove's.
_THEIRS: Final = "Ours,  for good.\r\n\n"
_TOPICS: Final = ("cookie", "redirect", "session", "keychain", "timeout", "logout")


class _Desk(SourceHooks):
    """A tracker whose ticket grows: in each state one thing is said, or said in another way."""

    def __init__(self, number: int) -> None:
        self._number = number

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the thread, which names the ticket."""
        if query.text == "T-1" or query.text in _TOPICS:
            yield attrs.evolve(self._thread(), thread=())

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return the ticket or the thread."""
        for item in (self._ticket(), self._thread()):
            if item.ref.id == ref.id:
                return item
        raise ItemNotFound(f"no {ref.id}")

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id is one anywhere
        """Return what is named."""
        return [_ref(name) for name in re.findall(r"\b[TM]-1\b", text)]

    def _ticket(self) -> ContextItem:
        return _item("T-1", f"All must stay logged in: part {self._number}.", 0)

    def _thread(self) -> ContextItem:
        last = {state % _SLOTS: state for state in range(self._number + 1)}
        parts = tuple(
            _item(f"M-1/{slot}", f"We decided: the {_TOPICS[slot]} takes {state} seconds.", slot)
            for slot, state in sorted(last.items())
        )
        return attrs.evolve(_item("M-1", "About T-1.", self._number), thread=parts)


def _ref(name: str) -> ItemRef:
    return ItemRef(
        account="desk",
        kind="ticket" if name == "T-1" else "message",
        id=name,
        url=f"https://d.example/{name}",
    )


def _item(name: str, text: str, minutes: int) -> ContextItem:
    return ContextItem(
        ref=_ref(name),
        source="desk",
        role="page",
        title="Login",
        content=text,
        timestamp=_START + timedelta(minutes=minutes),
        author="Ada",
    )


def _write(folder: Path, number: int) -> None:
    if number == 1:
        _write_theirs(folder)
    asyncio.run(_build(folder, number))


async def _build(folder: Path, number: int) -> None:
    module = ModuleType("desk")
    kind = SourceKind(
        name="desk",
        title="Desk",
        settings=CommonSettings,
        connect=lambda *_: _Desk(number),
    )
    vars(module)["rove_sources"] = hookimpl(specname="rove_sources")(lambda: [kind])
    desk = Account(
        name="desk", kind="desk", settings=CommonSettings(), base_url="https://d.example"
    )
    # As it is alone, what it remembers of its documents lies in the folder, too.
    async with open_project(
        folder, plugins=(module,), accounts=(desk,), credentials=MemoryStore()
    ) as project:
        await project.build("T-1")


def _write_theirs(folder: Path) -> None:
    """Write into the document as a person does with an editor that saves well."""
    try:
        (path,) = _documents(folder)
        text = path.read_bytes().decode()
    except OSError as error:
        raise DiskTrouble(f"the document in {folder} cannot be read") from error
    if _THEIRS not in text:
        write_atomic(path, text.replace("---\n", f"{_THEIRS}---\n", 1).encode(), mode=0o644)


def _read(folder: Path) -> int:
    _check_index(folder)
    documents = _documents(folder)
    if not documents:
        return NOTHING
    if len(documents) > 1:
        raise Broken(f"there are {len(documents)} documents")
    text = documents[0].read_bytes().decode()
    (found,) = re.findall(r"^> All must stay logged in: part (\d+)\.", text, re.MULTILINE)
    number = int(found)
    expected = {state % _SLOTS: state for state in range(number + 1)}
    statements = re.findall(r"^> We decided: the (\w+) takes (\d+) seconds", text, re.MULTILINE)
    if sorted(statements) != sorted(
        (_TOPICS[slot], str(state)) for slot, state in expected.items()
    ):
        raise Broken(f"document {number} says: {statements}")
    if (
        text.count(_THEIRS) not in {number > 0, 1}
        or len(re.findall("^# ", text, re.MULTILINE)) != 1
    ):
        raise Broken(f"document {number} has lost or doubled words:\n{text}")
    _check_base(folder, documents[0], text, number)
    return number


def _check_base(folder: Path, path: Path, text: str, number: int) -> None:
    """See that what is remembered fits the file: nothing is held back, nothing taken for theirs."""
    places = attrs.evolve(ProjectPaths.at(folder), is_alone=True)
    last = base_path(places, "desk", path.name)
    base = remembered(last, text)[1]
    if base is None:
        raise Broken(f"nothing is remembered of document {number}")
    theirs = words_of_people(text, base)
    if theirs != ((_THEIRS.strip(),) if _THEIRS in text else ()):
        raise Broken(f"of document {number} this is taken for people's: {theirs}")
    # What a killed build was about to write does not exist yet, and no person has removed it.
    if any(block.held for block in base.blocks.values()):
        raise Broken(f"of document {number} something is held back")
    if not next_base(last).exists() and any(
        key.startswith("quote:") and key not in base.blocks for key in _quotes(number)
    ):
        raise Broken(f"of document {number} not all is remembered")


def _quotes(number: int) -> Sequence[str]:
    return [f"quote:desk:M-1/{slot}" for slot in range(min(_SLOTS, number + 1))]


def _check_index(folder: Path) -> None:
    path = folder / ".rove" / "index.db"
    if path.exists():
        with closing(sqlite3.connect(path)) as db:
            (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise Broken(verdict)


def _documents(folder: Path) -> Sequence[Path]:
    return sorted((folder / ".context").glob("*.md"))


BUILD: Final = Scenario(
    "build",
    _write,
    _read,
    (
        *(".context", ".context/T-1_*.md", ".rove", ".rove/.gitignore", ".rove/index.db*"),
        ".rove/marks.key",
        *(".rove/logs", ".rove/logs/*.log", ".rove/documents", ".rove/documents/desk"),
        ".rove/documents/desk/T-1_*.md.json",
    ),
)
