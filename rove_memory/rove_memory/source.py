"""The source ``memory``: what agents stored, found and cited like what people said."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from rove_core import (
    Account,
    Container,
    ContextItem,
    Facts,
    Identity,
    ItemNotFound,
    ItemRef,
    Link,
    ListedChange,
    ListScope,
    LocalProject,
    Query,
    SourceHooks,
    counted,
    hookimpl,
)
from rove_core.clock import SYSTEM, Clock
from rove_memory.listing import MemoryChanges, memory_changes
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryItem
from rove_memory.memory.recall import RecallRequest, recall
from rove_memory.memory.words import title_of
from rove_memory.source_settings import MemorySourceSettings
from rove_memory.store import ProjectStore

#: The name of the only part that can be listed.
_CONTAINER: Final = "memory"
#: After so many memories a listing can go on.
_STEP: Final = 100
_ID: Final = re.compile(r"(?<![\w-])m-[0-9a-z]{5,12}(?![\w-])")


class MemorySource(SourceHooks):
    """Reads the memories of the project it serves."""

    def __init__(self, account: Account[MemorySourceSettings], clock: Clock = SYSTEM) -> None:
        self._account = account
        folder = Path(unquote(urlsplit(account.base_url).path) or ".")
        self._store = ProjectStore.of(LocalProject.at(folder, clock))

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return the owner of the memory, and its number of memories."""
        return await asyncio.to_thread(self._identity)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the memories that fit, best first."""
        for item in await asyncio.to_thread(self._find, query):
            yield self._item(item)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a memory by its id or its key."""
        return self._item(await asyncio.to_thread(self._memory_named, ref.id))

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the one there is: the project's memory."""
        return [Container(name=_CONTAINER, title="Memory")]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the memories that are new, changed, put aside, replaced or forgotten."""
        if scope.containers and _CONTAINER not in scope.containers:
            yield ListedChange(cursor=scope.cursor or "{}")
            return
        changes = await asyncio.to_thread(self._changes, scope)
        for identifier in changes.gone:
            yield ListedChange(gone=self._ref(identifier))
        for count, identifier in enumerate(changes.changed[: scope.limit], 1):
            # One that was forgotten meanwhile is listed as gone the next time.
            with suppress(ItemNotFound):
                item = self._item(await asyncio.to_thread(self._memory_named, identifier))
                is_step = count % _STEP == 0 or count == scope.limit
                yield ListedChange(
                    item=item, whole=True, cursor=changes.cursor(count) if is_step else ""
                )
        yield ListedChange(cursor=changes.cursor(scope.limit))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id means the same wherever it stands
        """Return the memories whose ids a text contains."""
        return [self._ref(found) for found in dict.fromkeys(_ID.findall(text))]

    def _identity(self) -> Identity:
        with self._store.reading() as db:
            (count,) = db.execute("SELECT count(*) FROM memory").fetchone()
        memories = counted(count, "memory", "memories")
        return Identity(name=self._store.places.root.name, reads=(memories,))

    def _find(self, query: Query) -> Sequence[MemoryItem]:
        with self._store.reading() as db:
            request = RecallRequest(
                question=query.text,
                limit=query.limit,
                max_tokens=1_000_000,
                in_text=bool(query.fields),
                since=query.since,
                until=query.until,
            )
            return recall(Memories(db=db, store=self._store), request)

    def _changes(self, scope: ListScope) -> MemoryChanges:
        with self._store.reading() as db:
            return memory_changes(Memories(db=db, store=self._store), scope)

    def _memory_named(self, text: str) -> MemoryItem:
        with self._store.reading() as db:
            try:
                return Memories(db=db, store=self._store).named(text)
            except ItemNotFound as error:
                error.account = self._account.name
                raise

    def _item(self, item: MemoryItem) -> ContextItem:
        return ContextItem(
            ref=self._ref(item.id),
            source="memory",
            role="memory",
            title=item.summary or title_of(item.content) or item.key,
            content=item.content,
            timestamp=item.updated_at,
            author="agent",
            facts=Facts(
                short_name=f"memory {item.key}",
                created=item.created_at,
                type=item.memory_type,
                labels=item.tags,
                robot=True,
            ),
            links=tuple(
                Link(ref=self._ref(each)) for each in item.related_items if _ID.fullmatch(each)
            ),
        )

    def _ref(self, identifier: str) -> ItemRef:
        # People read it with a command; a citation needs an address that is like no other.
        url = f"{self._store.places.root.as_uri()}#{identifier}"
        return ItemRef(account=self._account.name, kind="memory", id=identifier, url=url)
