"""Standard tests of listing: everything, newest first, nothing twice, and on from a cursor."""

# ruff: noqa: S101  # assert is how pytest speaks

from datetime import datetime

from rove_core.items import ItemRef
from rove_core.listing import ListedChange
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in


class ListTests(SourceUnderTest):
    """What a listing yields, and how the next one goes on."""

    @silver
    @logged_in("rove_list")
    async def test_listing_brings_the_known_item(self, scene: Scene) -> None:
        """It is there, and so are others."""
        listed, _ = await scene.listed()
        ids = [ref.id for ref, _ in _items(listed)]

        assert self.known in ids
        assert len(ids) > 1

    @silver
    @logged_in("rove_list")
    async def test_listing_is_newest_first(self, scene: Scene) -> None:
        """Who stops early has what matters most."""
        listed, _ = await scene.listed()
        times = [at for _, at in _items(listed)]

        assert times == sorted(times, reverse=True)

    @silver
    @logged_in("rove_list")
    async def test_listing_goes_on_from_its_cursor(self, scene: Scene) -> None:
        """The next listing brings nothing when nothing changed."""
        _, cursor = await scene.listed()
        again, _ = await scene.listed(cursor)

        assert cursor != ""
        assert _items(again) == []

    @silver
    @logged_in("rove_list")
    async def test_listing_repeats_nothing(self, scene: Scene) -> None:
        """One item at a time brings each item once, and all of them in the end."""
        listed, _ = await scene.listed()
        once, cursor = [], ""
        for _ in listed:
            some, cursor = await scene.listed(cursor, limit=1)
            once += _items(some)

        assert once == _items(listed)


def _items(changes: list[ListedChange]) -> list[tuple[ItemRef, datetime]]:
    return [(each.item.ref, each.item.timestamp) for each in changes if each.item]
