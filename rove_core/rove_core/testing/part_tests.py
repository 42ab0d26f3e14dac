"""Standard tests of parts of items: replies and files that are read on their own."""

# ruff: noqa: S101  # assert is how pytest speaks

from contextlib import suppress
from random import Random

import attrs
import pytest

from rove_core.errors import ItemNotFound, RoveError
from rove_core.items import ContextItem, ItemRef
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in


class PartTests(SourceUnderTest):
    """Tests that a part is the same within its item and alone, and an item before and after."""

    @silver
    @logged_in("rove_item_detail")
    async def test_replies_read_alone_are_the_same(self, scene: Scene) -> None:
        """A part of a discussion that can be read by its own reference has the same words."""
        item = await scene.detail(self.ref(scene, self.known))
        alone = [(part, await _read(scene, part.ref)) for part in item.thread]
        pairs = [(part, one) for part, one in alone if one and one.ref.id == part.ref.id]
        if not pairs:
            pytest.skip(f"{self.kind} reads no part of a discussion on its own")

        for part, one in pairs:
            assert _content_of(one) == _content_of(part)

    @silver
    @logged_in("rove_item_detail")
    async def test_attached_files_are_files(self, scene: Scene) -> None:
        """An attached file is read by its item's reference and its name, where the source can."""
        item = await scene.detail(self.ref(scene, self.known))
        names = [(each, name) for each in (item, *item.thread) for name in each.facts.attachments]
        read = [(each, await _read(scene, each.ref.file(name))) for each, name in names]
        files = [(each, file) for each, file in read if file]
        if not files:
            pytest.skip(f"{self.kind} reads no files, or {self.known} has none")

        for each, file in files:
            assert (file.role, file.account) == ("file", scene.account.name)
            assert file.content
            assert file.author in {each.author, ""} or each is item, f"{file.title}: not its author"
            with pytest.raises(ItemNotFound):
                await scene.detail(attrs.evolve(file.ref, id=f"{file.ref.id}-gone"))

    @silver
    @logged_in("rove_item_detail", "rove_list")
    async def test_changed_item_is_read_anew(self, scene: Scene) -> None:
        """What was read before and has changed is read as it is now."""
        steps, chance = scene.vendor.steps, Random(0)  # noqa: S311  # a history, not a secret
        if "add" not in steps or "edit" not in steps:
            pytest.skip("the steps of Vendor are not add and edit")
        steps["add"](chance)
        for step in ("edit", "edit"):
            listed, _ = await scene.list_changes()
            there = scene.vendor.there()
            refs = [each.item.ref for each in listed if each.item and each.item.ref.id in there]
            for ref in refs:
                assert there[ref.id] in _words(await scene.detail(ref))
            steps[step](chance)


async def _read(scene: Scene, ref: ItemRef) -> ContextItem | None:
    """Return what a reference leads to; None where the source reads no such thing."""
    with suppress(RoveError):
        return await scene.detail(ref)
    return None


def _content_of(item: ContextItem) -> tuple[object, ...]:
    return item.ref.kind, item.author, item.timestamp, item.content


def _words(item: ContextItem) -> str:
    return "\n".join((item.title, item.content, *(part.content for part in item.thread)))
