"""Standard tests of listings with a failing vendor: nothing is lost, and nothing is gone."""

# ruff: noqa: S101  # assert is how pytest speaks

from contextlib import suppress
from random import Random
from typing import Final

import attrs

from rove_core.errors import RoveError
from rove_core.testing.fault_catalogue import FAULTS, Fault
from rove_core.testing.fault_tests import after
from rove_core.testing.faults import FaultProxy
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
        if "page_size" in attrs.fields_dict(scene.kind.settings):
            scene.change(page_size=2)
        old, steps = Copy(scene), scene.vendor.steps
        await old.follow()
        for name in ("add", "edit", "answer"):
            if step := steps.get(name):
                step(Random(1))  # noqa: S311  # a history, not a secret
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
