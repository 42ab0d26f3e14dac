"""Where a listing goes on: nothing is left out, and nothing comes twice unless it changed."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core import ListScope, UpdateCursor

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)


def scope(cursor: str = "", since: datetime | None = None) -> ListScope:
    """Return what to list."""
    return ListScope(account="wiki", cursor=cursor, since=since)


def listed(
    pages: dict[str, datetime], cursor: str = "", *, most: int = 1000, since: datetime | None = None
) -> tuple[list[str], str]:
    """Return what a vendor with these pages lists, and where that ended."""
    place = UpdateCursor.of(scope(cursor, since))
    found: list[str] = []
    for name in sorted(pages, key=lambda each: (pages[each], each), reverse=True):
        asked = place.since is None or place.since <= pages[name]
        asked = asked and (place.until is None or pages[name] <= place.until)
        if asked and place.is_new(name, pages[name]):
            found.append(name)
        if len(found) == most:
            return found, place.text(done=False)
    return found, place.text(done=True)


def test_what_changed_since_is_listed() -> None:
    """The first listing brings everything, the next one what changed after it."""
    pages = {"A": AT, "B": AT + DAY}
    first, cursor = listed(pages)
    second, cursor = listed({**pages, "A": AT + 2 * DAY}, cursor)
    third, _ = listed({**pages, "A": AT + 2 * DAY}, cursor)

    assert (first, second, third) == (["B", "A"], ["A"], [])


def test_what_its_vendor_told_late_is_listed() -> None:
    """A change that was made shortly before the newest one and comes after it is not lost."""
    _, cursor = listed({"A": AT})
    late = AT - timedelta(minutes=5)

    assert listed({"A": AT, "B": late}, cursor)[0] == ["B"]


def test_a_listing_that_stopped_goes_on() -> None:
    """What is left comes next, then what changed meanwhile."""
    pages = {name: AT + number * DAY for number, name in enumerate("ABCD")}
    first, cursor = listed(pages, most=2)
    rest, cursor = listed({**pages, "A": pages["A"], "E": AT + 9 * DAY}, cursor)
    news, _ = listed({**pages, "E": AT + 9 * DAY}, cursor)

    assert (first, rest, news) == (["D", "C"], ["B", "A"], ["E"])


def test_nothing_older_than_asked_for() -> None:
    """The beginning of the scope holds for the first listing."""
    assert listed({"A": AT, "B": AT + DAY}, since=AT + DAY)[0] == ["B"]


@pytest.mark.parametrize("cursor", ["{", "[]", "null", '{"since": 7}', '{"newest": "yesterday"}'])
def test_an_unknown_cursor_begins_anew(cursor: str) -> None:
    """Rove stores cursors for years; one of another version is no error."""
    assert listed({"A": AT}, cursor)[0] == ["A"]


_CHANGES = st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(0, 5_000), max_size=8)


@given(st.lists(_CHANGES, min_size=1, max_size=6), st.integers(1, 3))
def test_whatever_changes_meanwhile(rounds: list[dict[str, int]], most: int) -> None:
    """Each item is listed as it is in the end, and none twice in the same state."""
    pages: dict[str, datetime] = {}
    told: list[tuple[str, datetime]] = []
    cursor, newest = "", 0
    for changes in rounds:
        for name, minutes in changes.items():
            newest += minutes + 1
            pages[name] = AT + timedelta(minutes=newest)
        found, cursor = listed(pages, cursor, most=most)
        told += [(name, pages[name]) for name in found]
    for _ in range(20):
        found, cursor = listed(pages, cursor, most=most)
        told += [(name, pages[name]) for name in found]

    assert set(pages.items()) <= set(told)
    assert len(told) == len(set(told))
