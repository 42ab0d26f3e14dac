"""Standard tests of limits: a source waits as long as the vendor says, or says until when."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from typing import Final

import pytest

from rove_core.errors import RateLimited
from rove_core.testing.fault_catalogue import Fault
from rove_core.testing.faults import FaultProxy
from rove_core.testing.levels import silver
from rove_core.testing.recording_tests import RecordingTests
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import proxied

#: For how many seconds a vendor asks to wait, and how many may be lost by rounding.
_WAIT: Final = 90
_ROUNDED: Final = 2


class LimitTests(RecordingTests):
    """Tests of a vendor that asks to wait."""

    @silver
    @proxied("rove_identity")
    async def test_limit_is_waited_for(self, scene: Scene, proxy: FaultProxy) -> None:
        """After a limit nothing is asked before its end, in each way of saying when that is."""
        before = len(proxy.requests)
        await scene.awaited("rove_identity")
        if len(proxy.requests) == before:
            pytest.skip("nobody is asked who the login is")
        for fault in self._limits(scene):
            scene.connect()
            ends = scene.clock.now() + timedelta(seconds=_WAIT - _ROUNDED)
            proxy.play(fault)
            until = scene.clock.now()
            try:
                await scene.awaited("rove_identity")
                until = scene.clock.now()
            except RateLimited as error:
                until = error.retry_at or until
            proxy.stop()

            assert until >= ends, f"it does not wait as {dict(fault.headers)} says"

    def _limits(self, scene: Scene) -> Iterator[Fault]:
        """Yield the replies of a vendor that asks to wait, each in every way of saying when."""
        named = [
            self.vendor_failures[name]
            for name, error in self.failure_errors.items()
            if issubclass(error, RateLimited) and name in self.vendor_failures
            if name not in self.failure_items
        ]
        for fault in (Fault(status=429), *named):
            for is_date in (False, True):
                ends = scene.clock.now() + timedelta(seconds=_WAIT)
                text = format_datetime(ends, usegmt=True) if is_date else str(_WAIT)
                yield replace(fault, headers={**fault.headers, "retry-after": text})
