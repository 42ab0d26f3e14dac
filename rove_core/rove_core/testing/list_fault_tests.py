"""Standard tests of listings with a failing vendor: nothing is lost, and nothing is gone."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

import attrs

from rove_core.errors import RoveError
from rove_core.testing.fault_catalogue import FAULTS, Fault
from rove_core.testing.fault_tests import after
from rove_core.testing.faults import FaultProxy, SeenRequest
from rove_core.testing.levels import gold
from rove_core.testing.list_tests import Copy
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied

#: What goes wrong with a listing.
_FAILURES: Final = {
    "403": Fault(status=403),
    "malformed JSON": FAULTS["malformed JSON"],
}
#: At how many requests of a listing each failure is played.
_MOST: Final = 4


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
