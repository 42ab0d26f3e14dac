"""Standard tests of items: account, times and links."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from types import MappingProxyType
from typing import Final

import pytest

from rove_core.errors import ItemNotFound
from rove_core.items import ContextItem, ItemRef
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in, on_site

#: What an item is to another one that is this to it.
_OPPOSITES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mentions": "mentioned_by",
        "mentioned_by": "mentions",
        "parent": "child",
        "child": "parent",
        "blocks": "blocked_by",
        "blocked_by": "blocks",
        "duplicates": "duplicated_by",
        "duplicated_by": "duplicates",
    }
)


class ItemTests(SourceUnderTest):
    """Tests of the items that a source returns."""

    @logged_in("rove_item_detail")
    async def test_detail_is_the_item_asked_for(self, scene: Scene) -> None:
        """The returned item has the requested reference."""
        ref = self.ref(scene, self.known)
        item = await scene.detail(ref)

        assert isinstance(item, ContextItem)
        assert (item.ref.kind, item.ref.id) == (ref.kind, ref.id)

    @logged_in("rove_item_detail")
    async def test_unknown_item_is_not_found(self, scene: Scene) -> None:
        """A valid id that does not exist raises ``ItemNotFound``."""
        with pytest.raises(ItemNotFound):
            await scene.detail(self.ref(scene, self.unknown))

    @logged_in("rove_item_detail")
    async def test_id_is_no_address(self, scene: Scene) -> None:
        """An id with a query, a fragment or a path attached, as anybody may write, is no item."""
        around = "{}?a=b", "{}#a", "a/../{}"
        ids: list[str] = []
        for form in around:
            with suppress(Exception):
                item = await scene.detail(self.ref(scene, form.format(self.known)))
                ids.append(item.ref.id)

        assert ids == []

    @logged_in()
    async def test_items_belong_to_the_account(self, scene: Scene) -> None:
        """Every item, and its whole thread, belongs to the requested account."""
        parts = await self._parts(scene)

        assert {type(part) for part in parts} == {ContextItem}
        assert {part.account for part in parts} == {scene.account.name}

    @logged_in()
    async def test_times_are_utc(self, scene: Scene) -> None:
        """The times of every item, and of its whole thread, are in UTC."""
        parts = await self._parts(scene)

        assert {part.timestamp.utcoffset() for part in parts} == {timedelta()}

    @logged_in()
    async def test_links_stay_with_the_vendor(self, scene: Scene) -> None:
        """Every URL is on a host of the account, or empty."""
        parts = await self._parts(scene)
        refs = [part.ref for part in parts] + [link.ref for part in parts for link in part.links]

        assert [
            ref.url for ref in [*refs, *self._mentions(scene)] if not scene.is_own(ref.url)
        ] == []

    @silver
    @logged_in("rove_item_detail")
    async def test_relations_agree_from_both_sides(self, scene: Scene) -> None:
        """Relations are opposite on both sides: if one item blocks another, that one is blocked."""
        subject = await scene.detail(self.ref(scene, self.known))
        near = [subject]
        for ref in dict.fromkeys(link.ref for link in subject.links if link.relation in _OPPOSITES):
            with suppress(ItemNotFound):
                near.append(await scene.detail(ref))
        if len(near) == 1:
            pytest.skip(f"{subject.ref.id} has no relation that has an opposite")
        relations = {
            (item.ref.id, link.relation, link.ref.id) for item in near for link in item.links
        }
        turned = [
            (one, relation, other)
            for one, relation, other in sorted(relations)
            if relation in _OPPOSITES
            and (other, relation, one) in relations
            and (other, _OPPOSITES[relation], one) not in relations
        ]

        assert turned == []

    async def _parts(self, scene: Scene) -> list[ContextItem]:
        """Return all items that the source returns for the known item."""
        items: list[ContextItem] = []
        if scene.has("rove_search"):
            items += await scene.find(self.query)
        if scene.has("rove_item_detail"):
            items.append(await scene.detail(self.ref(scene, self.known)))
        if not items:
            pytest.skip(f"{self.kind} has neither rove_search nor rove_item_detail")
        return [part for item in items for part in _all(item)]

    def _mentions(self, scene: Scene) -> Iterator[ItemRef]:
        if scene.has("rove_recognise"):
            for text in on_site(scene, self.mentions):
                yield from scene.recognise(text)


def _all(item: ContextItem) -> Iterator[ContextItem]:
    yield item
    for part in item.thread:
        yield from _all(part)
