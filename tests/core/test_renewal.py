"""Renewing logins: before they expire, once for all, and without ever losing one that lives."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import attrs
import pytest
from attrs import define, field

from rove_core.credentials import MemoryStore
from rove_core.errors import (
    DiskTrouble,
    KeychainUnusable,
    Locked,
    LoginRefused,
    NotLoggedIn,
    RoveError,
    Unavailable,
)
from rove_core.login import Credential
from rove_core.login_exchange import LoginExchange, first_record
from rove_core.login_ledger import LoginLedger
from rove_core.renewal import Renewals
from rove_core.secret import Secret
from rove_core.testing.clock import VirtualClock

pytestmark = pytest.mark.anyio
HOUR = timedelta(hours=1)


@define(eq=False)
class Bench:
    """One process with a login that lasts an hour, and a vendor that renews it."""

    folder: Path
    clock: VirtualClock = field(factory=VirtualClock)
    store: MemoryStore = field(factory=MemoryStore)
    asked: list[str] = field(factory=list)
    told: list[str] = field(factory=list)
    answers: list[Callable[[], Awaitable[None]]] = field(factory=list)
    renewals: Renewals = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.renewals = self.process()

    @property
    def ledger(self) -> LoginLedger:
        """What is written down."""
        return LoginLedger(self.folder)

    def process(self, clock: VirtualClock | None = None) -> Renewals:
        """Return one more process of the same user."""
        clock = clock or self.clock
        exchange = LoginExchange(self._ask, self._chosen, self.ledger, clock, self._tell)
        return Renewals(exchange, clock)

    def login(self, number: int = 0) -> Credential:
        """Return the login of a number, made now."""
        return Credential(
            headers={"Authorization": Secret(f"Bearer access-{number}")},
            hosts=("vendor.example",),
            refresh=Secret(f"refresh-{number}"),
            expires_at=self.clock.now() + HOUR,
        )

    async def logged_in(self) -> Credential:
        """Store a login."""
        credential = self.login()
        await self.store.set("acme", credential)
        self.ledger.write("acme", first_record("acme", credential, self.clock))
        return credential

    async def stored(self) -> str:
        """Return what the stored login is renewed with."""
        credential = await self.store.get("acme")
        return credential.refresh.reveal() if credential and credential.refresh else ""

    async def _ask(self, _: str, credential: Credential) -> Credential:
        assert credential.refresh is not None
        self.asked.append(credential.refresh.reveal())
        if self.answers:
            await self.answers.pop(0)()
        return self.login(len(self.asked))

    async def _chosen(self) -> MemoryStore:
        return self.store

    def _tell(self, _: str, note: str) -> None:
        self.told.append(note)


def failing(error: RoveError) -> Callable[[], Awaitable[None]]:
    """Return an answer that is an error."""

    async def answer() -> None:
        raise error

    return answer


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Give a process, a vendor, and no login yet."""
    return Bench(tmp_path / "data")


REFUSED = failing(LoginRefused("invalid_grant"))


async def test_what_is_fresh_is_not_renewed(bench: Bench) -> None:
    """Nothing is read, written or asked."""
    login = await bench.logged_in()

    assert await bench.renewals.usable("acme", login, 300) is login
    assert bench.asked == []


@pytest.mark.parametrize(("left", "asked"), [(301, []), (300, ["refresh-0"])])
async def test_a_login_is_renewed_before_it_expires(
    bench: Bench, left: int, asked: list[str]
) -> None:
    """The buffer of the settings says how long before."""
    login = await bench.logged_in()
    bench.clock.advance(3600 - left)

    await bench.renewals.usable("acme", login, 300)

    assert bench.asked == asked


async def test_the_successor_is_stored_before_it_is_used(bench: Bench) -> None:
    """Who uses it finds it in the store."""
    login = await bench.logged_in()
    bench.clock.advance(3600)

    fresh = await bench.renewals.usable("acme", login, 0)

    assert await bench.store.get("acme") == fresh
    assert fresh.headers["Authorization"] == Secret("Bearer access-1")


async def test_many_at_once_are_one_exchange(bench: Bench) -> None:
    """All who wait get the same login."""
    login = await bench.logged_in()
    bench.clock.advance(3600)

    found = await asyncio.gather(*(bench.renewals.usable("acme", login, 0) for _ in range(20)))

    assert bench.asked == ["refresh-0"]
    assert found == [await bench.store.get("acme")] * 20


