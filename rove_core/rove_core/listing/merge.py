"""List several containers as one."""

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from datetime import UTC, datetime
from typing import Final, TypeAlias

from attrs import define, evolve, field

from rove_core.errors import ItemNotFound, RoveError, ScopeMissing
from rove_core.listing.changes import ListedChange, ListingStep, ListScope
from rove_core.listing.cursor import read_cursor

#: Containers that are listed as one, newest first; the first item comes after as many requests.
_TOGETHER: Final = 20
#: Containers that are asked at the same time.
_AT_ONCE: Final = 4
_NEVER: Final = datetime.min.replace(tzinfo=UTC)

#: Lists one container: its scope names just that one, with that one's own cursor.
ListContainer: TypeAlias = Callable[[ListScope], AsyncGenerator[ListingStep, None]]


async def merge_listings(
    scope: ListScope,
    containers: Sequence[str],
    list_one: ListContainer,
    *,
    every: int = 50,
) -> AsyncGenerator[ListedChange, None]:
    """Yield what changed in several containers as one listing, newest first.

    Each container has a cursor of its own, and the listing's cursor holds them all. A container
    that was listed and cannot be read any more is asked once more: its source then yields what is
    gone. One that cannot be read does not keep the others from being listed; its error is raised
    at the end. With many containers some are listed first, and then the others.

    Args:
        scope: What to list.
        containers: The names of its containers, all that it means.
        list_one: Lists one of them.
        every: After so many steps there is a cursor.
    """
    merge = _ListingMerge(scope, containers, list_one)
    async with AsyncExitStack() as stack:
        for some, following in merge.groups():
            for each in some:
                stack.push_async_callback(each.steps.aclose)
            count = 0
            async with aclosing(merge.changes(some)) as changes:
                async for change in changes:
                    count += 1
                    is_enough = merge.remaining <= 0
                    is_due = is_enough or count % every == 0
                    yield evolve(change, cursor=merge.cursor(some[0].name) if is_due else "")
                    if is_enough:
                        return
            yield ListedChange(cursor=merge.cursor(following))
    if merge.failures:
        raise merge.failures[0]


@define(eq=False)
class _Lane:
    """A container in a merged listing, and the step it would give next, if it has one."""

    name: str
    steps: AsyncGenerator[ListingStep, None]
    head: ListingStep | None = None

    @property
    def turn(self) -> tuple[bool, datetime]:
        """Its order: non-items first, then the newest."""
        item = self.head.change.item if self.head else None
        return item is None, item.timestamp if item else _NEVER


@define(eq=False)
class _ListingMerge:
    """The state of a merged listing."""

    scope: ListScope
    containers: Sequence[str]
    list_one: ListContainer
    remaining: int = field(init=False)
    failures: list[RoveError] = field(factory=list, init=False)
    _place: Mapping[str, object] = field(init=False)
    _cursors: dict[str, str] = field(init=False)
    _marks: dict[str, Callable[[], str]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.remaining = self.scope.limit
        self._place = read_cursor(self.scope.cursor)
        each = self._place.get("each")
        cursors = each.items() if isinstance(each, Mapping) else ()
        self._cursors = {name: at for name, at in cursors if isinstance(at, str)}

    def groups(self) -> Iterator[tuple[list[_Lane], str]]:
        """Yield the containers that are listed together, and where the next of them begin.

        It goes on where the last listing stopped.
        """
        names = [*dict.fromkeys([*self.containers, *self._cursors])]
        following = self._place.get("next")
        first = names.index(following) if following in names else 0
        for start in range(first, len(names), _TOGETHER):
            some = names[start : start + _TOGETHER]
            rest = names[start + _TOGETHER :]
            yield (
                [_Lane(each, self.list_one(self._scope_of(each))) for each in some],
                (*rest, "")[0],
            )

    async def changes(self, lanes: Sequence[_Lane]) -> AsyncGenerator[ListedChange, None]:
        """Yield what changed in some containers, newest first."""
        import asyncio  # noqa: PLC0415  # who lists nothing needs none

        turns = asyncio.Semaphore(_AT_ONCE)

        async def begin(lane: _Lane) -> None:
            async with turns:
                await self._advance(lane)

        for failed in await asyncio.gather(*map(begin, lanes), return_exceptions=True):
            if failed:
                raise failed
        left = [lane for lane in lanes if lane.head]
        while left:
            lane = max(left, key=lambda each: each.turn)
            if lane.head:
                change = lane.head.change
                self.remaining -= change.item is not None
                self._marks[lane.name] = lane.head.cursor
                yield change
            await self._advance(lane)
            if lane.head is None:
                left.remove(lane)

    def cursor(self, following: str) -> str:
        """Return where the listing goes on: with the containers from one on."""
        written = {name: mark() for name, mark in self._marks.items()}
        self._marks.clear()
        self._cursors.update(written)
        each = {name: at for name, at in self._cursors.items() if at}
        return json.dumps({"each": each, "next": following}, separators=(",", ":"))

    def _scope_of(self, name: str) -> ListScope:
        return evolve(self.scope, containers=(name,), cursor=self._cursors.get(name, ""))

    async def _advance(self, lane: _Lane) -> None:
        try:
            lane.head = await anext(lane.steps, None)
        except (ItemNotFound, ScopeMissing) as error:
            lane.head = None
            if lane.name in self.containers:
                self.failures.append(error)
