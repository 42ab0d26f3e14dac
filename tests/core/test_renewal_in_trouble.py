"""Renewing logins where nothing can be written, or somebody wants to end it: none is lost."""

import asyncio
import signal
from pathlib import Path

import pytest
from attrs import define
from tests.core.renewing import Bench

from rove_core.auth.credentials import MemoryStore
from rove_core.errors import DiskTrouble, KeychainUnusable, Locked, RoveError
from rove_core.login import Credential
from rove_core.safety.secret import Secret

pytestmark = pytest.mark.anyio


@define(eq=False)
class FullStore(MemoryStore):
    """A store on a disk that is full for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False

    async def set(self, account: str, credential: Credential) -> None:
        """Keep it, or fail."""
        if self.is_full:
            raise DiskTrouble("credentials.enc cannot be written: No space left on device")
        await super().set(account, credential)


async def test_a_full_disk_ends_no_session(tmp_path: Path) -> None:
    """The old login is intact, the new one serves on, the user is told, and nobody uses the old."""
    bench = Bench(tmp_path / "data", store=(store := FullStore()))
    login = await bench.logged_in()
    bench.clock.advance(3600)
    store.is_full = True

    fresh = await bench.renewals.usable("acme", login, 0)

    assert fresh.refresh == Secret("refresh-1")
    assert await bench.stored() == "refresh-0"
    assert "No space left on device" in bench.told[0]
    with pytest.raises(Locked):
        await bench.process().usable("acme", login, 0)


async def test_what_a_full_disk_kept_out_is_stored_in_the_end(tmp_path: Path) -> None:
    """There is room again before the process ends."""
    bench = Bench(tmp_path / "data", store=(store := FullStore()))
    login = await bench.logged_in()
    bench.clock.advance(3600)
    store.is_full = True
    await bench.renewals.usable("acme", login, 0)

    store.is_full = False
    await bench.renewals.aclose()

    assert await bench.stored() == "refresh-1"
    assert await bench.process().usable("acme", login, 0) == await store.get("acme")


async def test_an_unstored_login_is_renewed_from_itself(tmp_path: Path) -> None:
    """What the disk has is spent."""
    bench = Bench(tmp_path / "data", store=(store := FullStore()))
    login = await bench.logged_in()
    bench.clock.advance(3600)
    store.is_full = True
    fresh = await bench.renewals.usable("acme", login, 0)
    bench.clock.advance(3600)

    await bench.renewals.usable("acme", fresh, 0)

    assert bench.asked == ["refresh-0", "refresh-1"]
    assert len(bench.told) == 2


async def test_nothing_is_asked_where_nothing_can_be_written(bench: Bench) -> None:
    """A token that works once is not spent for a successor that would be lost."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    bench.folder.joinpath("logins", "acme.lock").unlink(missing_ok=True)
    bench.folder.rename(bench.folder.with_name("elsewhere"))
    bench.folder.write_text("no folder", "utf-8")

    with pytest.raises(RoveError):
        await bench.renewals.usable("acme", login, 0)

    assert bench.asked == []


async def test_a_login_is_not_renewed_while_it_is_replaced(bench: Bench) -> None:
    """A successor of the old one must not take the new one's place."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    other = bench.process()

    async with other.logins.replacing("acme"):
        waiting = asyncio.create_task(bench.renewals.usable("acme", login, 0))
        await bench.clock.sleep(1)
        await bench.store.set("acme", new := bench.login(9))
    found = await waiting

    assert found == new
    assert bench.asked == []


async def test_a_keychain_that_fails_loses_no_login(bench: Bench) -> None:
    """Nothing is asked of the vendor when nobody knows what is stored."""
    login = await bench.logged_in()
    bench.clock.advance(3600)

    async def locked() -> MemoryStore:
        raise KeychainUnusable("the keychain is locked")

    bench.renewals.logins.store = locked

    with pytest.raises(KeychainUnusable):
        await bench.renewals.usable("acme", login, 0)

    assert bench.asked == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_waits_until_the_successor_is_stored(
    bench: Bench, number: signal.Signals
) -> None:
    """It takes effect afterwards, and once."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    came: list[str] = []

    async def interrupt() -> None:
        signal.raise_signal(number)
        came.append("answered")

    stored: list[asyncio.Task[str]] = []

    def handle(*_: object) -> None:
        came.append("handled")
        stored.append(asyncio.get_running_loop().create_task(bench.stored()))

    bench.answers.append(interrupt)
    before = signal.signal(number, handle)
    try:
        await bench.renewals.usable("acme", login, 0)
    finally:
        signal.signal(number, before)

    assert came == ["answered", "handled"]
    assert await stored[0] == "refresh-1"


async def test_who_insists_is_let_through(bench: Bench) -> None:
    """Ctrl-C twice ends what a vendor holds up; the record tells the next process."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    came: list[str] = []

    async def interrupt() -> None:
        signal.raise_signal(signal.SIGINT)
        assert came == []
        signal.raise_signal(signal.SIGINT)
        assert came == ["handled"]

    bench.answers.append(interrupt)
    before = signal.signal(signal.SIGINT, lambda *_: came.append("handled"))
    try:
        await bench.renewals.usable("acme", login, 0)
    finally:
        signal.signal(signal.SIGINT, before)

    assert came == ["handled"]
