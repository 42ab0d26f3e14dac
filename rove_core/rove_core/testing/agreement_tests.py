"""Standard tests that a search, a listing and the item itself agree."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Iterator
from typing import Final

import pytest
from attrs import fields

from rove_core.facts import Facts
from rove_core.items import ContextItem, Link
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in

#: How many items are compared with what reading them gives.
_SOME: Final = 5
#: Items that have one title, author and time, wherever they are found; a search finds one message
#: of a conversation, with a time and an author of its own.
_ALIKE: Final = frozenset({"ticket", "change", "page"})


class AgreementTests(SourceUnderTest):
    """Tests that one item is the same wherever it is found."""

    @silver
    @logged_in("rove_search", "rove_item_detail")
    async def test_found_items_agree_with_themselves(self, scene: Scene) -> None:
        """What a search says of an item is what reading it says: role, address, title, time."""
        for item in (await scene.find(self.query))[:_SOME]:
            assert _seen(item) == _seen(await scene.detail(item.ref))

    @silver
    @logged_in("rove_search", "rove_item_detail")
    async def test_found_talk_is_part_of_its_thread(self, scene: Scene) -> None:
        """A message that a search finds has the author and the time of one in its thread."""
        found = [item for item in await scene.find(self.query) if item.role == "talk"]
        if not found:
            pytest.skip(f"{self.query!r} finds no talk")
        for item in found[:_SOME]:
            whole = await scene.detail(item.ref)
            messages = {(part.author, part.timestamp) for part in (whole, *whole.thread)}
            assert (item.author, item.timestamp) in messages

    @silver
    @logged_in("rove_list", "rove_item_detail")
    async def test_listed_items_agree_with_themselves(self, scene: Scene) -> None:
        """What a listing says of an item is what reading it says: role, address, title, time."""
        listed, _ = await scene.list_changes()
        for item in [change.item for change in listed if change.item][:_SOME]:
            assert _seen(item) == _seen(await scene.detail(item.ref))

    @silver
    @logged_in("rove_item_detail")
    async def test_facts_are_the_same_wherever_found(self, scene: Scene) -> None:
        """Facts and links in a search or a listing are facts and links of the item itself."""
        found: list[ContextItem] = []
        if scene.has("rove_search"):
            found += (await scene.find(self.query))[:_SOME]
        if scene.has("rove_list"):
            listed, _ = await scene.list_changes()
            found += [each.item for each in listed if each.item][:_SOME]
        for item in (each for each in found if each.role in _ALIKE):
            whole = await scene.detail(item.ref)
            facts, links = {*_told(whole.facts)}, {_link(each) for each in whole.links}

            assert [each for each in _told(item.facts) if each not in facts] == [], item.ref.id
            assert [each for each in map(_link, item.links) if each not in links] == []


def _told(facts: Facts) -> Iterator[tuple[str, object]]:
    """Yield the facts that are set, each with its name."""
    for each in fields(Facts):
        value = getattr(facts, each.name)
        if each.name != "incomplete" and value != each.default:
            yield each.name, value


def _link(link: Link) -> tuple[str, str]:
    return link.relation, link.ref.id


def _seen(item: ContextItem) -> tuple[object, ...]:
    """Return what people see of an item, whichever way it was found."""
    always = item.ref.kind, item.ref.id, item.ref.url, item.role, item.source
    if item.role not in _ALIKE:
        return always
    return *always, item.title, item.author, item.timestamp, item.facts.status
