"""Standard tests of recognising references, and of its cost."""

# ruff: noqa: S101  # assert is how pytest speaks

import re
from collections.abc import Iterator
from typing import Final

import attrs
import pytest

from rove_core.items import ContextItem, ItemRef
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.side_effects import at_most, touched
from rove_core.testing.source_under_test import SourceUnderTest, logged_in, on_site

#: Processor seconds for a megabyte: a hundred times what a good pattern takes, a hundredth of
#: what one takes that goes back over the text again and again.
_SECONDS: Final = 2.0

#: What is repeated without end where a pattern that goes back over its text is slow.
_FRAGMENTS: Final = ("A", "a", "1", "-", "A1-", "a/", ".", "_", "#", " ", "\n", "https://", "@a.")

#: The number at the end of an id, which people write alone within its project.
_NUMBER: Final = re.compile(r"[0-9]+$")

_HOST: Final = re.compile(r"(https?://)[^/\s]+")

_HARD: Final = (
    "\x00\x07\x1b[31m\x7f\x85",
    "\ud800 \udfff",  # halves of a character, as broken JSON brings them
    "\uff21\uff22\uff0d\uff11 AB-\u0661\u0662 AB-\u00b9\u00b2 \u0410\u0412-123",  # other scripts
    "\u202eabc\u202c \u200bA\u200b-\u200b1 \ufeff \U000e0041",  # what cannot be seen
    "\u0130\u0131\u017f\u00df \u0149 \ufb00 \u212b",  # longer or shorter in another case
    "e" + "\u0301" * 1000,
)


