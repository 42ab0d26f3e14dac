"""Standard tests of order and paging: everything, in the promised order."""

# ruff: noqa: S101  # assert is how pytest speaks

import re
from datetime import timedelta
from typing import Final

import attrs
import pytest

from rove_core.items import ContextItem
from rove_core.testing.faults import FaultProxy
from rove_core.testing.levels import MISSING, silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in, proxied

#: A word that no item has.
_NOWHERE: Final = "zyxqwvut"
_WORD: Final = re.compile(r"[A-Za-z]{4,}")
#: What people type around a word.
_SIGNS: Final = ("{}'s \"{}", "({} [a] {b})", "{}: \\ / * ? ~ % _ ; -- $ ^ |", "<{}> & #1 @a")


class PageTests(SourceUnderTest):
    """Tests of search paging and order."""

    @silver
    @logged_in("rove_search")
    async def test_search_is_in_order(self, scene: Scene) -> None:
        """The last changed item comes first, unless the source declares that it ranks."""
        if not self.newest_first:
            pytest.skip("newest_first = False: the vendor ranks what it finds")
        times = [item.timestamp for item in await scene.find(self.query)]

        assert times == sorted(times, reverse=True)

    @silver
    @proxied("rove_search")
    async def test_search_reads_every_page(self, scene: Scene, proxy: FaultProxy) -> None:
        """Smaller pages return the same items in the same order, with more requests."""
        if "page_size" not in attrs.fields_dict(scene.kind.settings):
            pytest.skip(f"the settings of {self.kind} have no page_size")
        whole = [item.ref.id for item in await scene.find(self.query)]
        before = len(proxy.requests)
        scene.change(page_size=1)
        paged = [item.ref.id for item in await scene.find(self.query)]

        assert paged == whole
        count = len(proxy.requests) - before
        if count < len(whole):
            pytest.skip(f"{MISSING}page_size = 1 brings {len(whole)} items in {count} requests")

    @silver
    @logged_in("rove_item_detail")
    async def test_discussion_reads_every_page(self, scene: Scene) -> None:
        """Smaller pages lose no part of an item."""
        if "page_size" not in attrs.fields_dict(scene.kind.settings):
            pytest.skip(f"the settings of {self.kind} have no page_size")
        whole = await scene.detail(self.ref(scene, self.known))
        scene.change(page_size=1)
        paged = await scene.detail(self.ref(scene, self.known))

        assert {link.ref.id for link in paged.links} == {link.ref.id for link in whole.links}
        assert attrs.evolve(paged, links=()) == attrs.evolve(whole, links=())

    @silver
    @logged_in("rove_search")
    async def test_search_keeps_to_the_fields_asked_for(self, scene: Scene) -> None:
        """A query for a field finds only items with the words in that field."""
        if not scene.kind.fields or (len(scene.kind.fields) == 1 and not self.in_fields):
            pytest.skip(f"{self.kind} has no two searchable fields")
        if not self.in_fields:
            pytest.skip(f"{MISSING}give in_fields: words, and the ids with these words in a field")
        for field, (words, ids) in self.in_fields.items():
            found = [item.ref.id for item in await scene.find(words, fields=(field,))]
            everywhere = [item.ref.id for item in await scene.find(words)]
            assert set(found) == set(ids), field
            assert {*everywhere} - {*found}, f"{field}: choose words that occur elsewhere too"

    @silver
    @logged_in("rove_search")
    async def test_search_of_fields_needs_every_word(self, scene: Scene) -> None:
        """A query for a field does not find items with only some of the words there."""
        if not self.in_fields:
            pytest.skip(f"no in_fields are given for {self.kind}")
        for field, (words, _) in self.in_fields.items():
            for text in (f"{words} {_NOWHERE}", f"{_NOWHERE} {words}"):
                found = [item.ref.id for item in await scene.find(text, fields=(field,))]
                assert found == [], f"{field}: {text}"

    @silver
    @logged_in("rove_search")
    async def test_words_of_a_field_stand_anywhere_in_it(self, scene: Scene) -> None:
        """A field is searched for words in any case and order, wherever in it they stand."""
        names = {each.name for each in scene.kind.fields if each.field_type == "text"}
        texts = {name: given for name, given in self.in_fields.items() if name in names}
        if not texts:
            pytest.skip(f"no in_fields are given for a field of text of {self.kind}")
        for field, (words, _) in texts.items():
            item = (await scene.find(words, fields=(field,)))[0]
            forms = [words.upper(), words.lower()]
            for other in await self._words_inside(scene, item, field):
                forms += [f"{words} {other}", f"{other} {words}"]
            for text in forms:
                found = [each.ref.id for each in await scene.find(text, fields=(field,))]
                assert item.ref.id in found, f"{field}: {text}"

    @silver
    @logged_in("rove_search")
    async def test_ids_are_found_in_any_case(self, scene: Scene) -> None:
        """A field of ids is searched for an id in any case."""
        names = {each.name for each in scene.kind.fields if each.field_type == "id_reference"}
        texts = {name: given for name, given in self.in_fields.items() if name in names}
        if not texts:
            pytest.skip(f"{self.kind} has no field of ids, or none is given in in_fields")
        for field, (words, ids) in texts.items():
            for text in (words.upper(), words.lower()):
                found = {each.ref.id for each in await scene.find(text, fields=(field,))}
                assert found == {*ids}, f"{field}: {text}"

    @silver
    @logged_in("rove_search")
    async def test_any_sign_can_be_searched_for(self, scene: Scene) -> None:
        """Quotes, brackets and other signs in a query break nothing."""
        fields = [(), *((name,) for name in self.in_fields)]
        for text in _SIGNS:
            for field in fields:
                await scene.find(text.replace("{}", self.query.split()[0]), fields=field)

    @silver
    @logged_in("rove_search")
    async def test_words_elsewhere_do_not_count(self, scene: Scene) -> None:
        """Where a query names a field, words that an item has elsewhere do not make it a hit."""
        if not self.in_fields:
            pytest.skip(f"no in_fields are given for {self.kind}")
        for field, (words, _) in self.in_fields.items():
            item = (await scene.find(words, fields=(field,)))[0]
            for other in await self._words_outside(scene, item, field):
                for text in (f"{words} {other}", f"{other} {words}"):
                    found = [each.ref.id for each in await scene.find(text, fields=(field,))]
                    assert item.ref.id not in found, f"{field}: {text}"

    @silver
    @logged_in("rove_search")
    async def test_search_of_fields_keeps_the_window(self, scene: Scene) -> None:
        """Where a query names a field, nothing older and nothing newer is found either."""
        if not self.in_fields:
            pytest.skip(f"no in_fields are given for {self.kind}")
        for field, (words, ids) in self.in_fields.items():
            found = await scene.find(words, fields=(field,))
            late = max(item.timestamp for item in found) + timedelta(seconds=1)
            early = min(item.timestamp for item in found) - timedelta(seconds=1)

            assert await scene.find(words, fields=(field,), since=late) == [], field
            assert await scene.find(words, fields=(field,), until=early) == [], field
            window = await scene.find(words, fields=(field,), since=early, until=late)
            assert {item.ref.id for item in window} == {*ids}, field

    async def _words_inside(self, scene: Scene, item: ContextItem, field: str) -> list[str]:
        """Return a word that an item has in the field, too; nothing if none is known."""
        own = {word.lower() for word in _WORD.findall(self.in_fields[field][0])}
        for word in dict.fromkeys(_WORD.findall(f"{item.title} {item.content}")):
            if word.lower() in own:
                continue
            there = {each.ref.id for each in await scene.find(word, fields=(field,))}
            if item.ref.id in there:
                return [word]
        return []

    async def _words_outside(self, scene: Scene, item: ContextItem, field: str) -> list[str]:
        """Return a word that an item has, and not in the field; nothing if none is known."""
        for word in dict.fromkeys(_WORD.findall(f"{item.content} {item.title}")):
            anywhere = {each.ref.id for each in await scene.find(word)}
            there = {each.ref.id for each in await scene.find(word, fields=(field,))}
            if item.ref.id in anywhere - there:
                return [word]
        return []
