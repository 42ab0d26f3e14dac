"""Where a listing goes on: nothing is left out, and nothing comes twice unless it changed."""

import asyncio
import tracemalloc
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core import (
    Container,
    ContextItem,
    ItemNotFound,
    ItemRef,
    KnownIds,
    ListedChange,
    ListingStep,
    ListScope,
    PluginFailed,
    SourceHooks,
    UpdateCursor,
    check_readable,
    hookimpl,
    merge_listings,
    readable_names,
)
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.limits import MOST_CURSOR
from rove_core.plugins.loader import use_plugins

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


class Lists(SourceHooks):
    """Lists whatever it is given."""

    def __init__(self, *changes: object) -> None:
        self.changes = changes

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:  # noqa: ARG002  # it lists what it is given
        """Yield it."""
        for change in self.changes:
            yield change  # type: ignore[misc]  # what is tested


def item(name: str, account: str = "wiki") -> ContextItem:
    """Return a page."""
    ref = ItemRef(account=account, kind="page", id=name)
    return ContextItem(
        ref=ref, source="wiki", role="page", title="P", content="a\u202eb", timestamp=AT
    )


def changes_of(*changes: object, limit: int = 1000) -> list[ListedChange]:
    """Return what Rove takes of what a source lists."""
    accounts = Accounts(use_plugins([]).manager)
    accounts.connect("wiki", Lists(*changes))

    async def listed() -> list[ListedChange]:
        scope = ListScope(account="wiki", limit=limit)
        return [change async for change in accounts.list_changes(scope)]

    return asyncio.run(listed())


def test_what_is_listed_is_made_harmless() -> None:
    """Like whatever else a source brings."""
    (change,) = changes_of(ListedChange(item=item("A"), whole=True, cursor="c"))

    assert change.item is not None
    assert (change.item.content, change.whole, change.cursor) == ("ab", True, "c")


def test_a_listing_ends_at_its_limit() -> None:
    """What is gone, and a cursor alone, do not count."""
    gone = ListedChange(gone=item("X").ref)
    found = changes_of(gone, *(ListedChange(item=item(name)) for name in "ABC"), limit=2)

    assert [change.item.ref.id for change in found if change.item] == ["A", "B"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (item("A"), "rove_list gave ContextItem instead of ListedChange"),
        (ListedChange(item=item("A", "other")), "rove_list gave 'A' of the account 'other'"),
        (ListedChange(gone=item("A", "other").ref), "rove_list gave 'A' of the account 'other'"),
        (ListedChange(cursor="c" * 2_000_001), "gave a cursor of more than 2000000 characters"),
        (ListedChange(cursor=7), "rove_list gave int instead of str"),  # type: ignore[arg-type]  # what is tested
    ],
)
def test_a_listing_that_breaks_the_contract(change: object, said: str) -> None:
    """The error names the account and what was wrong."""
    with pytest.raises(PluginFailed, match=said):
        changes_of(change)


def test_ids_are_written_as_ranges() -> None:
    """A project of thousands of tickets fits into a cursor."""
    known = KnownIds()
    for name in ("TB-1", "TB-2", "TB-3", "TB-7", "acme/api#9", "readme", "v007", "42"):
        known.add(name)

    assert known.to_json() == {"TB-": "1-3,7", "acme/api#": "9", "": ["42", "readme", "v007"]}
    assert {*KnownIds.of(known.to_json())} == {*known}


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["A-1", "A-2", "A-10", "B7", "x", "0"]))))
def test_ids_are_a_set(steps: list[tuple[bool, str]]) -> None:
    """Whatever is added and removed, and written and read between."""
    known, wanted = KnownIds(), set[str]()
    for is_added, name in steps:
        (known.add if is_added else known.discard)(name)
        (wanted.add if is_added else wanted.discard)(name)
        known = KnownIds.of(known.to_json())
        assert ({*known}, len(known)) == (wanted, len(wanted))
        assert all((each in known) == (each in wanted) for each in ("A-1", "x", "B7"))


