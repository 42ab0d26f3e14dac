"""Which plugin is running, on a board that another process can read."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator

import pytest

from rove_core.plugins.calls import answer, stream
from rove_core.plugins.watchdog import SIZE, Board, SteppedCall, show_on, step


@pytest.fixture
def board() -> Iterator[Board]:
    """Show the steps of this process on a board."""
    with tempfile.TemporaryFile() as file:
        file.truncate(SIZE)
        board = Board(file.fileno())
        show_on(board)
        yield board
        show_on(None)
        board.close()


@pytest.mark.anyio
async def test_a_name_stands_only_while_its_code_runs(board: Board) -> None:
    """Between two steps, while it waits, other code runs."""
    seen, go_on = [], asyncio.Event()

    async def work() -> int:
        seen.append(board.running)
        await go_on.wait()
        seen.append(board.running)
        return 7

    task: asyncio.Task[int] = asyncio.create_task(SteppedCall("jira:work", work))
    await asyncio.sleep(0)  # noqa: TID251  # it lets the task begin
    between = board.running
    go_on.set()

    assert await task == 7
    assert (seen, between, board.running) == (["jira:work"] * 2, "", "")


@pytest.mark.anyio
async def test_steps_stand_in_each_other(board: Board) -> None:
    """What a plugin has another one do is the other's; afterwards it is its own again."""
    seen = []

    async def outer() -> None:
        with step("inner"):
            seen.append(board.running)
        seen.append(board.running)

    await SteppedCall("outer", outer)

    assert seen == ["inner", "outer"]


@pytest.mark.anyio
async def test_errors_and_cancellation_pass(board: Board) -> None:
    """A step that ends with an error, or is told to end, behaves as if nobody watched."""
    seen = []

    async def raising() -> None:
        raise ValueError

    async def cleaning_up() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append(board.running)

    with pytest.raises(ValueError, match=r"^$"):
        await SteppedCall("slack", raising)
    task: asyncio.Task[None] = asyncio.create_task(SteppedCall("slack", cleaning_up))
    await asyncio.sleep(0)  # noqa: TID251  # it lets the task begin
    task.cancel()

    assert (await asyncio.gather(task, return_exceptions=True))[0].__class__.__name__ == (
        "CancelledError"
    )
    assert (seen, board.running) == (["slack"], "")


@pytest.mark.anyio
async def test_calls_of_a_source_are_shown(board: Board) -> None:
    """Each way to call a plugin shows the account while its code runs."""
    seen = []

    async def one() -> None:
        seen.append(board.running)

    async def several() -> AsyncIterator[str]:
        yield board.running
        yield board.running

    await answer("github", one, deadline=10)
    seen += [name async for name in stream("linear", several, deadline=10)]

    assert seen == ["github", "linear", "linear"]
    assert board.running == ""


def test_others_see_it() -> None:
    """The board is memory that its watcher has as well; a long name is cut, not refused."""
    with tempfile.TemporaryFile() as file:
        file.truncate(SIZE)
        mine, theirs = Board(file.fileno()), Board(file.fileno())
    show_on(mine)
    with step("ä" * 500):
        mine.beat()
        seen, beats = theirs.running, theirs.beats
    show_on(None)

    assert (seen, beats, theirs.running) == ("ä" * 60, 1, "")
    mine.close()
    theirs.close()


def test_where_nobody_watches() -> None:
    """Nothing is shown, and nothing is in the way."""
    with step("jira"):
        pass
