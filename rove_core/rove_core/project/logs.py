"""The log files of a project: errors, debug output, and one performance line per task.

Whoever has something to say uses a standard logger below ``rove`` (``rove.http``). Where two
projects are open in one process, what is said inside :meth:`ProjectLogs.here` goes to that
project alone, and what is said in no project's name goes nowhere.
"""

import json
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC
from pathlib import Path
from typing import Final

import attrs
from attrs import frozen

from rove_core.clock import SYSTEM, Clock
from rove_core.project.layout import ProjectPaths
from rove_core.project.log_file import append_line
from rove_core.safety.redaction import redact
from rove_core.safety.secrets import redact_secrets

_ROVE: Final = logging.getLogger("rove")
_ROVE.addHandler(logging.NullHandler())
_PERFORMANCE: Final = logging.getLogger("rove.performance")
_HERE: Final[ContextVar[Path | None]] = ContextVar("rove_logs", default=None)

#: The lines of figures that the current task has logged.
_LINES: Final[ContextVar[list[str] | None]] = ContextVar("rove_lines", default=None)

_INVISIBLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
_LONGEST: Final = 20_000
#: How much of a message is searched for secrets: more than is written.
_SEARCHED: Final = 2 * _LONGEST
_PLAIN: Final = re.compile(r"[^\s=\"]*")


@frozen(kw_only=True)
class TaskMetrics:
    """The figures of one run of a task.

    Attributes:
        task: Which task it was.
        ticket: Which ticket it was about.
        accounts: Which accounts it asked.
        requests: How many requests it sent.
        bytes: How many bytes came back.
        items: How many items they held.
        hops: How many references deep it went.
        model_calls: How often it asked a model.
        tokens: How many tokens that took.
        wall: Seconds it lasted.
        cpu: Seconds of processor time it took.
        exit: Its exit code.
    """

    task: str
    ticket: str
    accounts: tuple[str, ...]
    requests: int
    bytes: int
    items: int
    hops: int
    model_calls: int
    tokens: int
    wall: float
    cpu: float
    exit: int


@frozen(kw_only=True)
class OperationMetrics:
    """The figures of a task that builds nothing.

    Attributes:
        task: Which task it was.
        operation: What it did.
        requests: How many requests it sent.
        bytes: How many bytes came back.
        wall: Seconds it lasted.
        cpu: Seconds of processor time it took.
        exit: Its exit code.
    """

    task: str
    operation: str
    requests: int
    bytes: int
    wall: float
    cpu: float
    exit: int


class ProjectLogs:
    """The open logs of one project."""

    def __init__(self, handler: "_ProjectHandler") -> None:
        self._handler: _ProjectHandler | None = handler

    @contextmanager
    def here(self) -> Iterator[None]:
        """Send log records from inside, and from tasks started inside, to this project only."""
        token = _HERE.set(self._handler.folder if self._handler else None)
        try:
            yield
        finally:
            _HERE.reset(token)

    def close(self) -> None:
        """Stop writing; closing twice does nothing."""
        handler, self._handler = self._handler, None
        if handler is not None:
            handler.let_go()


def start_logging(places: ProjectPaths, *, clock: Clock = SYSTEM) -> ProjectLogs:
    """Write what Rove logs to a project's files until the result is closed.

    Started twice for one project, each line is still written once. A log that cannot be
    written is no error.
    """
    handler = next((each for each in _handlers() if each.folder == places.logs), None)
    if handler is None:
        handler = _ProjectHandler(places.logs, clock)
        _ROVE.addHandler(handler)
        _ROVE.setLevel(logging.DEBUG)
    handler.users += 1
    return ProjectLogs(handler)


def log_performance(metrics: TaskMetrics | OperationMetrics) -> None:
    """Write the figures of a task to the performance log."""
    line = performance_line(metrics)
    if (lines := _LINES.get()) is not None:
        lines.append(line)
    _PERFORMANCE.info("%s", line)


@contextmanager
def noting_lines() -> Iterator[list[str]]:
    """Yield the lines of figures that are logged inside, and in tasks started inside."""
    lines: list[str] = []
    token = _LINES.set(lines)
    try:
        yield lines
    finally:
        _LINES.reset(token)


def performance_line(metrics: TaskMetrics | OperationMetrics) -> str:
    """Return the figures of a task as one line of ``key=value``."""
    return " ".join(f"{name}={_figure(value)}" for name, value in attrs.asdict(metrics).items())


class _ProjectHandler(logging.Handler):
    def __init__(self, folder: Path, clock: Clock) -> None:
        super().__init__()
        self.folder = folder
        self.users = 0
        self._clock = clock

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002  # the base class's
        here = _HERE.get()
        return here == self.folder or (here is None and len(_handlers()) == 1)

    def emit(self, record: logging.LogRecord) -> None:
        # Whatever goes wrong with a log, the task that logs goes on.
        with suppress(Exception):
            line = self._line(record)
            if record.name == _PERFORMANCE.name:
                append_line(self.folder, "performance.log", line)
                return
            append_line(self.folder, "debug.log", line)
            if record.levelno >= logging.WARNING:
                append_line(self.folder, "error.log", line)

    def let_go(self) -> None:
        self.users -= 1
        if self.users == 0:
            _ROVE.removeHandler(self)
            if not _handlers():
                _ROVE.setLevel(logging.NOTSET)
            super().close()

    def _line(self, record: logging.LogRecord) -> bytes:
        at = self._clock.now().astimezone(UTC).isoformat(timespec="milliseconds")
        head = f"{at[:-6]}Z {record.levelname} {record.name}[{os.getpid()}]"
        message = _INVISIBLE.sub(_escape, redact_secrets(redact(_text(record)[:_SEARCHED])))[
            :_LONGEST
        ]
        return f"{head} {message}\n".encode(errors="backslashreplace")


def _handlers() -> list[_ProjectHandler]:
    return [handler for handler in _ROVE.handlers if isinstance(handler, _ProjectHandler)]


def _text(record: logging.LogRecord) -> str:
    try:
        text = record.getMessage()
    except Exception:  # noqa: BLE001  # a message whose arguments do not fit still says something
        text = f"{record.msg} {record.args!r}"
    if record.exc_info:
        text += "\n" + logging.Formatter().formatException(record.exc_info)
    return text


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
