"""A build that finds another process updating a mirror waits for what that brings."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import OWNER, accounts_of, copied, mirror_of

from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import Mirrors, open_mirrors
from rove_core.mirror.update import update_mirror
from rove_core.mirror.update_limits import IN_BACKGROUND
from rove_core.testing import VirtualClock

pytestmark = pytest.mark.anyio


class Meanwhile(VirtualClock):
    """A clock on which something may happen whenever somebody waits."""

    happens: Callable[[], Awaitable[object]] | None = None

    async def sleep(self, seconds: float) -> None:
        """Advance the time, and let it happen."""
        await super().sleep(seconds)
        if self.happens:
            await self.happens()


async def ten_minutes_old(mirror: Mirror, wiki: Wiki, clock: VirtualClock) -> None:
    """Copy a wiki, and let a page be written ten minutes later."""
    await update_mirror(mirror, accounts_of(wiki), clock, IN_BACKGROUND)
    clock.advance(600)
    wiki.write("DOC-2", "tokens last")
    wiki.asked.clear()


async def opened(mirror: Mirror, wiki: Wiki, clock: VirtualClock) -> Mirrors:
    """Return the mirror as a refresh opens it."""
    return await open_mirrors({"wiki": (mirror, OWNER)}, accounts_of(wiki), clock, refresh=True)


async def test_the_news_of_another_update_are_used(tmp_path: Path) -> None:
    """The vendor is asked once, and counts as reached."""
    wiki, mirror, clock = Wiki(), mirror_of(tmp_path, "DOC"), Meanwhile(AT)
    await ten_minutes_old(mirror, wiki, clock)
    lock = mirror.update_lock()
    assert lock.try_acquire()

    async def finish() -> None:
        lock.release()
        await update_mirror(mirror, accounts_of(wiki), clock, IN_BACKGROUND)

    clock.happens = finish
    mirrors = await opened(mirror, wiki, clock)

    assert (wiki.asked, copied(mirror)) == (["DOC"], {"DOC-2": "tokens last"})
    assert not mirrors.usable["wiki"].is_outdated


async def test_another_update_that_takes_long_is_named(tmp_path: Path) -> None:
    """After three seconds the build goes on with the copy as it is, and says why."""
    wiki, mirror, clock = Wiki(), mirror_of(tmp_path, "DOC"), Meanwhile(AT)
    await ten_minutes_old(mirror, wiki, clock)

    with mirror.update_lock():
        mirrors = await opened(mirror, wiki, clock)

    copy = mirrors.copy_of("wiki")
    assert copy is not None
    assert copy.why_outdated == "being updated"