def test_an_import_is_not_listed_for_ever() -> None:
    """What shares one time is listed once more, when nothing of it can be late any more."""
    place = UpdateCursor.of(scope())
    for number in range(500):
        place.is_new(f"A-{number}", AT)
    begins = []
    for minutes in (0, 5, 10, 15, 20):
        cursor = place.text(done=True, now=AT + DAY + timedelta(minutes=minutes))
        place = UpdateCursor.of(scope(cursor))
        begins.append(place.since)

    later = AT + timedelta(minutes=1)
    assert begins == [later] * 3 + [AT - timedelta(minutes=10), later]
    assert "A-1" not in cursor
    assert place.is_new("A-1", later)


def test_what_its_vendor_told_late_of_an_import_is_listed() -> None:
    """News meanwhile does not put it off, and is not listed twice."""
    pages = {f"A-{number}": AT for number in range(500)}
    place = UpdateCursor.of(scope())
    for name in pages:
        place.is_new(name, AT)
    found, cursor = [], place.text(done=True, now=AT + DAY)
    for minutes in (5, 10, 15, 20):
        pages |= {f"N-{minutes}": AT + timedelta(minutes=minutes)}
        pages |= {"LATE": AT - timedelta(minutes=2)}
        place = UpdateCursor.of(scope(cursor))
        fresh = [
            name
            for name, at in sorted(pages.items(), key=lambda each: (each[1], each[0]), reverse=True)
            if place.is_new(name, at)
        ]
        found.append(fresh)
        cursor = place.text(done=True, now=AT + DAY + timedelta(minutes=minutes))

    assert found == [["N-5"], ["N-10"], ["N-15"], ["N-20", "LATE"]]


def test_a_cursor_has_room_for_a_large_import() -> None:
    """It forgets which of very many items of one time were listed."""
    place = UpdateCursor.of(scope())
    for number in range(100_000):
        place.is_new(f"A-{number}", AT)

    assert len(place.text(done=True, now=AT + DAY)) < MOST_CURSOR


def test_a_step_costs_the_same_however_many_were_listed() -> None:
    """The place after a step notes how many there were, not which."""
    place = UpdateCursor.of(scope())
    tracemalloc.start()
    marks = []
    for number in range(2_000):
        place.is_new(f"A-{number}", AT)
        marks.append(place.mark(done=False))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert taken < 10_000_000
    assert ["A-999" in marks[at]() for at in (998, 999)] == [False, True]


@pytest.mark.parametrize("count", [5_000, 50_000])
def test_a_cursor_has_room_for_long_ids(count: int) -> None:
    """Of very many it forgets which were listed: a check then finds out what is gone."""
    place = UpdateCursor.of(scope(), keep_ids=True)
    for number in range(count):
        place.is_new(f"acme/a-repository-with-a-long-name@{number:040x}z", AT)
    cursor = place.text(done=False)
    again = UpdateCursor.of(scope(cursor), keep_ids=True)

    assert len(cursor) < MOST_CURSOR
    assert len(again.known or ()) == (count if count == 5_000 else 0)


@pytest.mark.parametrize("changed", [datetime.min.replace(tzinfo=UTC), AT + 99 * DAY])
def test_a_cursor_begins_at_a_time_that_has_been(changed: datetime) -> None:
    """Whatever times a vendor gives: later changes come after it."""
    asked = ListScope(account="wiki", now=AT)
    cursor = ""
    for minutes in (0, 15, 30, 45):
        asked = ListScope(account="wiki", now=AT + timedelta(minutes=minutes), cursor=cursor)
        place = UpdateCursor.of(asked)
        place.is_new("A", changed)
        cursor = place.text(done=True, now=asked.now)
    since = UpdateCursor.of(ListScope(account="wiki", now=AT, cursor=cursor)).since

    assert since is not None
    assert since <= AT


