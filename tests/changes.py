"""Random changes of what a vendor has, for the standard test of copies."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random

from attrs import define, evolve, field

from rove_core.testing import Vendor, VirtualClock


@define(kw_only=True)
class VendorChanges:
    """Changes items, as people do, and knows what is there afterwards.

    Attributes:
        clock: The vendor's clock.
        add: Adds an item with a number and with words; returns its id.
        edit: Gives an item, by its id, other words.
        answer: Adds words below an item.
        delete: Deletes an item.
        move: Moves an item to another container, with a number there; returns its new id.
        others: Further steps, by name, on items that are not in ``there``.
        there: The last words of the items that were added and are there, by their ids.
        longest: Maximum seconds before a change.
    """

    clock: VirtualClock
    add: Callable[[int, str], str]
    delete: Callable[[str], None]
    edit: Callable[[str, str], None] | None = None
    answer: Callable[[str, str], None] | None = None
    move: Callable[[str, int], str] | None = None
    others: Mapping[str, Callable[[Random], None]] = field(factory=dict)
    there: dict[str, str] = field(factory=dict)
    longest: int = 4000
    _count: int = 0

    def steps(self) -> Mapping[str, Callable[[Random], None]]:
        """Return what can be done."""
        steps: dict[str, Callable[[Random], None]] = {"add": self._add, "delete": self._delete}
        if self.move:
            steps["move"] = self._move
        for name, change in (("edit", self.edit), ("answer", self.answer)):
            if change:
                steps[name] = self._worded(change)
        for name, step in self.others.items():
            steps[name] = self._timed(step)
        return steps

    def _add(self, chance: Random) -> None:
        number = self._pass_time(chance)
        words = f"item number {number}"
        self.there[self.add(number, words)] = words

    def _delete(self, chance: Random) -> None:
        self._pass_time(chance)
        if self.there:
            name = self._any(chance)
            self.delete(name)
            del self.there[name]

    def _move(self, chance: Random) -> None:
        number = self._pass_time(chance)
        if self.there and self.move:
            name = self._any(chance)
            self.there[self.move(name, number)] = self.there.pop(name)

    def _worded(self, change: Callable[[str, str], None]) -> Callable[[Random], None]:
        def changed(chance: Random) -> None:
            number = self._pass_time(chance)
            if self.there:
                name = self._any(chance)
                self.there[name] = f"words number {number}"
                change(name, self.there[name])

        return changed

    def _timed(self, step: Callable[[Random], None]) -> Callable[[Random], None]:
        def done(chance: Random) -> None:
            self._pass_time(chance)
            step(chance)

        return done

    def _any(self, chance: Random) -> str:
        return chance.choice(sorted(self.there))

    def _pass_time(self, chance: Random) -> int:
        """Let some time pass, and return a number that nothing has yet."""
        self.clock.advance(chance.randint(1, self.longest))
        self._count += 1
        return self._count


@asynccontextmanager
async def changing(
    opened: AbstractAsyncContextManager[Vendor], changes: VendorChanges
) -> AsyncIterator[Vendor]:
    """Give a vendor, with what changes it."""
    async with opened as vendor:
        yield evolve(vendor, steps=changes.steps(), there=lambda: changes.there)
