from datetime import UTC, datetime

import pytest

from rove_core.testing import Scene

pytestmark = pytest.mark.anyio


async def test_finds_words_of_the_description(linear: Scene) -> None:
    """An issue is found by what it says."""
    assert [item.ref.id for item in await linear.found("rotate day")] == ["TB-2"]


async def test_finds_words_of_comments(linear: Scene) -> None:
    """An issue is found by what was said below it."""
    assert [item.ref.id for item in await linear.found("hour is enough")] == ["TB-2"]


async def test_what_nobody_said_is_not_found(linear: Scene) -> None:
    """A search may end with nothing."""
    assert await linear.found("kubernetes") == []


async def test_a_window_leaves_out_what_is_older(linear: Scene) -> None:
    """Only issues that changed since then come back."""
    found = await linear.found("TB", since=datetime(2024, 12, 12, tzinfo=UTC))

    assert [item.ref.id for item in found] == ["TB-2"]


async def test_a_window_leaves_out_what_is_newer(linear: Scene) -> None:
    """Only issues that last changed before then come back."""
    found = await linear.found("TB", until=datetime(2024, 12, 12, tzinfo=UTC))

    assert [item.ref.id for item in found] == ["TB-1"]


async def test_asks_for_no_more_than_is_wanted(linear: Scene) -> None:
    """The limit of a query is Linear's too."""
    assert len([item async for item in linear.search("TB", limit=1)]) == 1