def test_what_its_vendor_told_late_puts_off_the_end() -> None:
    """As long as something is new, what changed shortly before it may be late as well."""
    pages, now = {"A": AT}, AT + DAY
    place = UpdateCursor.of(scope())
    place.is_new("A", AT)
    place = UpdateCursor.of(scope(place.text(done=True, now=now)))
    place.is_new("B", AT + timedelta(minutes=2))
    cursor = place.text(done=True, now=now + timedelta(minutes=15))
    cursor = UpdateCursor.of(scope(cursor)).text(done=True, now=now + timedelta(minutes=20))
    late, _ = listed({**pages, "C": AT + timedelta(minutes=1)}, cursor)

    assert late == ["C"]


def test_what_is_gone_is_told_once() -> None:
    """Also when the listing is stopped between two of them."""
    first = UpdateCursor.of(scope(), keep_ids=True)
    for name in ("A-1", "A-2", "A-3"):
        first.is_new(name, AT)
    second = UpdateCursor.of(scope(first.text(done=True)), keep_ids=True)
    steps = second.forget_missing({"A-2"}, AT)
    assert next(steps) == "A-1"
    third = UpdateCursor.of(scope(second.text(done=False)), keep_ids=True)

    assert [*third.forget_missing({"A-2"}, AT)] == ["A-3"]


def test_a_sweep_costs_a_request_a_minute() -> None:
    """A small account is swept each time, a large one less often."""
    place = UpdateCursor.of(scope(), keep_ids=True)
    for number in range(500):
        place.is_new(f"A-{number}", AT)
    assert place.is_sweep_due(AT, per_request=100)
    assert [*place.forget_missing([f"A-{number}" for number in range(500)], AT)] == []
    soon, later = AT + timedelta(minutes=4), AT + timedelta(minutes=5)

    assert not place.is_sweep_due(soon, per_request=100)
    assert place.is_sweep_due(later, per_request=100)
    assert place.is_sweep_due(soon, per_request=500)


class Rooms:
    """Containers with items in each, listed one by one and together."""

    def __init__(self, **rooms: dict[str, datetime]) -> None:
        self.rooms = rooms
        self.closed: set[str] = set()
        self.asked: list[str] = []

    async def one(self, scope: ListScope) -> AsyncGenerator[ListingStep, None]:
        """List a room."""
        (room,) = scope.containers
        self.asked.append(room)
        place = UpdateCursor.of(scope, keep_ids=True)
        if room in self.closed:
            for name in place.forget_missing((), AT):
                gone = ItemRef(account="wiki", kind="page", id=name)
                yield ListingStep(ListedChange(gone=gone), str)
            raise ItemNotFound(f"no room {room}")
        for name, at in sorted(self.rooms[room].items(), key=lambda each: each[1], reverse=True):
            if place.is_new(name, at):
                yield ListingStep(ListedChange(item=page(name, at)), place.mark(done=False))
        yield ListingStep(ListedChange(), place.mark(done=True))

    async def told(
        self, cursor: str = "", *, limit: int = 1000, every: int = 50
    ) -> tuple[list[str], list[str], str]:
        """Return what all rooms list, what is gone, and the last cursor."""
        found, gone = [], []
        asked = ListScope(account="wiki", cursor=cursor, limit=limit)
        with suppress(ItemNotFound):
            async for change in merge_listings(asked, [*self.rooms], self.one, every=every):
                found += [change.item.ref.id] if change.item else []
                gone += [change.gone.id] if change.gone else []
                cursor = change.cursor or cursor
        return found, gone, cursor


def page(name: str, at: datetime) -> ContextItem:
    """Return an item."""
    ref = ItemRef(account="wiki", kind="page", id=name)
    return ContextItem(ref=ref, source="wiki", role="page", title=name, content="", timestamp=at)


def test_containers_are_listed_as_one() -> None:
    """Newest first over all of them, and then what changed."""
    rooms = Rooms(east={"A-1": AT, "A-2": AT + 3 * DAY}, west={"B-1": AT + 2 * DAY})
    first, _, cursor = asyncio.run(rooms.told())
    rooms.rooms["west"]["B-2"] = AT + 4 * DAY
    second, _, _ = asyncio.run(rooms.told(cursor))

    assert (first, second) == (["A-2", "B-1", "A-1"], ["B-2"])


