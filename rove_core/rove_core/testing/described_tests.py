"""Standard tests of the description itself: it leaves nothing of the source untested."""

# ruff: noqa: S101  # assert is how pytest speaks

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

import attrs
import pytest

from rove_core.items import ContextItem
from rove_core.testing.expected_item import (
    OF_A_PART,
    ExpectedItem,
    facts_found,
    facts_given,
    other_words,
    undescribed_names,
)
from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import uncompressed
from rove_core.testing.levels import MISSING, gold
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in, proxied

#: How many of the items that are listed or found are read for what else they say.
_SOME: Final = 12
#: How many words of an item are searched for.
_MOST_WORDS: Final = 8
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
#: What stands in the text of people and is markup, or looks like it.
_SIGNS: Final = ("<", "*", "://")
#: Vendors write a mention with an id, and people read a name.
_MENTION: Final = re.compile(r"(?<![\w.])@[^\W\d_]")


class DescribedTests(SourceUnderTest):
    """Tests that the described items leave no word, fact, relation and field untested."""

    @gold
    @logged_in("rove_item_detail")
    async def test_described_items_have_no_other_words(self, scene: Scene) -> None:
        """The words of a described item are all of its words: none is lost, and none added."""
        if self.expected is None:
            pytest.skip(f"{MISSING}give expected: the known item as a person reads it")
        others = [
            words
            for described in (self.expected, *self.more_expected)
            for words in other_words(described, await self._read_described(scene, described))
        ]
        if others:
            pytest.skip(f"{MISSING}give words, too, for {', '.join(others)}")

    @gold
    @logged_in("rove_item_detail")
    async def test_parts_and_links_are_described(self, scene: Scene) -> None:
        """The expected item has the address of each part, and what its links are called."""
        if self.expected is None:
            pytest.skip(f"{MISSING}give expected: the known item as a person reads it")
        item = await self._read_described(scene, self.expected)
        if missing := [*undescribed_names(self.expected, item)]:
            pytest.skip(f"{MISSING}give expected, too, {', '.join(missing)}")

    @gold
    @logged_in("rove_item_detail")
    async def test_every_fact_is_described(self, scene: Scene) -> None:
        """A fact or a relation that any item has is compared in a described one."""
        if self.expected is None:
            pytest.skip(f"{MISSING}give expected: the known item as a person reads it")
        described = (self.expected, *self.more_expected)
        facts = {name for each in described for name in facts_given(each)}
        relations = {relation for each in described for relation in _relations_given(each)}
        lost: dict[str, str] = {}
        for item in await self._any_items(scene):
            names = {*facts_found(item)} - facts - OF_A_PART
            lost |= {f"facts.{name}": item.ref.id for name in names}
            found = {link.relation for part in _parts(item) for link in part.links}
            lost |= {f"a link ({name})": item.ref.id for name in found - relations}

        if lost:
            pytest.skip(f"{MISSING}describe in more_expected {_listed(lost)}")

    @gold
    @logged_in("rove_item_detail")
    async def test_described_items_tell_values_apart(self, scene: Scene) -> None:
        """What is easily mixed up differs: author and assignee, creation and change, plain text."""
        if self.expected is None:
            pytest.skip(f"{MISSING}give expected: the known item as a person reads it")
        items = [
            await self._read_described(scene, each) for each in (self.expected, *self.more_expected)
        ]
        alike = [name for name, differs in _DIFFERENCES.items() if not differs(items)]
        if self.user and all(part.author in {self.user, ""} for part in _all_parts(items)):
            alike.append("an author other than user")
        if scene.kind.logins and self.user and not _mention(items):
            alike.append("a text that mentions somebody, like @ann")
        if alike:
            pytest.skip(f"{MISSING}describe, in expected or more_expected, {'; '.join(alike)}")

    @gold
    @proxied("rove_item_detail")
    async def test_days_sent_as_times_are_described(self, scene: Scene, proxy: FaultProxy) -> None:
        """Where a due day comes as a time, one is described that is another day in UTC."""
        seen: list[str] = []
        proxy.rewrite(uncompressed)
        proxy.watch(lambda _, reply: seen.append(reply.body.decode(errors="replace")))
        described = (self.expected or ExpectedItem(), *self.more_expected)
        ways: dict[str, str] = {}
        for each in described:
            seen.clear()
            if day := (await self._read_described(scene, each)).facts.due:
                ways[f"{day}"] = _way_of(day, "".join(seen))
        if not ways:
            pytest.skip(f"no described item of {self.kind} has a due day")
        if {*ways.values()} == {"the same day"}:
            pytest.skip(f"{MISSING}describe an item due on a day that is another one in UTC")

    @gold
    @logged_in("rove_search")
    async def test_each_field_is_described(self, scene: Scene) -> None:
        """There are words for each field in which one can search."""
        names = [field.name for field in scene.kind.fields]
        if len(names) < 2:
            pytest.skip(f"{self.kind} has no two searchable fields")
        if missing := [name for name in names if name not in self.in_fields]:
            pytest.skip(f"{MISSING}give in_fields, too, for {', '.join(missing)}")

    @gold
    @logged_in("rove_search", "rove_item_detail")
    async def test_each_described_kind_is_found(self, scene: Scene) -> None:
        """A search for words of an item finds an item of each described kind."""
        found: set[str] = set()
        kinds: dict[str, str] = {}
        for described in (ExpectedItem(), *self.more_expected):
            kind = described.kind or self.known_kind
            if kind in found or kind in self.unsearched:
                continue
            item = await self._read_described(scene, described)
            kinds[kind] = item.ref.id
            if await _is_found(scene, item):
                found.add(kind)
        lost = {kind: name for kind, name in kinds.items() if kind not in found}

        assert lost == {}, f"no search for its own words finds any of {lost}: give unsearched?"

    async def _read_described(self, scene: Scene, described: ExpectedItem) -> ContextItem:
        ref = self.ref(scene, described.id or self.known)
        return await scene.detail(attrs.evolve(ref, kind=described.kind or ref.kind))

    async def _any_items(self, scene: Scene) -> list[ContextItem]:
        """Return items that are listed and found, and some of them in full."""
        items: list[ContextItem] = []
        if scene.has("rove_list"):
            items += [each.item for each in (await scene.list_changes())[0] if each.item]
        if scene.has("rove_search"):
            items += await scene.find(self.query)
        refs = dict.fromkeys((item.ref.kind, item.ref) for item in items)
        return [*items, *[await scene.detail(ref) for _, ref in [*refs][:_SOME]]]