class RecogniseTests(SourceUnderTest):
    """Tests of recognising references in text."""

    @logged_in("rove_recognise")
    async def test_mentions_are_recognised(self, scene: Scene) -> None:
        """The known item is recognised in each text that names it."""
        for text in self._mentions_on(scene):
            assert self.known in [ref.id for ref in scene.recognise(text)], text

    @logged_in("rove_recognise")
    async def test_several_mentions_are_recognised(self, scene: Scene) -> None:
        """Each item that a text names is found, not the first one alone."""
        mentions = self._mentions_on(scene)
        texts = [text.replace(self.known, self.unknown) for text in mentions]
        if scene.has("rove_search"):
            texts += [item.ref.url for item in await scene.find(self.query)]
        others = {text: ref.id for text in texts for ref in scene.recognise(text)}
        beside = [(text, name) for text, name in others.items() if name != self.known]
        if not beside:
            pytest.skip(f"no text is known that names another item of {self.kind}")
        text, name = beside[0]
        found = [ref.id for ref in scene.recognise(f"{mentions[0]}\n{text}")]

        assert {self.known, name} <= {*found}

    @logged_in("rove_recognise")
    async def test_other_forms_of_an_id_are_recognised(self, scene: Scene) -> None:
        """A form of `id_forms` is recognised as the known item, if as any; one of them is."""
        forms = scene.kind.forms_of(self.known)
        if not forms:
            pytest.skip(f"the ids of {self.kind} have no id_forms")
        seen = {form: [ref.id for ref in scene.recognise(form)] for form in forms}

        assert [form for form, ids in seen.items() if ids not in ([], [self.known])] == []
        assert any(seen.values()), "give id_forms that rove_recognise reads"

    @logged_in("rove_recognise")
    async def test_other_texts_are_left_alone(self, scene: Scene) -> None:
        """Nothing is recognised in texts that name no item."""
        texts = on_site(scene, self.no_mentions)

        assert {text: [*scene.recognise(text)] for text in texts} == {text: [] for text in texts}

    @logged_in("rove_recognise")
    async def test_pages_of_others_are_left_alone(self, scene: Scene) -> None:
        """The path of an item on another host is not recognised."""
        for text in on_site(scene, self.mentions):
            if _HOST.search(text):
                elsewhere = _HOST.sub(r"\1nowhere.invalid", text)
                assert [*scene.recognise(elsewhere)] == [], elsewhere

    @logged_in("rove_recognise")
    async def test_references_belong_to_the_account(self, scene: Scene) -> None:
        """Recognised references belong to the requested account."""
        refs = [ref for text in self._mentions_on(scene) for ref in scene.recognise(text)]

        assert {type(ref) for ref in refs} == {ItemRef}
        assert {ref.account for ref in refs} == {scene.account.name}

    @logged_in("rove_recognise")
    async def test_recognising_touches_nothing(self, scene: Scene) -> None:
        """Recognising opens no file or socket and starts no process."""
        text = "\n".join(on_site(scene, self.mentions))
        scene.recognise(text)  # What it imports, it imports now.

        with touched() as things:
            scene.recognise(text)

        assert things == []

    @logged_in("rove_recognise")
    async def test_any_text_is_survived(self, scene: Scene) -> None:
        """Control characters, lone surrogates and foreign digits break nothing."""
        mention = self._mentions_on(scene)[0]
        for hard in _HARD:
            refs = scene.recognise(f"{hard}\n{mention}\n{hard}")
            assert self.known in [ref.id for ref in refs], ascii(hard)

    @logged_in("rove_recognise")
    async def test_long_texts_are_quick(self, scene: Scene) -> None:
        """A megabyte of text that is hard for regular expressions takes no noticeable time."""
        fragments = (*_FRAGMENTS, *(f"{text} " for text in self._mentions_on(scene)))
        size = 1_000_000 // len(fragments)
        text = "\n".join((part * size)[:size] for part in fragments)

        with at_most(_SECONDS):
            refs = scene.recognise(text)

        assert self.known in [ref.id for ref in refs]

    @silver
    @logged_in("rove_recognise", "rove_item_detail")
    async def test_addresses_of_items_are_recognised(self, scene: Scene) -> None:
        """The addresses of an item, its parts and its links each lead to what they are of."""
        item = await scene.detail(self.ref(scene, self.known))
        refs = [item.ref, *(link.ref for link in item.links)]
        if scene.has("rove_search"):
            refs += [each.ref for each in await scene.find(self.query)]
        wrong = [ref for ref in refs if ref.url and ref.id not in _ids(scene, ref.url)]
        parts = [part.ref for part in item.thread if part.ref.url]
        lost = [
            ref for ref in parts if not {item.ref.id, ref.id}.intersection(_ids(scene, ref.url))
        ]

        assert (wrong, lost) == ([], [])

    @silver
    @logged_in("rove_recognise", "rove_item_detail")
    async def test_addresses_of_others_are_left_alone(self, scene: Scene) -> None:
        """The same addresses on another host, or of another workspace, are not recognised."""
        refs: list[ItemRef] = []
        for described in (None, *self.more_expected):
            ref = self.ref(scene, described.id if described else self.known)
            kind = described.kind if described and described.kind else ref.kind
            item = await scene.detail(attrs.evolve(ref, kind=kind))
            refs += [item.ref, *(link.ref for link in item.links)]
        urls = dict.fromkeys(ref.url for ref in refs if "://" in ref.url)
        others = [other for url in urls for other in self._elsewhere(scene, url)]
        if not others:
            pytest.skip(f"no item of {self.kind} has an address on a host")

        assert {url: _ids(scene, url) for url in others if _ids(scene, url)} == {}

    @silver
    @logged_in("rove_recognise", "rove_item_detail")
    async def test_branches_of_tickets_are_recognised(self, scene: Scene) -> None:
        """The branch that a ticket names as its own is recognised as the ticket, in any case."""
        tickets: list[ContextItem] = []
        for described in (None, *self.more_expected):
            ref = self.ref(scene, described.id if described else self.known)
            kind = described.kind if described and described.kind else ref.kind
            tickets.append(await scene.detail(attrs.evolve(ref, kind=kind)))
        branches = {
            form: item.ref.id
            for item in tickets
            if item.role == "ticket" and (name := item.facts.branch)
            for form in (name, name.lower(), name.upper(), name.title())
        }
        if not branches:
            pytest.skip(f"no ticket of {self.kind} names a branch")

        assert {name: _ids(scene, name) for name in branches} == {
            name: [id_] for name, id_ in branches.items()
        }

    @silver
    @logged_in("rove_recognise")
    async def test_items_of_others_change_no_reference(self, scene: Scene) -> None:
        """An item of another account that has the text gives it no further meaning."""
        known = self.ref(scene, self.known)
        number = _NUMBER.search(self.known)
        texts = [*self._mentions_on(scene), *([f"see #{number[0]}"] if number else [])]
        other = attrs.evolve(known, account=f"{self.kind}:elsewhere")
        for text in texts:
            assert [*scene.recognise(text, origin=other)] == [*scene.recognise(text)], text

    @logged_in("rove_recognise", "rove_item_detail")
    async def test_recognised_items_can_be_read(self, scene: Scene) -> None:
        """Recognised items can be read in full."""
        for text in on_site(scene, self.mentions):
            for ref in scene.recognise(text):
                assert (await scene.detail(ref)).ref.id == ref.id

    def _elsewhere(self, scene: Scene, url: str) -> Iterator[str]:
        """Yield an address as it would be on another host, and in another workspace."""
        if _HOST.match(url):
            yield _HOST.sub(r"\1nowhere.invalid", url)
        identity = scene.account.identity
        workspace = re.escape(identity.workspace) if identity else ""
        if workspace and re.search(rf"\b{workspace}\b", url):
            yield re.sub(rf"\b{workspace}\b", "someone-elses", url)

    def _mentions_on(self, scene: Scene) -> list[str]:
        assert self.mentions, "give texts that mention the known item"
        return on_site(scene, self.mentions)


def _ids(scene: Scene, text: str) -> list[str]:
    return [ref.id for ref in scene.recognise(text)]
