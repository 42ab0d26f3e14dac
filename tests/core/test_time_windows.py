"""Windows of time: what people write, in their own zone, on days of 23 and 25 hours too."""

import os
import time  # noqa: TID251  # only it makes the process take note of TZ
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rove_core.errors import WrongCall
from rove_core.time_windows import Window, first_moment, last_moment, window

NOW = datetime(2026, 3, 31, 22, 30, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
TICK = timedelta(microseconds=1)

#: Zones whose clocks turn at midnight, at one, by half an hour, and one that skipped a day.
ZONES = st.sampled_from(
    [
        ZoneInfo(name)
        for name in (
            *("UTC", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "America/Havana"),
            *("Asia/Beirut", "Asia/Kolkata", "Africa/Cairo", "Australia/Lord_Howe", "Pacific/Apia"),
        )
    ]
)
DAYS = st.dates(date(1990, 1, 1), date(2037, 12, 31))
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2037, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001  # hypothesis adds the zone


@pytest.fixture
def _in_tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put this machine into Japan."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    os.environ.pop("TZ", None)
    time.tzset()


def _first(text: str) -> str:
    return f"{first_moment(text, now=NOW, zone=BERLIN):%Y-%m-%d %H:%M:%S.%f}"


def _last(text: str) -> str:
    return f"{last_moment(text, now=NOW, zone=BERLIN):%Y-%m-%d %H:%M:%S.%f}"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024-12-01", "2024-11-30 23:00:00.000000", "2024-12-01 22:59:59.999999"),
        ("2026-03-29", "2026-03-28 23:00:00.000000", "2026-03-29 21:59:59.999999"),
        ("2025-10-26", "2025-10-25 22:00:00.000000", "2025-10-26 22:59:59.999999"),
        ("2024-12-01T10:30", "2024-12-01 09:30:00.000000", "2024-12-01 09:30:00.000000"),
        ("2024-12-01 10:30:15", "2024-12-01 09:30:15.000000", "2024-12-01 09:30:15.000000"),
        ("2024-12-01t10:30z", "2024-12-01 10:30:00.000000", "2024-12-01 10:30:00.000000"),
        ("2024-12-01T10:30-05:00", "2024-12-01 15:30:00.000000", "2024-12-01 15:30:00.000000"),
        ("2025-10-26T02:30", "2025-10-26 00:30:00.000000", "2025-10-26 01:30:00.000000"),
        ("today", "2026-03-31 22:00:00.000000", "2026-04-01 21:59:59.999999"),
        ("Yesterday", "2026-03-30 22:00:00.000000", "2026-03-31 21:59:59.999999"),
        ("7d", "2026-03-24 23:00:00.000000", "2026-03-25 22:59:59.999999"),
        ("30  days ago", "2026-03-01 23:00:00.000000", "2026-03-02 22:59:59.999999"),
        ("2 weeks ago", "2026-03-17 23:00:00.000000", "2026-03-18 22:59:59.999999"),
        ("1 month ago", "2026-02-28 23:00:00.000000", "2026-03-01 22:59:59.999999"),
        ("26 months", "2024-01-31 23:00:00.000000", "2024-02-01 22:59:59.999999"),
        ("1y", "2025-03-31 22:00:00.000000", "2025-04-01 21:59:59.999999"),
        ("90 min ago", "2026-03-31 21:00:00.000000", "2026-03-31 21:00:00.000000"),
        ("2h", "2026-03-31 20:30:00.000000", "2026-03-31 20:30:00.000000"),
    ],
)
def test_what_people_write(text: str, first: str, last: str) -> None:
    """In Berlin, half an hour into the first of April: each text's first and last moment."""
    assert (_first(text), _last(text)) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "soon", "2024-13-01", "2024-02-30", "12:30", "7", "7x", "-7d", "7 d d"),
        *("1.5d", "\u0661d", "999999999d", "999999999 years ago", "9999-12-31", "2024-12-01T25:00"),
        "7d\x00",
    ],
)
def test_what_is_no_time(text: str) -> None:
    """What nobody can read, and what no calendar has, is a wrong call that quotes it."""
    with pytest.raises(WrongCall) as caught:
        window(None, text, now=NOW, zone=BERLIN)

    assert repr(text) in caught.value.message


@given(st.text())
def test_any_text_is_a_time_or_none(text: str) -> None:
    """Whatever is written is read, or refused as what it is."""
    try:
        first = first_moment(text, now=NOW, zone=BERLIN)
    except WrongCall:
        return

    assert first.tzinfo is UTC


def test_an_open_end() -> None:
    """What is not said is open."""
    assert window(None, None, now=NOW) == Window()


def test_the_wrong_way_round() -> None:
    """A window that ends before it begins is refused."""
    with pytest.raises(WrongCall, match="is before"):
        window("2024-12-02", "2024-12-01", now=NOW, zone=BERLIN)


@pytest.mark.usefixtures("_in_tokyo")
def test_the_zone_is_that_of_the_machine() -> None:
    """Where nobody says where they are, a day is a day of this machine."""
    assert window("2024-12-01", "2024-12-01", now=NOW) == Window(
        since=datetime(2024, 11, 30, 15, tzinfo=UTC),
        until=datetime(2024, 12, 1, 15, tzinfo=UTC) - TICK,
    )


@given(zone=ZONES, first=DAYS, length=st.integers(0, 400), data=st.data())
def test_a_moment_lies_in_a_window_when_its_day_does(
    zone: ZoneInfo, first: date, length: int, data: st.DataObject
) -> None:
    """A moment is in the window of two dates exactly when its local date is: no hour is lost."""
    last = first + timedelta(days=length)
    assume(not first == last == date(2011, 12, 30))  # In Apia that day never was.
    meant = window(str(first), str(last), now=NOW, zone=zone)
    near = st.sampled_from([meant.since or NOW, meant.until or NOW])
    shift = st.timedeltas(timedelta(hours=-26), timedelta(hours=26))
    moment = data.draw(near) + data.draw(st.one_of(shift, st.sampled_from([-TICK, 0 * TICK, TICK])))

    lies_in_it = first <= moment.astimezone(zone).date() <= last

    assert ((meant.since or moment) <= moment <= (meant.until or moment)) == lies_in_it


@given(zone=ZONES, now=MOMENTS, days=st.integers(0, 4000))
def test_days_ago_are_days_of_the_calendar(zone: ZoneInfo, now: datetime, days: int) -> None:
    """So many days ago is the date so many days before the local one, whatever the clocks did."""
    day = now.astimezone(zone).date() - timedelta(days=days)
    texts = [f"{days}d", f"{days} days ago"]

    assert {first_moment(text, now=now, zone=zone) for text in texts} == {
        first_moment(str(day), now=now, zone=zone)
    }


@given(zone=ZONES, moment=MOMENTS)
def test_a_time_without_a_zone_is_a_local_one(zone: ZoneInfo, moment: datetime) -> None:
    """What a clock on the wall shows lies between the first and the last moment it means."""
    shown = moment.astimezone(zone).replace(tzinfo=None, fold=0).isoformat()

    first, last = (read(shown, now=NOW, zone=zone) for read in (first_moment, last_moment))

    assert first <= moment <= last
    assert last - first <= timedelta(hours=1)


@given(zone=ZONES, moment=MOMENTS)
def test_a_time_with_a_zone_is_one_moment(zone: ZoneInfo, moment: datetime) -> None:
    """A time that says its own zone means the same everywhere."""
    shown = moment.isoformat()

    assert first_moment(shown, now=NOW, zone=zone) == moment
    assert last_moment(shown, now=NOW, zone=zone) == moment
