"""Standard tests of searching: time windows, limits, and early exit."""

# ruff: noqa: S101  # assert is how pytest speaks

from contextlib import aclosing
from datetime import timedelta
from typing import Final

from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in

#: How many of the things found are looked at one by one.
_SOME: Final = 5


class SearchTests(SourceUnderTest):
    """Tests of search."""

    @logged_in("rove_search")
    async def test_search_finds_what_is_there(self, scene: Scene) -> None:
        """Words that several items contain find at least two, changed at different times."""
        found = await scene.find(self.query)

        assert len({item.timestamp for item in found}) > 1

    @logged_in("rove_search")
    async def test_search_finds_nothing_without_complaint(self, scene: Scene) -> None:
        """Words that no item contains find nothing, without an error."""
        assert await scene.find(self.query_for_nothing) == []

    @logged_in("rove_search")
    async def test_search_keeps_the_limit(self, scene: Scene) -> None:
        """A limit of some items returns just so many, and a larger one all that there are."""
        count = len(await scene.find(self.query))
        for limit in sorted({1, 2, count, count + 1}):
            found = [item async for item in scene.search(self.query, limit=limit)]

            assert len(found) == min(limit, count)

    @logged_in("rove_search")
    async def test_search_keeps_since(self, scene: Scene) -> None:
        """Items older than `since` are not found; an item with exactly that time is."""
        found = await scene.find(self.query)

        for since in sorted({item.timestamp for item in found})[:_SOME]:
            expected = [item.ref for item in found if item.timestamp >= since]
            assert [item.ref for item in await scene.find(self.query, since=since)] == expected
        newest = max(item.timestamp for item in found)
        assert await scene.find(self.query, since=newest + timedelta(seconds=1)) == []

    @logged_in("rove_search")
    async def test_search_keeps_until(self, scene: Scene) -> None:
        """Items newer than `until` are not found; an item with exactly that time is."""
        found = await scene.find(self.query)

        for until in sorted({item.timestamp for item in found})[:_SOME]:
            expected = [item.ref for item in found if item.timestamp <= until]
            assert [item.ref for item in await scene.find(self.query, until=until)] == expected
        oldest = min(item.timestamp for item in found)
        assert await scene.find(self.query, until=oldest - timedelta(seconds=1)) == []

    @logged_in("rove_search")
    async def test_search_repeats_itself(self, scene: Scene) -> None:
        """The same query returns the same items in the same order."""
        assert await scene.find(self.query) == await scene.find(self.query)

    @logged_in("rove_search")
    async def test_search_can_be_left_early(self, scene: Scene) -> None:
        """A search can be closed early without an error."""
        async with aclosing(scene.search(self.query)) as found:
            first = await anext(found)

        assert first is not None
        assert await anext(found, None) is None

    @logged_in("rove_search", "rove_item_detail")
    async def test_found_items_can_be_read(self, scene: Scene) -> None:
        """Every item that a search finds can be read in full."""
        for item in (await scene.find(self.query))[:_SOME]:
            assert (await scene.detail(item.ref)).ref.id == item.ref.id
