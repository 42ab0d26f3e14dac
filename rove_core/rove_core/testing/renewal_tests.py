"""Standard tests of renewal: twice in a row, refused, and after network trouble."""

# ruff: noqa: S101  # assert is how pytest speaks

import attrs
import pytest

from rove_core.errors import LoginRefused, RetryLater
from rove_core.login import Credential
from rove_core.safety.secret import Secret
from rove_core.testing.fault_catalogue import FAULTS
from rove_core.testing.faults import FaultProxy
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied


class RenewalTests(SourceUnderTest):
    """Tests of login renewal."""

    @silver
    @proxied("rove_refresh")
    async def test_login_is_renewed_twice(self, scene: Scene, proxy: FaultProxy) -> None:
        """A second renewal uses the result of the first, and the login still works."""
        _renewable(scene)
        for _ in range(2):
            scene.credential = await scene.awaited("rove_refresh", credential=scene.credential)
        scene.connect()
        if scene.has("rove_identity"):
            await scene.awaited("rove_identity")

        assert proxy.requests

    @silver
    @proxied("rove_refresh")
    async def test_refused_renewal_asks_for_a_login(self, scene: Scene, proxy: FaultProxy) -> None:
        """An unknown refresh token raises ``LoginRefused``."""
        credential = _renewable(scene)
        if not (before := len(proxy.requests)):
            pytest.skip("renewing asks nobody")
        spent = attrs.evolve(credential, refresh=Secret("a-token-that-nobody-gave"))
        with pytest.raises(LoginRefused):
            await scene.awaited("rove_refresh", credential=spent)

        assert len(proxy.requests) > before

    @silver
    @proxied("rove_refresh")
    async def test_trouble_loses_no_login(self, scene: Scene, proxy: FaultProxy) -> None:
        """A failing vendor does not count as a refusal: the error says to try again."""
        _renewable(scene)
        for name in ("500", "503", "429, seconds", "closed without a reply"):
            # A fresh login each time: the vendor may have taken the refresh token all the same.
            credential = await scene.awaited("rove_authenticate", login=scene.login())
            proxy.play(FAULTS[name], times=None)
            with pytest.raises(RetryLater):
                await scene.awaited("rove_refresh", credential=credential)
            proxy.stop()


def _renewable(scene: Scene) -> Credential:
    if scene.credential is None or scene.credential.refresh is None:
        pytest.skip(f"who logs in to {scene.kind.name} in this way gets nothing to renew")
    return scene.credential
