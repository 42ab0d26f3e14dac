"""Where a listing goes on: nothing is left out, and nothing comes twice unless it changed."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core import (
    ContextItem,
    ItemRef,
    ListedChange,
    ListScope,
    PluginFailed,
    SourceHooks,
    UpdateCursor,
    hookimpl,
)
from rove_core.plugins.accounts import Accounts
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
