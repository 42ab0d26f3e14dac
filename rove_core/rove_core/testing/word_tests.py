"""Standard tests of known items: every word, fact, link and reply, as the vendor shows it."""

# ruff: noqa: S101  # assert is how pytest speaks

import attrs
import pytest

from rove_core.items import ContextItem
from rove_core.testing.expected_item import (
    differences,
    facts_found,
    facts_given,
    unexpected_values,
)
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in


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

    @silver
    @logged_in("rove_item_detail")
    async def test_replies_have_ids_of_their_own(self, scene: Scene) -> None:
        """No two parts of a discussion have one id, and none has the id of the item."""
        item = await scene.detail(self.ref(scene, self.known))
        names = [(each.ref.kind, each.ref.id) for each in (item, *item.thread)]

        assert [name for name in names if names.count(name) > 1] == []

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
    async def test_further_items_are_verbatim(self, scene: Scene) -> None:
        """Each further known item has the expected facts, and text word for word."""
        if not self.more_expected:
            pytest.skip(f"no more_expected are given for {self.kind}")
        for expected in self.more_expected:
            ref = self.ref(scene, expected.id)
            item = await scene.detail(attrs.evolve(ref, kind=expected.kind or ref.kind))

            wrong = list(differences(expected, item))
            assert not wrong, "\n".join(wrong)

    @gold
    @logged_in("rove_item_detail")
    async def test_expected_item_is_told_in_full(self, scene: Scene) -> None:
        """The expected item includes every fact, relation and reply of the item to compare."""
        if self.expected is None:
            pytest.skip(f"{MISSING}give expected: the known item as a person reads it")
        item = await scene.detail(self.ref(scene, self.known))

        missing = [*unexpected_values(self.expected, item)]
        assert missing == [], f"give these in expected: {', '.join(missing)}"

    @gold
    @logged_in("rove_item_detail")
    async def test_further_items_tell_each_fact(self, scene: Scene) -> None:
        """A fact that any further item has, and the known one lacks, is compared in one of them."""
        own = (self.expected,) if self.expected else ()
        given = {name for each in (*own, *self.more_expected) for name in facts_given(each)}
        for expected in self.more_expected:
            ref = self.ref(scene, expected.id)
            item = await scene.detail(attrs.evolve(ref, kind=expected.kind or ref.kind))

            missing = {*facts_found(item)} - given
            assert missing == set(), f"give facts in {expected.id}: {', '.join(sorted(missing))}"

    @gold
    @logged_in("rove_item_detail")
    async def test_thread_is_in_order(self, scene: Scene) -> None:
        """A discussion is in order of time; replies may follow the part they answer."""
        item = await scene.detail(self.ref(scene, self.known))
        times = [part.facts.created or part.timestamp for part in item.thread if not _replies(part)]

        assert times == sorted(times)


def _replies(part: ContextItem) -> bool:
    return any(link.relation == "replies_to" for link in part.links)