async def test_what_another_process_renewed_is_adopted(bench: Bench) -> None:
    """Its successor is as good as one's own."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    await bench.store.set("acme", other := bench.login(7))

    assert await bench.renewals.usable("acme", login, 0) == other
    assert bench.asked == []


async def test_a_busy_process_holds_up_nobody_whose_login_is_valid(bench: Bench) -> None:
    """The old one serves until it expires."""
    login = await bench.logged_in()
    bench.clock.advance(3500)

    with bench.ledger.turn("acme"):
        assert await bench.renewals.usable("acme", login, 300) is login


async def test_a_process_that_hangs_is_waited_for_a_minute(bench: Bench) -> None:
    """Then it is told that another one holds the login."""
    login = await bench.logged_in()
    bench.clock.advance(3600)

    with bench.ledger.turn("acme"), pytest.raises(Locked, match="login of acme"):
        await bench.renewals.usable("acme", login, 300)

    assert bench.clock.monotonic() == pytest.approx(3660, abs=1)


async def test_who_stops_waiting_does_not_stop_the_exchange(bench: Bench) -> None:
    """What the vendor gave is stored, although the caller's deadline has passed."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        begun.set()
        await go_on.wait()

    bench.answers.append(slow)
    waiting = asyncio.create_task(bench.renewals.usable("acme", login, 0))
    await begun.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go_on.set()
    await bench.renewals.aclose()

    assert await bench.stored() == "refresh-1"


async def test_a_refused_login_is_renewed_whatever_the_clock_says(bench: Bench) -> None:
    """The vendor's word counts, and it is asked once."""
    login = await bench.logged_in()

    fresh = await bench.renewals.after_refusal("acme", login)

    assert fresh == await bench.store.get("acme")
    assert fresh is not None
    assert await bench.renewals.after_refusal("acme", fresh) is None
    assert bench.asked == ["refresh-0"]


async def test_a_login_that_is_refused_twice_is_lost(bench: Bench) -> None:
    """It is said so, and kept: whoever renews the login's app may have been wrong."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    bench.answers += [REFUSED, REFUSED]

    with pytest.raises(NotLoggedIn, match="the login of acme has ended"):
        await bench.renewals.usable("acme", login, 0)

    assert bench.asked == ["refresh-0", "refresh-0"]
    assert await bench.stored() == "refresh-0"
    assert bench.ledger.newly_lost() == ["acme"]
    assert bench.ledger.newly_lost() == []


async def test_a_refusal_that_passes_costs_nothing(bench: Bench) -> None:
    """A vendor may be wrong once."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    bench.answers.append(REFUSED)

    await bench.renewals.usable("acme", login, 0)

    assert await bench.stored() == "refresh-2"


async def test_a_refused_login_that_somebody_replaced_is_not_lost(bench: Bench) -> None:
    """Another program may store what it renewed without a look at any lock."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    other = bench.login(7)

    async def replaced() -> None:
        await bench.store.set("acme", other)
        raise LoginRefused("invalid_grant")

    bench.answers.append(replaced)

    assert await bench.renewals.usable("acme", login, 0) == other
    assert bench.asked == ["refresh-0"]


async def test_a_lost_login_is_not_shown_again(bench: Bench) -> None:
    """Each later command says at once that it is lost; a day later it is tried once more."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    bench.answers += [REFUSED, REFUSED]
    with pytest.raises(NotLoggedIn):
        await bench.renewals.usable("acme", login, 0)

    with pytest.raises(NotLoggedIn):
        await bench.process().usable("acme", login, 0)
    assert len(bench.asked) == 2
    bench.clock.advance(24 * 3600)
    await bench.process().usable("acme", login, 0)
    assert await bench.stored() == "refresh-3"


@pytest.mark.parametrize("error", [Unavailable("503"), LoginRefused("invalid_grant")])
async def test_a_valid_login_outlives_a_failed_renewal(bench: Bench, error: RoveError) -> None:
    """Nobody has to log in as long as the vendor lets one in."""
    login = await bench.logged_in()
    bench.clock.advance(3500)
    bench.answers += [failing(error)] * 2

    assert await bench.renewals.usable("acme", login, 300) is login


