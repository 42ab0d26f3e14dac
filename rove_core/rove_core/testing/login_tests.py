"""Standard tests of logging in: questions, the credential, and secrecy."""

# ruff: noqa: S101  # assert is how pytest speaks

from urllib.parse import urlsplit

import pytest

from rove_core.errors import LoginRefused, RoveError, WrongCall
from rove_core.items import Identity
from rove_core.login import Credential
from rove_core.safety.secret import Secret
from rove_core.testing.faults import FaultProxy
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import Scene
from rove_core.testing.side_effects import logged
from rove_core.testing.source_under_test import SourceUnderTest, connected, logged_in, proxied


class LoginTests(SourceUnderTest):
    """Tests of logins."""

    @connected("rove_authenticate")
    async def test_login_gives_a_credential(self, scene: Scene) -> None:
        """A correct login returns a credential that cannot be printed."""
        credential = await scene.awaited("rove_authenticate", login=scene.login())

        assert isinstance(credential, Credential)
        assert {type(value) for value in credential.headers.values()} <= {Secret}

    @connected("rove_authenticate")
    async def test_login_asks_only_for_what_it_declares(self, scene: Scene) -> None:
        """The login asks only for declared fields, so environment variables can answer them."""
        login = scene.login()
        await scene.awaited("rove_authenticate", login=login)

        (way,) = (each for each in scene.kind.logins if each.name == login.way)
        declared = {field.name for field in way.fields}
        assert set(login.asked) <= declared

    @connected("rove_authenticate")
    async def test_credential_is_bound_to_the_vendor(self, scene: Scene) -> None:
        """The credential is limited to the vendor's hosts."""
        credential = await scene.awaited("rove_authenticate", login=scene.login())

        vendor = {urlsplit(scene.account.base_url).netloc, *scene.vendor.hosts}
        assert credential.hosts
        assert set(credential.hosts) <= vendor

    @connected("rove_authenticate")
    async def test_wrong_login_is_refused(self, scene: Scene) -> None:
        """A wrong login is refused, at the latest by the identity hook."""
        error = await _refusal(scene)

        assert type(error) is LoginRefused, f"wrong answers gave {error!r}"
        assert error.exit_code == 4

    @connected("rove_authenticate")
    async def test_secrets_stay_secret(self, scene: Scene) -> None:
        """Secret answers and credentials do not appear in errors or logs."""
        with logged() as lines:
            error = await _refusal(scene)
            secrets = [*scene.secrets()]
            await scene.enter()

        output = "\n".join([*lines, repr(error), error.hint if error else ""])
        for secret in [*secrets, *scene.secrets()]:
            assert secret.reveal() not in output

    @logged_in("rove_refresh")
    async def test_refreshed_credential_is_no_wider(self, scene: Scene) -> None:
        """A renewed credential is not valid for additional hosts."""
        assert scene.credential is not None
        if scene.credential.refresh is None:
            pytest.skip(f"who logs in to {scene.kind.name} in this way gets nothing to renew")
        successor = await scene.awaited("rove_refresh", credential=scene.credential)

        assert isinstance(successor, Credential)
        assert set(successor.hosts) <= set(scene.credential.hosts)

    @logged_in("rove_disconnect")
    async def test_disconnecting_ends_quietly(self, scene: Scene) -> None:
        """Revoking a login succeeds and returns nothing."""
        assert await scene.awaited("rove_disconnect") is None

    @silver
    @proxied("rove_disconnect", "rove_identity")
    async def test_disconnected_login_is_refused(self, scene: Scene, proxy: FaultProxy) -> None:
        """A login that was revoked no longer works, and the error asks for another one."""
        assert scene.credential is not None
        before = len(proxy.requests)
        try:
            await scene.awaited("rove_disconnect")
        except WrongCall as error:
            pytest.skip(f"{scene.kind.name} cannot revoke this login: {error}")

        assert len(proxy.requests) > before
        with pytest.raises(LoginRefused):
            await scene.awaited("rove_identity")

    @gold
    @logged_in("rove_identity")
    async def test_identity_is_who_logged_in(self, scene: Scene) -> None:
        """The identity has the name of the user, as people see it at the vendor."""
        if not self.user and not scene.kind.logins:
            pytest.skip(f"nobody logs in to {self.kind}")
        if not self.user:
            pytest.skip(f"{MISSING}give user: the name of whoever logs in")
        assert scene.account.identity is not None

        assert scene.account.identity.name == self.user

    @connected("rove_identity")
    async def test_identity_names_somebody(self, scene: Scene) -> None:
        """The identity has a name."""
        await scene.enter()

        assert isinstance(scene.account.identity, Identity)
        assert scene.account.identity.name

    @logged_in("rove_identity")
    async def test_identity_names_bare_hosts(self, scene: Scene) -> None:
        """The hosts of an account are lower-case host names without scheme or path."""
        assert scene.account.identity is not None
        hosts = scene.account.identity.hosts

        assert [urlsplit(f"https://{host}").netloc.lower() for host in hosts] == list(hosts)


async def _refusal(scene: Scene) -> RoveError | None:
    """Return the error of a login with wrong answers."""
    try:
        login = scene.login(scene.vendor.refused)
        scene.credential = await scene.awaited("rove_authenticate", login=login)
        if scene.has("rove_identity"):
            await scene.awaited("rove_identity")
    except RoveError as error:
        return error
    return None