def test_more_containers_than_are_listed_together() -> None:
    """All of them come, and the next listing brings nothing."""
    rooms = Rooms(**{f"room{number}": {f"R-{number}": AT} for number in range(50)})
    first, _, cursor = asyncio.run(rooms.told(limit=30))
    second, _, cursor = asyncio.run(rooms.told(cursor))
    third, _, _ = asyncio.run(rooms.told(cursor))

    assert sorted(first + second) == sorted(f"R-{number}" for number in range(50))
    assert third == []


def test_containers_are_requested_once_for_all_listings_of_an_update() -> None:
    """Where a scope brings the readable containers, a source does not request them again."""

    async def listed_before() -> list[Container]:
        return [Container(name="TB"), Container(name="TC")]

    async def requested() -> list[Container]:
        return [Container(name="TB")]

    shared = ListScope(account="wiki", readable=listed_before)

    assert asyncio.run(readable_names(shared, requested)) == ["TB", "TC"]
    assert asyncio.run(readable_names(scope(), requested)) == ["TB"]


def test_an_unreadable_container_is_named_as_its_vendor_does() -> None:
    """A container of the scope that cannot be read is an error with its kind and its name."""
    chosen = ListScope(account="wiki", containers=("TB", "GONE"))

    check_readable(chosen, ["TB", "GONE", "TC"], kind="project")
    with pytest.raises(ItemNotFound, match=r"^project GONE: not found, or not visible"):
        check_readable(chosen, ["TB"], kind="project")


def test_a_container_that_cannot_be_read_any_more() -> None:
    """What it held is gone, once, and the others are listed all the same."""
    rooms = Rooms(east={"A-1": AT}, west={"B-1": AT})
    _, _, cursor = asyncio.run(rooms.told())
    rooms.closed = {"east"}
    rooms.rooms["west"]["B-2"] = AT + DAY
    found, gone, cursor = asyncio.run(rooms.told(cursor))
    del rooms.rooms["east"]
    _, again, _ = asyncio.run(rooms.told(cursor))

    assert (found, gone, again) == (["B-2"], ["A-1"], [])


def test_a_container_that_is_not_offered_any_more_is_asked_once_more() -> None:
    """So that what it held is told to be gone."""
    rooms = Rooms(east={"A-1": AT}, west={"B-1": AT})
    _, _, cursor = asyncio.run(rooms.told())
    del rooms.rooms["east"]
    rooms.closed = {"east"}
    _, gone, cursor = asyncio.run(rooms.told(cursor))
    rooms.asked.clear()
    asyncio.run(rooms.told(cursor))

    assert (gone, rooms.asked) == (["A-1"], ["west"])


_STEPS = st.lists(
    st.tuples(st.sampled_from(["e-1", "e-2", "w-1", "w-2", "w-3"]), st.integers(0, 2_000)),
    max_size=6,
)


@given(st.lists(_STEPS, min_size=1, max_size=5), st.integers(1, 3), st.integers(1, 3))
def test_whatever_changes_in_several_containers(
    rounds: list[list[tuple[str, int]]], limit: int, every: int
) -> None:
    """Each state of an item is listed, and none twice, wherever listings stop."""
    rooms, newest = Rooms(e={}, w={}), AT
    told: list[tuple[str, datetime]] = []
    cursor = ""
    for changes in [*rounds, *[[]] * 12]:
        for name, minutes in changes:
            newest += timedelta(minutes=minutes + 1)
            rooms.rooms[name[0]][name] = newest
        found, _, cursor = asyncio.run(rooms.told(cursor, limit=limit, every=every))
        told += [(name, rooms.rooms[name[0]][name]) for name in found]

    assert {each for room in rooms.rooms.values() for each in room.items()} <= set(told)
    assert len(told) == len(set(told))
