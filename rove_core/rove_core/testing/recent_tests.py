"""Standard tests of the optional hooks that bring a mirror up to date in few requests."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Final

import pytest

from rove_core.errors import ItemNotFound
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.list_tests import Copy
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in

#: Steps of a vendor after which an item has another id, or none: ``rove_list`` finds these.
_LEFT_OUT: Final = frozenset({"delete", "move", "rename"})
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
#: How often each other step is taken.
_ROUNDS: Final = 2
#: Follows a container's name; there is no container of that name.
_LOST: Final = "lost"


class RecentTests(SourceUnderTest):
    """Tests of recent changes, and of the containers that can still be read."""

    @silver
    @logged_in("rove_readable", "rove_containers")
    async def test_readable_containers_are_those_asked_for(self, scene: Scene) -> None:
        """Of some names, those of containers are readable, and no other container is returned."""
        for name in await _names(scene):
            readable = await scene.awaited("rove_readable", names=[name, f"{name}{_LOST}"])
            unknown = await scene.awaited("rove_readable", names=[f"{name}{_LOST}"])

            assert [each.name for each in readable] == [name]
            assert [each.name for each in unknown] == []

    @silver
    @logged_in("rove_list_recent", "rove_list", "rove_containers")
    async def test_recent_changes_are_whole_and_have_their_container(self, scene: Scene) -> None:
        """Each listed item comes once, with its discussion and the container that lists it."""
        for name in await _names(scene):
            listed = (await scene.list_changes(containers=(name,)))[0]
            recent = await scene.list_recent((name,), _LONG_AGO)
            ids = [each.item.ref.id for each in recent if each.item]

            assert {each.item.ref.id for each in listed if each.item} <= {*ids}
            assert len(ids) == len({*ids})
            assert {each.container for each in recent} <= {name}
            for each in recent:
                assert each.item is not None, "a recent change is an item"
                assert each.whole
                assert each.item.thread == (await scene.detail(each.item.ref)).thread

    @silver
    @logged_in("rove_list_recent", "rove_list", "rove_containers")
    async def test_recent_changes_of_several_containers_have_their_own(self, scene: Scene) -> None:
        """Asked for together, each item comes with the container that has it when asked alone."""
        names = tuple(await _names(scene))
        together = await scene.list_recent(names, _LONG_AGO)
        alone = [each for name in names for each in await scene.list_recent((name,), _LONG_AGO)]
        places = [
            {(each.item.ref.id, each.container) for each in found if each.item}
            for found in (together, alone)
        ]

        assert {name for name, _ in places[0]} == {name for name, _ in places[1]}
        assert places[0] <= places[1]

    @silver
    @logged_in("rove_list_recent", "rove_list", "rove_containers")
    async def test_recent_changes_keep_since(self, scene: Scene) -> None:
        """An item that changed at exactly that time is listed; not all that changed before are."""
        names = tuple(await _names(scene))
        everything = await scene.list_recent(names, _LONG_AGO)
        times = {each.item.ref.id: each.item.timestamp for each in everything if each.item}
        since = max(times.values())
        recent = await scene.list_recent(names, since)
        ids = {each.item.ref.id for each in recent if each.item}

        assert {name for name, at in times.items() if at == since} <= ids
        # A vendor may know of a change that the item's own time does not show.
        assert len(ids) < len(times)

    @silver
    @logged_in("rove_list_recent", "rove_list", "rove_containers")
    async def test_recent_changes_of_a_lost_container_are_refused(self, scene: Scene) -> None:
        """ItemNotFound is raised if one of the containers cannot be read."""
        names = await _names(scene)
        since = max(each.item.timestamp for each in (await scene.list_changes())[0] if each.item)

        with pytest.raises(ItemNotFound):
            await scene.list_recent((*names, f"{names[0]}{_LOST}"), since)

    @gold
    @logged_in("rove_list_recent", "rove_list", "rove_containers")
    async def test_recent_changes_leave_out_nothing(self, scene: Scene) -> None:
        """After any additions, edits and answers, they bring each item that differs."""
        steps = scene.vendor.steps
        if not steps:
            pytest.skip(f"{MISSING}give steps and there of Vendor: ways to change what it has")
        names = tuple(await _names(scene))
        listed = (await scene.list_changes())[0]
        since = max(each.item.timestamp for each in listed if each.item)
        before, after, recent = Copy(scene), Copy(scene), Copy(scene)
        await before.follow()
        chance = Random(0)  # noqa: S311  # a history, not a secret
        for name in sorted({*steps} - _LEFT_OUT) * _ROUNDS:
            steps[name](chance)
        await after.follow()
        for change in await scene.list_recent(names, since):
            await recent.take(change)

        changed = {
            name: words for name, words in after.items.items() if before.items.get(name) != words
        }
        assert changed != {}
        for name, words in changed.items():
            assert {*words} <= {*recent.items.get(name, ())}

    @gold
    @logged_in("rove_list_recent", "rove_list", "rove_containers")
    async def test_recent_changes_bring_nothing_that_is_gone(self, scene: Scene) -> None:
        """What was deleted, moved or renamed is no recent change under its former id."""
        taken = sorted({*scene.vendor.steps} & _LEFT_OUT)
        if not taken:
            pytest.skip(f"the steps of Vendor are not {', '.join(sorted(_LEFT_OUT))}")
        names = tuple(await _names(scene))
        chance = Random(0)  # noqa: S311  # a history, not a secret
        for name in ("add", "add", *taken) * _ROUNDS:
            if step := scene.vendor.steps.get(name):
                step(chance)
        listed = (await scene.list_changes())[0]
        there = {each.item.ref.id for each in listed if each.item}
        recent = await scene.list_recent(names, _LONG_AGO)

        assert {each.item.ref.id for each in recent if each.item} <= there


async def _names(scene: Scene) -> Sequence[str]:
    return [each.name for each in await scene.awaited("rove_containers")]
