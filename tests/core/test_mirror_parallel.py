"""Mirrors of several accounts are updated at once."""

from asyncio import Event
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import define, field
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import OWNER, accounts_of

from rove_core import Container, ListedChange, ListScope, StoreUnusable, hookimpl
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.parallel_updates import update_all
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.update import MirrorUpdated, update_mirror
from rove_core.mirror.update_limits import IN_BACKGROUND
from rove_core.testing import VirtualClock

pytestmark = pytest.mark.anyio


@define(eq=False)
class Quick(Wiki):
    """A wiki that says when it is listed.

    Attributes:
        listed: Set from then on.
    """

    listed: Event = field(factory=Event)

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Say so, and list as the wiki does."""
        self.listed.set()
        async for change in Wiki.rove_list(self, scope):
            yield change


@define(eq=False)
class Slow(Wiki):
    """A wiki that answers only once another one is listed.

    Attributes:
        other: The other one.
    """

    other: Quick = field(factory=Quick)

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Wait for the other one; if that waits as well, the deadline of the call ends it."""
        await self.other.listed.wait()
        async for change in Wiki.rove_list(self, scope):
            yield change


def mirror_in(folder: Path) -> Mirror:
    """Return a mirror in a folder of its own."""
    mirror = Mirror("wiki", folder / "wiki.db")
    with mirror.writing() as writer:
        scope = MirrorScope(containers=("DOC",))
        writer.choose(scope, [Container(name="DOC")], owner=OWNER, now=AT)
    return mirror


async def test_a_slow_vendor_delays_no_other(tmp_path: Path) -> None:
    """The mirror of the other account is updated while the slow one is listed."""
    clock, quick = VirtualClock(AT), Quick()
    wikis = {"slow": Slow(other=quick), "quick": quick}
    mirrors = {name: mirror_in(tmp_path / name) for name in wikis}

    async def update(name: str) -> MirrorUpdated:
        return await update_mirror(mirrors[name], accounts_of(wikis[name]), clock, IN_BACKGROUND)

    done = await update_all(wikis, update)

    assert [each.failure for each in done.values()] == [None, None]


async def test_a_scope_that_changes_meanwhile_is_copied_at_once() -> None:
    """The update of another mirror may wait minutes for its vendor."""
    numbers, updated, waits = {"slow": 1, "quick": 1}, list[str](), Event()

    async def update(name: str) -> MirrorUpdated:
        updated.append(name)
        if name == "slow":
            await waits.wait()
        elif numbers["quick"] == 1:
            numbers["quick"] = 2  # Somebody changes it as soon as it was updated.
        else:
            waits.set()
        return MirrorUpdated()

    await update_all(numbers, update, numbers.get)

    assert updated == ["slow", "quick", "quick"]


async def test_a_damaged_mirror_delays_no_other() -> None:
    """Its error is that of its own update."""

    async def update(name: str) -> MirrorUpdated:
        if name == "damaged":
            raise StoreUnusable("not a database")
        return MirrorUpdated(changes=1)

    done = await update_all(["damaged", "whole"], update)

    assert isinstance(done["damaged"].failure, StoreUnusable)
    assert done["whole"].changes == 1
