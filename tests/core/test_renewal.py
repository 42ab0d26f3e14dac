"""Renewing logins: before they expire, once for all, and without ever losing one that lives."""

import asyncio
from contextlib import suppress
from datetime import timedelta

import attrs
import pytest
from tests.core.renewing import Bench, failing

from rove_core.auth.login_exchange import first_record
from rove_core.errors import Locked, LoginRefused, NotLoggedIn, RoveError, Unavailable
from rove_core.safety.secret import Secret

pytestmark = pytest.mark.anyio


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


async def test_a_short_life_is_used_to_its_half(bench: Bench) -> None:
    """A token for a minute is not renewed for every request, though the buffer is longer."""
    bench.lasts = timedelta(seconds=60)
    login = await bench.logged_in()
    for _ in range(20):
        bench.clock.advance(6)
        login = await bench.renewals.usable("acme", login, 300)

    assert len(bench.asked) == 4


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

    with pytest.raises(NotLoggedIn, match="the login of acme has expired"):
        await bench.renewals.usable("acme", login, 0)

    assert bench.asked == ["refresh-0", "refresh-0"]
    assert await bench.stored() == "refresh-0"
    assert list(bench.ledger.news(bench.clock.now())) == ["acme"]
    assert list(bench.ledger.news(bench.clock.now())) == []


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
