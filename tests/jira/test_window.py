"""Windows of time: what is in them is found once, wherever one lives."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_core import Query
from rove_jira.source import JiraSource
from rove_jira.window import Zone
from rove_sim import Company
from rove_sim.company_jira import Ticket
from rove_sim.company_people import Person
from rove_sim.jira import Jira

ZONES = [
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Australia/Lord_Howe",
]
#: Around the hours that come twice, or never, in New York, Berlin and on Lord Howe Island.
MOMENTS = [
    datetime(2024, 3, 10, 6, 59, 59, tzinfo=UTC),
    datetime(2024, 3, 10, 7, 0, 0, tzinfo=UTC),
    datetime(2024, 10, 27, 0, 30, 0, tzinfo=UTC),
    datetime(2024, 10, 27, 1, 30, 30, tzinfo=UTC),
    datetime(2024, 11, 3, 5, 30, 0, tzinfo=UTC),
    datetime(2024, 11, 3, 6, 30, 0, tzinfo=UTC),
    datetime(2024, 11, 3, 6, 30, 0, 1000, tzinfo=UTC),
    datetime(2025, 4, 5, 14, 45, 0, tzinfo=UTC),
    datetime(2025, 4, 5, 15, 15, 0, tzinfo=UTC),
]


async def found(source: JiraSource, since: datetime | None, until: datetime | None) -> list[str]:
    """Return the ids of what is found in a window."""
    query = Query(account="jira", text="window", since=since, until=until)
    return [item.ref.id async for item in source.rove_search(query)]


@pytest.mark.anyio
@pytest.mark.parametrize("zone", ZONES)
async def test_both_ends_belong_to_a_window(add: Callable[..., Ticket], source: JiraSource) -> None:
    """What changed at just since, or at just until, is found; nothing else is."""
    for number, at in enumerate(MOMENTS):
        add(f"TB-{number}", title="window", created=at, updated=at)

    for number, at in enumerate(MOMENTS):
        assert await found(source, at, at) == [f"TB-{number}"]


@pytest.mark.anyio
@pytest.mark.parametrize("zone", ZONES)
async def test_adjoining_windows_find_everything_once(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """A year cut into windows loses nothing at the cuts, and repeats nothing."""
    for number, at in enumerate(MOMENTS):
        add(f"TB-{number}", title="window", created=at, updated=at)
    millisecond = timedelta(milliseconds=1)
    starts = [MOMENTS[0] - timedelta(days=1), *MOMENTS]
    ends = [*(at - millisecond for at in MOMENTS), MOMENTS[-1] + timedelta(days=1)]

    every = [await found(source, *window) for window in zip(starts, ends, strict=True)]

    assert sorted(key for keys in every for key in keys) == [f"TB-{n}" for n in range(len(MOMENTS))]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), zone=st.sampled_from(ZONES))
def test_a_window_is_exact(visit: Callable[[Jira], Any], data: st.DataObject, zone: str) -> None:
    """Whatever the moments and the zone, a search finds what the window covers."""
    moments = st.datetimes(datetime(2024, 10, 26), datetime(2024, 11, 4), timezones=st.just(UTC))  # noqa: DTZ001  # hypothesis adds the zone
    times = data.draw(st.lists(moments, min_size=1, max_size=5))
    since, until = sorted(data.draw(st.tuples(moments, moments)))
    tickets = tuple(
        Ticket(key=f"TB-{n}", title="window", author="robin", created=at, updated=at)
        for n, at in enumerate(times)
    )
    me = Person(key="robin", name="Robin Doe", time_zone=zone)
    jira = Jira(Company(name="N", token="t", people=(me,), tickets=tickets))  # noqa: S106  # it opens a simulator

    async def search() -> list[str]:
        async with visit(jira) as source:
            return await found(source, since, until)

    # Jira keeps milliseconds, and what it cuts off is older than it was.
    shown = {
        f"TB-{n}": at.replace(microsecond=at.microsecond // 1000 * 1000)
        for n, at in enumerate(times)
    }
    assert sorted(asyncio.run(search())) == sorted(
        key for key, at in shown.items() if since <= at <= until
    )


@pytest.mark.anyio
async def test_the_zone_is_asked_once(
    site: Jira, add: Callable[..., Ticket], source: JiraSource
) -> None:
    """Who one is does not change between two searches; without a window nobody asks."""
    add("TB-1", title="window")
    await found(source, None, None)
    before = len(site.exchanges)
    for _ in range(3):
        await found(source, MOMENTS[0], None)

    asked = [each.request.path for each in site.exchanges]
    assert asked[:before].count("/rest/api/3/myself") == 0
    assert asked.count("/rest/api/3/myself") == 1


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "\x00"])
def test_an_unknown_zone_widens_the_window_by_a_day(name: str) -> None:
    """Then whatever zone it is in truth, nothing falls out."""
    query = Query(account="jira", text="", since=MOMENTS[0], until=MOMENTS[0])

    assert [*Zone.named(name).clauses(query)] == [
        'updated >= "2024/03/09 06:59"',
        'updated <= "2024/03/11 07:00"',
    ]


def test_the_ends_of_time_are_moments_too() -> None:
    """A window from the first to the last moment there is can be asked for."""
    ever = Query(
        account="jira",
        text="",
        since=datetime.min.replace(tzinfo=UTC),
        until=datetime.max.replace(tzinfo=UTC),
    )

    assert len([*Zone.named("Pacific/Kiritimati").clauses(ever)]) == 2
