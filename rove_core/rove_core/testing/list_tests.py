"""Standard tests of listing: complete, newest first, without duplicates, resumable."""

# ruff: noqa: S101  # assert is how pytest speaks

import os
from datetime import datetime
from random import Random
from typing import Final

import attrs
import pytest
from attrs import define, field

from rove_core.items import ContextItem, ItemRef
from rove_core.listing import ListedChange
from rove_core.testing.clock import VirtualClock
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import MANY, Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in

#: Random histories, catch-ups of each, and changes before each of these.
_HISTORIES: Final = int(os.environ.get("ROVE_EXAMPLES", "60")) // 20
_CATCH_UPS: Final = 4
#: The history from which on pages are small.
_SMALL_PAGES: Final = 2
_CHANGES: Final = 4
#: Steps after which an item that was added first is changed last.
_LATER: Final = ("add", "add", "add", "edit", "answer", "edit")
#: After so many seconds a source may look for what is gone.
_A_SWEEP: Final = 7 * 86_400.0


class ListTests(SourceUnderTest):
    """Tests of listings and their cursors."""

    @silver
    @logged_in("rove_list")
    async def test_listing_brings_the_known_item(self, scene: Scene) -> None:
        """The known item is listed, and others are too."""
        listed, _ = await scene.list_changes()
        ids = [ref.id for ref, _ in _items(listed)]

        assert self.known in ids
        assert len(ids) > 1

    @silver
    @logged_in("rove_list")
    async def test_listing_is_newest_first(self, scene: Scene) -> None:
        """The newest items come first, also when older ones were edited, and with small pages."""
        chance, steps = Random(0), scene.vendor.steps  # noqa: S311  # a history, not a secret
        for name in ["", *_LATER, *sorted(steps)]:
            if step := steps.get(name):
                step(chance)
            listed, _ = await scene.list_changes()
            times = [at for _, at in _items(listed)]

            assert times == sorted(times, reverse=True)
            if name == _LATER[-1] and "page_size" in attrs.fields_dict(scene.kind.settings):
                scene.change(page_size=1)

    @silver
    @logged_in("rove_list")
    async def test_listing_goes_on_from_its_cursor(self, scene: Scene) -> None:
        """If nothing changed, the next listings return nothing, also after changes."""
        chance, steps = Random(0), scene.vendor.steps  # noqa: S311  # a history, not a secret
        cursor = ""
        for name in ["", *sorted(steps)]:
            if step := steps.get(name):
                step(chance)
            _, cursor = await scene.list_changes(cursor)
            again, later = await scene.list_changes(cursor)
            third, _ = await scene.list_changes(later)

            assert cursor != ""
            assert (_items(again), _items(third)) == ([], []), name

    @silver
    @logged_in("rove_list")
    async def test_listing_repeats_nothing(self, scene: Scene) -> None:
        """With a limit of one, repeated listings return every item exactly once."""
        listed, _ = await scene.list_changes()
        once, cursor = [], ""
        for _ in listed:
            some, cursor = await scene.list_changes(cursor, limit=1)
            once += _items(some)

        assert once == _items(listed)

    @silver
    @logged_in("rove_list")
    async def test_listing_keeps_since(self, scene: Scene) -> None:
        """Items last changed before `since` are not listed; an item with exactly that time is."""
        times = [at for _, at in _items((await scene.list_changes())[0])]
        since = max(times)
        listed, _ = await scene.list_changes(since=since)

        assert [at for _, at in _items(listed)] == [at for at in times if at >= since]

    @silver
    @logged_in("rove_list", "rove_containers")
    async def test_listing_keeps_to_its_containers(self, scene: Scene) -> None:
        """All containers together list every item; some of several containers list fewer."""
        everything = {ref.id for ref, _ in _items((await scene.list_changes())[0])}
        apart = []
        for container in await scene.awaited("rove_containers"):
            listed, _ = await scene.list_changes(containers=(container.name,))
            apart.append({ref.id for ref, _ in _items(listed)})

        assert set[str]().union(*apart) == everything
        assert len(apart) == 1 or any(each < everything for each in apart)

    @silver
    @logged_in("rove_list", "rove_item_detail")
    async def test_whole_items_are_whole(self, scene: Scene) -> None:
        """What is listed as whole has the discussion of the item read in full, in any pages."""
        sizes: tuple[int | None, ...] = (None,)
        if "page_size" in attrs.fields_dict(scene.kind.settings):
            sizes = (None, 1)
        for size in sizes:
            if size:
                scene.change(page_size=size)
            listed, _ = await scene.list_changes()
            for change in listed:
                if change.item and change.whole:
                    detail = await scene.detail(change.item.ref)
                    assert _told(change.item) == _told(detail)

    @gold
    @logged_in("rove_list")
    async def test_listing_reads_every_page(self, scene: Scene) -> None:
        """Smaller pages list the same items and report none as gone."""
        if "page_size" not in attrs.fields_dict(scene.kind.settings):
            pytest.skip(f"the settings of {self.kind} have no page_size")
        whole, _ = await scene.list_changes()
        scene.change(page_size=1)
        paged, cursor = await scene.list_changes()
        if isinstance(scene.clock, VirtualClock):
            scene.clock.advance(_A_SWEEP)
        again, _ = await scene.list_changes(cursor)

        assert _items(paged) == _items(whole)
        assert [each.gone for each in again if each.gone] == []

    @gold
    @logged_in("rove_list")
    async def test_a_copy_stays_equal_to_its_vendor(self, scene: Scene) -> None:
        """A copy equals the vendor after any changes, deletions, moves and interruptions."""
        vendor = scene.vendor
        if not vendor.steps:
            pytest.skip(f"{MISSING}give steps and there of Vendor: ways to change what it has")
        for seed in range(_HISTORIES):
            chance, copy = Random(seed), Copy(scene)  # noqa: S311  # a history, not a secret
            taken: list[str] = []
            if seed == _SMALL_PAGES and "page_size" in attrs.fields_dict(scene.kind.settings):
                scene.change(page_size=2)
            for _ in range(_CATCH_UPS):
                for _ in range(chance.randint(0, _CHANGES)):
                    taken.append(chance.choice(sorted(vendor.steps)))
                    vendor.steps[taken[-1]](chance)
                for _ in range(chance.randint(0, 2)):
                    await copy.follow(limit=(most := chance.randint(1, 3)))
                    taken.append(f"list {most}")
                await copy.follow()
                taken.append("list all")
                fresh = Copy(scene)
                await fresh.follow()

                history = f"seed {seed}, steps: {', '.join(taken)}"
                assert copy.items == fresh.items, f"the copy differs from a fresh one; {history}"
                there = vendor.there().items()
                lost = [name for name, words in there if words not in copy.text(name)]
                assert not lost, f"the copy lacks the words of {', '.join(lost)}; {history}"