def _way_of(day: date, replies: str) -> str:
    """Return as what a vendor sent a day: as it is, or as a time on the same or another day."""
    if f'"{day}"' in replies:
        return "a day"
    return "the same day" if f'"{day}T' in replies else "another day"


async def _is_found(scene: Scene, item: ContextItem) -> bool:
    """Return whether a word of an item, or the title, finds it."""
    words = dict.fromkeys(_WORD.findall(f"{item.title} {item.content}"))
    for text in (item.title, *[*words][:_MOST_WORDS]):
        if item.ref.id in {each.ref.id for each in await scene.find(text)}:
            return True
    return False


def _author_is_no_assignee(items: list[ContextItem]) -> bool:
    assigned = [item for item in items if item.facts.assignees and item.author]
    return not assigned or any(item.author not in item.facts.assignees for item in assigned)


def _part_is_by_another(items: list[ContextItem]) -> bool:
    parts = [(item, part) for item in items for part in item.thread if part.author]
    return not parts or any(
        part.author not in {item.author, *item.facts.assignees} for item, part in parts
    )


def _change_is_no_creation(items: list[ContextItem]) -> bool:
    dated = [item for item in items if item.facts.created]
    return not dated or any(item.timestamp != item.facts.created for item in dated)


def _due_is_no_other_day(items: list[ContextItem]) -> bool:
    due = [item for item in items if item.facts.due]
    return not due or any(
        item.facts.due not in {each.date() for each in _times(item)} for item in due
    )


def _several_labels(items: list[ContextItem]) -> bool:
    counts = {len(item.facts.labels) for item in items} - {0}
    return not counts or max(counts) > 1


def _markup(items: list[ContextItem]) -> bool:
    return all(any(sign in item.content for item in items) for sign in _SIGNS)


def _markup_below(items: list[ContextItem]) -> bool:
    parts = [part for item in items for part in item.thread]
    return not parts or any("<" in part.content for part in parts)


def _mention(items: list[ContextItem]) -> bool:
    """Return whether a text mentions somebody; True where nobody is known to answer."""
    if not any(part.author for item in items for part in item.thread):
        return True
    return any(_MENTION.search(part.content) for part in _all_parts(items))


#: What described items have to differ in, in words for their author.
_DIFFERENCES: Final[Mapping[str, Callable[[list[ContextItem]], bool]]] = MappingProxyType(
    {
        "an item whose author is not its assignee": _author_is_no_assignee,
        "a reply by neither author nor assignee": _part_is_by_another,
        "an item that was changed after its creation": _change_is_no_creation,
        "an item that is due on a day on which it was not changed": _due_is_no_other_day,
        "an item with two labels": _several_labels,
        f"text with each of {' '.join(_SIGNS)}": _markup,
        "a reply with a < in its text": _markup_below,
    }
)


def _times(item: ContextItem) -> Iterator[datetime]:
    yield item.timestamp
    if item.facts.created:
        yield item.facts.created


def _parts(item: ContextItem) -> Iterator[ContextItem]:
    yield item
    for part in item.thread:
        yield from _parts(part)


def _all_parts(items: list[ContextItem]) -> list[ContextItem]:
    return [part for item in items for part in _parts(item)]


def _relations_given(described: ExpectedItem) -> Iterator[str]:
    yield from (link[0] for link in described.links)
    for part in described.thread or ():
        yield from _relations_given(part)


def _listed(lost: Mapping[str, str]) -> str:
    return ", ".join(f"{name} of {where}" for name, where in sorted(lost.items()))
