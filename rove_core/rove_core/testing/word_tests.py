"""Standard tests of known items: every word, fact, link and reply, as the vendor shows it."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Iterator
from typing import Final

import pytest
from attrs import fields

from rove_core.facts import Facts
from rove_core.items import ContextItem
from rove_core.testing.expected_item import ExpectedItem, differences
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in

#: Facts that a part of a discussion shares with the whole, or that are its time again.
_OF_A_PART: Final = frozenset({"created", "channel", "on", "project"})


class WordTests(SourceUnderTest):
    """Tests that items contain people's words verbatim."""

    @silver
    @logged_in("rove_search")
    async def test_found_items_are_complete(self, scene: Scene) -> None:
        """Found items have text, a title, and the URL for the citation."""
        found = await scene.find(self.query)
        for item in found:
            assert item.title, item.ref.id
            assert item.ref.url or not scene.account.base_url, f"{item.ref.id} has no url"

        assert any(item.content for item in found)

    @silver
    @logged_in("rove_item_detail")
    async def test_replies_can_be_cited(self, scene: Scene) -> None:
        """Each part of a discussion has an address if the item has one."""
        item = await scene.detail(self.ref(scene, self.known))
        if not item.ref.url:
            pytest.skip(f"{self.known} has no address")

        assert [part.ref.id for part in item.thread if not part.ref.url] == []

    @gold
    @logged_in("rove_item_detail")
    async def test_known_item_is_verbatim(self, scene: Scene) -> None:
        """The known item and its discussion have the expected text, word for word."""
        if self.expected is None:
            pytest.skip(f"{MISSING}give expected: the known item as a person reads it")
        item = await scene.detail(self.ref(scene, self.known))

        wrong = list(differences(self.expected, item))
        assert not wrong, "\n".join(wrong)

    @gold
    @logged_in("rove_item_detail")
    async def test_expected_item_is_told_in_full(self, scene: Scene) -> None:
        """The expected item includes every fact, relation and reply of the item to compare."""
        if self.expected is None:
            pytest.skip(f"{MISSING}give expected: the known item as a person reads it")
        item = await scene.detail(self.ref(scene, self.known))

        left_out = [*_left_out(self.expected, item)]
        assert left_out == [], f"give these in expected: {', '.join(left_out)}"

    @gold
    @logged_in("rove_item_detail")
    async def test_thread_is_in_order(self, scene: Scene) -> None:
        """A discussion is in order of time; replies may follow the part they answer."""
        item = await scene.detail(self.ref(scene, self.known))
        times = [part.facts.created or part.timestamp for part in item.thread if not _replies(part)]

        assert times == sorted(times)


def _replies(part: ContextItem) -> bool:
    return any(link.relation == "replies_to" for link in part.links)


def _left_out(expected: ExpectedItem, item: ContextItem) -> Iterator[str]:
    """Yield what an item has and the expected one does not say."""
    said = {"role": item.role, "title": item.title, "url": item.ref.url, **_of_each(item)}
    yield from (name for name, value in said.items() if value and not getattr(expected, name))
    yield from _facts_left_out(expected.facts or Facts(), item.facts)
    yield from _relations_left_out(expected, item)
    if item.thread and not expected.thread:
        yield "thread"
    for number, (wanted, part) in enumerate(zip(expected.thread or (), item.thread, strict=False)):
        left = [
            name for name, value in _of_each(part).items() if value and not getattr(wanted, name)
        ]
        of_part = _facts_left_out(wanted.facts or Facts(), part.facts, but=_OF_A_PART)
        relations = _relations_left_out(wanted, part)
        yield from (f"{name} of thread[{number}]" for name in (*left, *of_part, *relations))


def _relations_left_out(expected: ExpectedItem, item: ContextItem) -> Iterator[str]:
    given = {relation for relation, _ in expected.links}
    for relation in sorted({link.relation for link in item.links} - given):
        yield f"links ({relation})"


def _of_each(item: ContextItem) -> dict[str, object]:
    """Return what every part of a discussion has, too."""
    return {"author": item.author, "timestamp": item.timestamp, "words": item.content}


def _facts_left_out(
    expected: Facts, facts: Facts, *, but: frozenset[str] = frozenset()
) -> Iterator[str]:
    for each in fields(Facts):
        if each.name in but:
            continue
        if not _is_empty(getattr(facts, each.name)) and _is_empty(getattr(expected, each.name)):
            yield f"facts.{each.name}"


def _is_empty(value: object) -> bool:
    return value in (None, "", (), False)