@define
class Copy:
    """A copy of an account, made of listings alone.

    Attributes:
        scene: Where the source is.
        items: What matters of each item, by its id.
        cursor: Where the next listing goes on.
        noted: The ids of items that say themselves what they lack.
    """

    scene: Scene
    items: dict[str, tuple[object, ...]] = field(factory=dict)
    cursor: str = ""
    noted: set[str] = field(factory=set)

    async def follow(self, *, limit: int = MANY) -> None:
        """Apply the changes of a listing, up to a limit."""
        changes, self.cursor = await self.scene.list_changes(self.cursor, limit=limit)
        for change in changes:
            await self.take(change)

    def copy(self) -> "Copy":
        """Return another copy that goes on from here."""
        return Copy(self.scene, dict(self.items), self.cursor)

    async def follow_each(self) -> None:
        """Apply the changes of a listing one by one, as far as it comes."""
        async for change in self.scene.listed(self.cursor):
            await self.take(change)
            self.cursor = change.cursor or self.cursor

    async def take(self, change: ListedChange) -> None:
        """Apply one change."""
        if change.gone:
            self.items.pop(change.gone.id, None)
        if change.item:
            item = change.item if change.whole else await self.scene.detail(change.item.ref)
            if item.facts.incomplete:
                self.noted.add(item.ref.id)
            self.items[item.ref.id] = (
                item.title,
                item.content,
                item.facts.channel,
                item.facts.status,
                *(part.content for part in item.thread),
            )

    def text(self, name: str) -> str:
        """Return all words of an item; none for an item that the copy lacks."""
        return "\n".join(map(str, self.items.get(name, ())))


def _told(item: ContextItem) -> tuple[object, ...]:
    """Return what a copy keeps of a discussion."""
    parts = [(part.ref.id, part.author, part.timestamp, part.content) for part in item.thread]
    return item.title, item.author, item.timestamp, item.facts.created, parts


def _items(changes: list[ListedChange]) -> list[tuple[ItemRef, datetime]]:
    return [(each.item.ref, each.item.timestamp) for each in changes if each.item]
