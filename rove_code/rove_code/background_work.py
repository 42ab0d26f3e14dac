"""Run slow work beside the event loop."""

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from rove_core import Project

Result = TypeVar("Result")
#: Is told how many files are done, and of how many.
Progress = Callable[[int, int], None]

#: For fewer files nobody wants to be told how far it is.
_MANY: Final = 200


class WorkAbandoned(Exception):  # noqa: N818  # it is no error: nobody waits any longer
    """The result of the work is no longer needed."""


async def in_thread(
    work: Callable[[Progress], Result], on_progress: Progress = lambda _done, _total: None
) -> Result:
    """Return the result of work in a thread, which stops soon after being cancelled.

    Args:
        work: What is done. It tells how far it is.
        on_progress: Is told that, in the thread. Whatever it raises ends the work.
    """
    is_over = threading.Event()

    def progress(done: int, total: int) -> None:
        if is_over.is_set():
            raise WorkAbandoned
        on_progress(done, total)

    try:
        return await asyncio.to_thread(work, progress)
    finally:
        is_over.set()


def progress_for(rove: "Project") -> Progress:
    """Return a callback that reports parsing progress to a project's listeners, in ten steps."""
    from rove_core import Event  # noqa: PLC0415  # the list of commands needs none

    loop, last_tenth = asyncio.get_running_loop(), -1

    def report(done: int, total: int) -> None:
        nonlocal last_tenth
        tenth = 10 * done // total
        if total >= _MANY and tenth > last_tenth:
            last_tenth = tenth
            note = f"{done} of {total} files are taken apart"
            event = Event(
                task="", at=rove.clock.now(), stage="code", done=done, total=total, note=note
            )
            loop.call_soon_threadsafe(rove.tasks.on_event, event)

    return report