async def test_an_outage_loses_no_login(bench: Bench) -> None:
    """It is tried again after a rest, with the same token."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    bench.answers.append(failing(Unavailable("503")))

    for _ in range(2):
        with pytest.raises(Unavailable):
            await bench.renewals.usable("acme", login, 0)
    assert bench.asked == ["refresh-0"]
    bench.clock.advance(30)
    await bench.renewals.usable("acme", login, 0)

    assert bench.asked == ["refresh-0", "refresh-0"]
    assert await bench.stored() == "refresh-2"


async def test_a_killed_exchange_is_repeated_at_once(bench: Bench) -> None:
    """The vendor may have answered, and still answers to the old token for some minutes."""
    login = await bench.logged_in()
    record = first_record("acme", login, bench.clock)
    bench.ledger.write("acme", attrs.evolve(record, pending_since=bench.clock.now()))

    await bench.process().if_due("acme")

    assert bench.asked == ["refresh-0"]
    assert not bench.ledger.read("acme").pending_since  # type: ignore[union-attr]  # it is there


async def test_a_record_of_an_exchange_that_was_stored_is_not_repeated(bench: Bench) -> None:
    """The process was killed after it had stored the successor."""
    earlier = await bench.logged_in()
    record = first_record("acme", earlier, bench.clock)
    bench.ledger.write("acme", attrs.evolve(record, pending_since=bench.clock.now()))
    await bench.store.set("acme", bench.login(1))

    await bench.process().if_due("acme")

    assert bench.asked == []


async def test_the_record_comes_before_the_exchange_and_holds_no_secret(bench: Bench) -> None:
    """What a killed process leaves says when it began, and for which token."""
    login = await bench.logged_in()
    bench.clock.advance(3600)
    seen: list[str] = []

    async def look() -> None:
        seen.extend(path.read_text("utf-8") for path in bench.folder.rglob("*.json"))

    bench.answers.append(look)
    await bench.renewals.usable("acme", login, 0)

    assert "pending_since" in seen[0]
    assert "refresh-0" not in seen[0]


@pytest.mark.parametrize(("days", "asked"), [(5, []), (6, ["refresh-0"])])
async def test_an_idle_login_is_renewed_within_a_week(
    bench: Bench, days: int, asked: list[str]
) -> None:
    """So it never lapses at a vendor that forgets those who do not come back."""
    await bench.logged_in()
    bench.clock.advance(days * 86400)

    await bench.renewals.if_due("acme")

    assert bench.asked == asked


async def test_a_clock_that_was_wrong_delays_nothing(bench: Bench) -> None:
    """What was written in a year to come does not count as renewed until then."""
    await bench.logged_in()
    bench.clock.put(bench.clock.now() - timedelta(days=400))

    await bench.renewals.if_due("acme")

    assert bench.asked == ["refresh-0"]


async def test_who_fails_unasked_rests_for_minutes(bench: Bench) -> None:
    """A vendor that is down for two hours is not asked by every command."""
    await bench.logged_in()
    bench.clock.advance(7 * 86400)
    bench.answers += [failing(Unavailable("503"))] * 99
    for _ in range(120):
        with suppress(Unavailable):
            await bench.process().if_due("acme")
        bench.clock.advance(60)

    assert len(bench.asked) == 27


async def test_the_end_is_carried_over(bench: Bench) -> None:
    """To renew a login does not move the day on which its user must come back."""
    end = bench.clock.now() + timedelta(days=365)
    login = attrs.evolve(await bench.logged_in(), ends_at=end)
    await bench.store.set("acme", login)
    bench.clock.advance(3600)

    fresh = await bench.renewals.usable("acme", login, 0)

    assert fresh.ends_at == end
    assert bench.ledger.ending(end - timedelta(days=15)) == {}
    assert [*bench.ledger.ending(end - timedelta(days=14))] == ["acme"]


async def test_the_successor_goes_to_no_further_host(bench: Bench) -> None:
    """A login is bound to where it was made for."""
    login = attrs.evolve(await bench.logged_in(), hosts=("other.example",))
    await bench.store.set("acme", login)
    bench.clock.advance(3600)

    assert (await bench.renewals.usable("acme", login, 0)).hosts == ()


async def test_a_login_that_was_removed_meanwhile_stays_removed(bench: Bench) -> None:
    """Another process has logged out."""
    login = await bench.logged_in()
    await bench.store.delete("acme")
    bench.clock.advance(3600)

    with pytest.raises(NotLoggedIn, match="was removed"):
        await bench.renewals.usable("acme", login, 0)

    assert bench.asked == []


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
