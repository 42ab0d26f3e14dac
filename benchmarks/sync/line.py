"""The line between a machine and the vendor: it loses requests and replies, and machines die."""

import random
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import attrs

from benchmarks.sync.vendor import SimulatedVendor
from rove_core import (
    ItemRef,
    NewComment,
    NewWorkItem,
    RateLimited,
    TimedOut,
    Unavailable,
    WorkItem,
    WorkItemChange,
)
from rove_memory.sync.tracker import ChangePage

Answer = TypeVar("Answer")


class MachineDied(BaseException):
    """The machine lost its power: nothing after this runs."""


@attrs.define
class FaultyLine:
    """One machine's way to the vendor.

    Attributes:
        vendor: The vendor.
        author: The machine.
        dice: What says what goes wrong.
        interfere: Called before each request arrives: somebody else may be faster.
        is_offline: Whether nothing arrives at all.
        faults: How often each thing goes wrong; never for 0.
    """

    vendor: SimulatedVendor
    author: str
    dice: random.Random
    interfere: Callable[[], None]
    is_offline: bool = False
    faults: float = 0.06

    async def changes(self, cursor: str) -> AsyncIterator[ChangePage]:
        """Yield what changed since a cursor."""
        for items, gone, place in self.vendor.listing(cursor):
            self._call(lambda: None, writes=False)
            yield ChangePage(items=tuple(items), gone=tuple(gone), cursor=place)

    async def item(self, ref: ItemRef) -> WorkItem:
        """Return an item as it is now."""
        return self._call(lambda: self.vendor.find(ref).now, writes=False)

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change an item."""
        return self._call(lambda: self.vendor.change(ref, change, self.author))

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on an item."""
        return self._call(lambda: self.vendor.comment(ref, comment, self.author))

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create an item."""
        return self._call(lambda: self.vendor.create(new, self.author))

    def may_die(self) -> None:
        """End the machine here, sometimes."""
        if self.dice.random() < self.faults / 6:
            raise MachineDied

    def _call(self, served: Callable[[], Answer], *, writes: bool = True) -> Answer:
        self.may_die()
        if self.is_offline:
            raise Unavailable("offline")
        fault = self.dice.random()
        if fault < self.faults / 3:
            raise RateLimited("too many requests")
        if fault < self.faults:
            raise self._lost(writes=writes)
        self.interfere()
        answer = served()
        self.may_die()
        if fault < 2 * self.faults:
            raise self._lost(writes=writes)
        return answer

    def _lost(self, *, writes: bool) -> Unavailable | TimedOut:
        error = self.dice.choice((Unavailable, TimedOut))("no reply")
        error.maybe_done = writes
        return error
