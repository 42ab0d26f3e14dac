"""What an account may no longer read is removed from its mirror; a lapsed login removes nothing."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import define
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import accounts_of, copied, mirror_of, updated

from rove_core import Container, Identity, LoginRefused, NotLoggedIn, PluginFailed, hookimpl
from rove_core.mirror.update import LOOK_EVERY
from rove_core.mirror.update_limits import FOR_A_BUILD, IN_BACKGROUND, UpdateLimits
from rove_core.plugins.limits import MOST_CONTAINERS
from rove_core.testing import VirtualClock


@define(eq=False)
class Anonymous(Wiki):
    """A wiki that answers a login that has lapsed with what anybody may read.

    Attributes:
        has_lapsed: Whether the login has lapsed.
    """

    has_lapsed: bool = False

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose login it is."""
        if self.has_lapsed:
            raise LoginRefused("log in again", account="wiki")
        return Identity(name="Ada", id="ada")

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the spaces, or none."""
        names = [] if self.has_lapsed else self.spaces
        return [Container(name=name, title=f"Space {name}") for name in names]


@define(eq=False)
class SomebodyElse(Wiki):
    """A wiki to which the environment logs in somebody else."""

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose login it is."""
        return Identity(name="Bot", id="bot")


def test_a_login_of_somebody_else_removes_nothing(tmp_path: Path) -> None:
    """Who is not the owner of a copy may read other spaces."""
    wiki = SomebodyElse()
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    wiki.spaces = ["OPS"]

    done = updated(mirror, wiki)

    assert isinstance(done.failure, NotLoggedIn)
    assert (
        str(done.failure) == "Bot is logged in, and the copy is another login's; it stays as it is"
    )
    assert (done.lost, copied(mirror)) == ((), {"DOC-1": "tokens expire"})


@pytest.mark.parametrize("limits", [FOR_A_BUILD, IN_BACKGROUND])
def test_a_lapsed_login_removes_nothing(tmp_path: Path, limits: UpdateLimits) -> None:
    """Although its vendor answers that nothing may be read; the failure is that of the login."""
    wiki, clock = Anonymous(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    clock.advance(LOOK_EVERY.total_seconds() + 1)
    wiki.has_lapsed, wiki.unlisted = True, ["DOC"]
    failed = updated(mirror, wiki, limits, clock=clock)
    before = copied(mirror)
    wiki.has_lapsed, wiki.spaces = False, ["OPS"]
    done = updated(mirror, wiki, limits, clock=clock)

    assert isinstance(failed.failure, LoginRefused)
    assert (failed.lost, before) == ((), {"DOC-1": "tokens expire"})
    assert (done.lost, copied(mirror)) == (("DOC",), {})


@define(eq=False)
class Large(Wiki):
    """A wiki with many other spaces, which come first.

    Attributes:
        others: How many.
    """

    others: int = 0

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return all spaces."""
        others = [Container(name=f"S{number}") for number in range(self.others)]
        return [*others, *(Container(name=name) for name in self.spaces)]


def test_a_container_after_many_others_is_readable(tmp_path: Path) -> None:
    """It is one of the account's containers, and its copy stays."""
    wiki, clock = Large(others=20_000), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    clock.advance(LOOK_EVERY.total_seconds() + 1)
    done = updated(mirror, wiki, clock=clock)

    assert (done.lost, copied(mirror)) == ((), {"DOC-1": "tokens expire"})


@pytest.mark.anyio
async def test_too_many_containers_are_a_failure() -> None:
    """A list that was cut would look as if the others could not be read."""
    with pytest.raises(PluginFailed, match="more than"):
        await accounts_of(Large(others=MOST_CONTAINERS)).containers("wiki")


@define(eq=False)
class Closing(Wiki):
    """A wiki whose spaces people close to others.

    Attributes:
        closed: The spaces that only invited people see.
    """

    closed: tuple[str, ...] = ()

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the spaces."""
        return [Container(name=name, private=name in self.closed) for name in self.spaces]


def test_a_space_that_turned_private_is_remembered(tmp_path: Path) -> None:
    """It stays copied, and a person learns that it is."""
    wiki, clock = Closing(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    clock.advance(LOOK_EVERY.total_seconds() + 1)
    wiki.closed = ("DOC",)
    updated(mirror, wiki, clock=clock)
    state = mirror.state()

    assert state is not None
    assert [(each.name, each.at) for each in state.turned_private] == [("DOC", clock.now())]
    assert copied(mirror) == {"DOC-1": "tokens expire"}
