from urllib.parse import urlsplit

import pytest

from rove_core import Identity, LoginRefused
from rove_core.testing import Scene
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio


async def test_sends_the_key_bare(linear: Scene) -> None:
    """A personal key is the whole header: with a scheme before it Linear refuses it."""
    assert linear.credential is not None
    assert {name: value.reveal() for name, value in linear.credential.headers.items()} == {
        "Authorization": "lin_api_of_northwind"
    }


async def test_sends_the_key_to_the_api_alone(linear: Scene) -> None:
    """The pages of Linear live on another host, which gets no key."""
    assert linear.credential is not None
    assert (urlsplit(linear.account.base_url).netloc,) == linear.credential.hosts


async def test_knows_who_and_where_it_is(linear: Scene, workspace: Linear) -> None:
    """The identity names the person, the workspace and what identifiers begin with."""
    expected = Identity(
        name="Ann Lee",
        id=workspace.company.owner.linear,
        reads=("Northwind",),
        prefixes=("TB", "OPS"),
        hosts=("linear.app",),
        workspace="northwind",
    )

    assert expected == linear.account.identity


async def test_a_wrong_key_is_refused(stranger: Scene) -> None:
    """A key that Linear does not know is a login to do again."""
    login = stranger.login({"token": "lin_api_of_nobody"})
    stranger.credential = await stranger.awaited("rove_authenticate", login=login)

    with pytest.raises(LoginRefused, match="rejected the key") as caught:
        await stranger.awaited("rove_identity")
    assert "https://linear.app/settings/account/security" in caught.value.hint
    assert "nobody" not in f"{caught.value} {caught.value.hint}"
