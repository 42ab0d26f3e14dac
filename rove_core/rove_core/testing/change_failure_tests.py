"""Standard tests of changes that the vendor refuses in words of its own."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import pytest

from rove_core.errors import RoveError
from rove_core.testing.faults import FaultProxy
from rove_core.testing.levels import MISSING, gold
from rove_core.testing.recording_tests import RecordingTests
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import proxied
from rove_core.testing.work_tests import WorkTests
from rove_core.testing.work_values import TITLE
from rove_core.work.changes import WorkItemChange


class ChangeFailureTests(RecordingTests, WorkTests):
    """Tests of changes that the vendor refuses.

    Attributes:
        change_errors: The Rove error that each of `vendor_failures` is when it answers a change,
            by the same names; those that answer no change are left out. Needed for gold.
    """

    change_errors: ClassVar[Mapping[str, type[RoveError]]] = MappingProxyType({})

    @gold
    @proxied("rove_change_work_item")
    async def test_refused_changes_have_their_errors(self, scene: Scene, proxy: FaultProxy) -> None:
        """Each reply with which the vendor refuses a change raises the error that it means."""
        if not self.vendor_failures:
            pytest.skip(f"no vendor_failures are given for {self.kind}")
        if not self.change_errors:
            pytest.skip(f"{MISSING}give change_errors: what vendor_failures mean after a change")
        raised: dict[str, type[RoveError] | None] = {}
        for name in self.change_errors:
            scene.connect()
            proxy.play(
                self.vendor_failures[name],
                times=None,
                when=lambda seen: TITLE.encode() in seen.body,
            )
            raised[name] = None
            try:
                await scene.awaited(
                    "rove_change_work_item",
                    ref=self.work_ref(scene),
                    change=WorkItemChange(title=TITLE),
                )
            except RoveError as error:
                raised[name] = type(error)
            proxy.stop()

        assert raised == {**self.change_errors}
