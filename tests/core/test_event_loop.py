"""The event loop that plugins run in: none of them stops it, or holds up its end."""

import asyncio
import tempfile
from collections.abc import Iterator
from threading import Event

import pytest

from rove_core.errors import PluginFailed
from rove_core.plugins import event_loop
from rove_core.plugins.calls import answer
from rove_core.plugins.event_loop import run_to_end
from rove_core.plugins.watchdog import SIZE, Board, SteppedCall, show_on


@pytest.fixture
def watched() -> Iterator[Board]:
    """Show whose code runs in this process, as if somebody watched it."""
    with tempfile.TemporaryFile() as file:
        file.truncate(SIZE)
        board = Board(file.fileno())
        show_on(board)
        yield board
        show_on(None)
        board.close()


@pytest.mark.usefixtures("watched")
def test_a_plugin_cannot_stop_the_loop() -> None:
    """It is an error of the plugin, and the loop goes on."""

    async def stop() -> None:
        asyncio.get_running_loop().stop()

    async def work() -> str:
        with pytest.raises(PluginFailed, match="bad: rove_identity blocks the event loop"):
            await answer("bad", stop, deadline=10, hook="rove_identity")
        return "done"

    assert run_to_end(work()) == "done"


def test_a_loop_that_is_stopped_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    """A callback of nobody's stops it for a moment, and that is logged."""

    async def work() -> str:
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.stop)
        for _ in range(3):
            await asyncio.sleep(0)  # noqa: TID251  # it lets the callback run
        return "done"

    assert run_to_end(work()) == "done"
    assert "the event loop was stopped from outside" in caplog.text


@pytest.mark.usefixtures("watched")
def test_a_plugin_cannot_cancel_the_tasks_of_others() -> None:
    """It is an error of the plugin; the other task ends as it would."""

    async def other(go_on: asyncio.Event) -> str:
        await go_on.wait()
        return "done"

    async def cancel_all() -> None:
        for task in asyncio.all_tasks():
            if task is not asyncio.current_task():
                task.cancel()

    async def work() -> str:
        go_on = asyncio.Event()
        waiting = asyncio.create_task(other(go_on))
        with pytest.raises(PluginFailed, match="bad: rove_identity cancels another task"):
            await answer("bad", cancel_all, deadline=10, hook="rove_identity")
        go_on.set()
        return await waiting

    assert run_to_end(work()) == "done"


@pytest.mark.usefixtures("watched")
def test_a_plugin_may_cancel_its_own() -> None:
    """What it has begun itself is its own business."""
    cancelled = []

    async def never() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("its own")
            raise

    async def begin_and_cancel() -> str:
        task = asyncio.create_task(never())
        await asyncio.sleep(0)  # noqa: TID251  # it lets the task begin
        task.cancel()
        await asyncio.wait({task})
        return "done"

    assert run_to_end(answer("bad", begin_and_cancel, deadline=10)) == "done"
    assert cancelled == ["its own"]


@pytest.mark.usefixtures("watched")
def test_what_a_plugin_begins_runs_under_its_name(watched: Board) -> None:
    """A task that it leaves behind is still its own."""
    seen = []

    async def later() -> None:
        seen.append((watched.running, watched.hook))

    async def begin() -> "asyncio.Task[None]":
        return asyncio.create_task(later())

    async def work() -> None:
        await (await SteppedCall("bad", begin, "rove_search"))

    run_to_end(work())

    assert seen == [("bad", "rove_search")]


def test_a_task_that_swallows_its_cancellation(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is left behind after a moment, and named."""
    monkeypatch.setattr(event_loop, "GRACE", 0.01)

    async def swallow() -> None:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue

    async def work() -> "asyncio.Task[None]":
        task = asyncio.create_task(swallow())
        await asyncio.sleep(0)  # noqa: TID251  # it lets the task begin
        return task

    left = run_to_end(work())

    assert not left.done()
    assert "a task does not stop when it is cancelled" in caplog.text


def test_a_thread_that_blocks_holds_up_nothing() -> None:
    """The result is there although a thread still runs."""
    go_on = Event()

    async def work() -> str:
        asyncio.get_running_loop().run_in_executor(None, go_on.wait)
        return "done"

    assert run_to_end(work()) == "done"
    go_on.set()
