"""Note in a process of Rove which functions lead to the places where a build is handed on.

An event loop forgets who began a task: so each task, and each connection that is let in, remembers
the functions that led to it.
"""

import asyncio
import contextvars
import json
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

#: Names the file into which every process writes what it notes.
NOTES: Final = "ROVE_HOPS_NOTES"
_ROOT: Final = str(Path(__file__).parents[2])
#: Parts of a function, not functions of their own.
_PARTS: Final = frozenset({"<module>", "<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})
#: The last function of a stretch, by the end of its file's name and its own name.
_ENDS: Final = {
    ("server/worker_handle.py", "WorkerHandle.ask"): "the worker is asked",
    ("store/task_changes.py", "add_task"): "the task is in the table",
    ("rove_jira/source.py", "rove_search"): "rove_search",
    ("rove_jira/source.py", "rove_item_detail"): "rove_item_detail",
}
_NAMES: Final = frozenset(name.rpartition(".")[2] for _, name in _ENDS)

#: A function: its file, its line, its name.
Function = tuple[str, int, str]

_before: contextvars.ContextVar[tuple[Function, ...]] = contextvars.ContextVar("before", default=())
_noted: Final[set[str]] = set()


def begin() -> None:
    """Watch this process."""
    create_task, start_unix_server = asyncio.BaseEventLoop.create_task, asyncio.start_unix_server

    def remembering(
        loop: asyncio.BaseEventLoop,
        work: Coroutine[Any, Any, Any],
        *,
        context: contextvars.Context | None = None,
        **options: Any,  # noqa: ANN401  # asyncio's own
    ) -> asyncio.Task[Any]:
        begun = (context or contextvars.copy_context()).copy()
        begun.run(_before.set, _led_here(sys._getframe(1)))  # noqa: SLF001  # a stack has no other way
        return create_task(loop, work, context=begun, **options)

    def listening(called: Callable[..., None], **options: Any) -> object:  # noqa: ANN401  # asyncio's own
        before = _led_here(sys._getframe(1))  # noqa: SLF001  # the same

        def accepted(*streams: object) -> None:
            _before.set(before)
            called(*streams)

        return start_unix_server(accepted, **options)

    asyncio.BaseEventLoop.create_task = remembering  # type: ignore[assignment,method-assign]
    asyncio.start_unix_server = listening  # type: ignore[assignment]
    sys.setprofile(_profile)


def _profile(frame: FrameType, event: str, _: object) -> None:
    if event != "call" or frame.f_code.co_name not in _NAMES:
        return
    if (end := _end_at(frame.f_code)) and (end := _told(end, frame)) not in _noted:
        _noted.add(end)
        _write(end, _led_here(frame))


def _end_at(code: CodeType) -> str:
    for (file, name), end in _ENDS.items():
        if code.co_filename.endswith(file) and code.co_qualname.endswith(name):
            return end
    return ""


def _told(end: str, frame: FrameType) -> str:
    """Return what has come to its end: a process adds several tasks, and sends several."""
    variables = frame.f_locals
    task = variables.get("task")
    what = variables.get("what") or (task and task.operation)
    return f"{end}: {what}" if what else end


def _led_here(frame: FrameType | None) -> tuple[Function, ...]:
    """Return our functions that led to a frame, the first one first."""
    return (*_before.get(), *reversed([*_own(frame)]))


def _own(frame: FrameType | None) -> Iterator[Function]:
    while frame and not _is_loop(frame.f_code):
        code = frame.f_code
        if code.co_filename.startswith(f"{_ROOT}/rove") and code.co_name not in _PARTS:
            file = code.co_filename.removeprefix(f"{_ROOT}/")
            yield file, code.co_firstlineno, code.co_qualname
        frame = frame.f_back


def _is_loop(code: CodeType) -> bool:
    """Tell whether a function is where the event loop begins a step of a task."""
    return code.co_name == "_run" and code.co_filename.endswith("asyncio/events.py")


def _write(end: str, functions: tuple[Function, ...]) -> None:
    line = json.dumps({"process": os.getpid(), "end": end, "functions": functions})
    notes = os.open(os.environ[NOTES], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(notes, f"{line}\n".encode())
    os.close(notes)
