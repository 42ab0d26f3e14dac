"""Standard tests of listings with a failing vendor: nothing is lost, and nothing is gone."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from random import Random
from typing import Final

import attrs
import pytest

from rove_core.errors import RoveError
from rove_core.items import ItemRef
from rove_core.testing.fault_catalogue import FAULTS, Fault
from rove_core.testing.fault_tests import after
from rove_core.testing.faults import FaultProxy, SeenRequest
from rove_core.testing.levels import MISSING, gold
from rove_core.testing.list_tests import Copy
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in, proxied

#: What goes wrong with a listing.
_FAILURES: Final = {
    "403": Fault(status=403),
    "malformed JSON": FAULTS["malformed JSON"],
}
#: At how many requests of a listing each failure is played.
_MOST: Final = 4
#: How often an item is deleted until it is the one that was added.
_TRIES: Final = 20


class ListFaultTests(SourceUnderTest):
    """Tests of listings that fail and go on."""

    @gold
    @proxied("rove_list")
    async def test_failed_listing_goes_on(self, scene: Scene, proxy: FaultProxy) -> None:
        """A copy whose listing failed and went on is whole, but for what its items note."""
        old = await _copy_before_changes(scene)
        for begun in (Copy(scene), old):
            before = len(proxy.requests)
            fresh = begun.copy()
            await fresh.follow()
            count = len(proxy.requests) - before
            for name, fault in _FAILURES.items():
                for at in range(min(count, _MOST)):
                    proxy.play(fault, times=None, when=after(at))
                    copy = begun.copy()
                    scene.connect()
                    with suppress(RoveError):
                        await copy.follow_each()
                    proxy.stop()
                    scene.connect()
                    await copy.follow()

                    where = f"{name} at request {at + 1} of {count}"
                    items = {**copy.items, **{name: fresh.items.get(name) for name in copy.noted}}
                    assert items == fresh.items, f"{where} lost something"

    @gold
    @proxied("rove_list")
    async def test_expired_page_is_no_end(self, scene: Scene, proxy: FaultProxy) -> None:
        """A listing whose second page is refused as expired goes on; it does not end there."""
        old = await _copy_before_changes(scene)
        for begun in (Copy(scene), old):
            fresh = begun.copy()
            await fresh.follow()
            proxy.play(Fault(status=410), times=None, when=_later_pages())
            copy = begun.copy()
            scene.connect()
            with suppress(RoveError):
                await copy.follow_each()
            proxy.stop()
            scene.connect()
            await copy.follow()

            assert copy.items == fresh.items, "what came after a refused page (410) is lost"

    @gold
    @logged_in("rove_list", "rove_containers")
    async def test_stored_item_that_was_deleted_is_gone(self, scene: Scene) -> None:
        """An item that was stored after the cursor, and is in the scope as unconfirmed, is gone."""
        steps = scene.vendor.steps
        if not {"add", "delete"} <= steps.keys():
            pytest.skip("the steps of Vendor cannot add and delete")
        names = [each.name for each in await scene.awaited("rove_containers")]
        cursors = {each: (await scene.list_changes(containers=(each,)))[1] for each in names}
        before, chance = {*scene.vendor.there()}, Random(1)  # noqa: S311  # a history, not a secret
        steps["add"](chance)
        new = scene.vendor.there().keys() - before
        if not new:
            pytest.skip(f"{MISSING}give there of Vendor: what its steps added")
        added = min(new)
        stored = {name: await _stored(scene, name, cursors[name], added) for name in names}
        for _ in range(_TRIES):
            if added in scene.vendor.there():
                steps["delete"](chance)

        assert [*filter(None, stored.values())], "what was added is not listed"
        for name, items in stored.items():
            changes, _ = await scene.list_changes(
                cursors[name], containers=(name,), unconfirmed=items
            )
            gone = {(each.gone.kind, each.gone.id) for each in changes if each.gone}
            wanted = {(ref.kind, ref.id) for ref in items}
            assert wanted <= gone, "a deleted item of scope.unconfirmed is not gone"


async def _stored(
    scene: Scene, container: str, cursor: str, name: str
) -> Mapping[ItemRef, datetime]:
    """Return the item that a listing since a cursor has by a name; its own cursor is lost."""
    changes, _ = await scene.list_changes(cursor, containers=(container,))
    items = (each.item for each in changes if each.item)
    return {item.ref: item.timestamp for item in items if item.ref.id == name}


async def _copy_before_changes(scene: Scene) -> Copy:
    """Return a copy of the vendor as it was before an addition, an edit and an answer."""
    if "page_size" in attrs.fields_dict(scene.kind.settings):
        scene.change(page_size=2)
    copy = Copy(scene)
    await copy.follow()
    for name in ("add", "edit", "answer"):
        if step := scene.vendor.steps.get(name):
            step(Random(1))  # noqa: S311  # a history, not a secret
    return copy


def _later_pages() -> Callable[[SeenRequest], bool]:
    """Return a predicate of requests for a path that was asked before with another query."""
    paths: dict[str, str] = {}

    def is_later(request: SeenRequest) -> bool:
        first = paths.setdefault(request.path.partition("?")[0], request.path)
        return request.method == "GET" and request.path != first

    return is_later
