"""Telling a person, or a program, how far the work is and what went wrong."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rove import streams
from rove_core.errors import DiskTrouble, InternalError, RoveError

if TYPE_CHECKING:
    from rove_core.events import Event
    from rove_core.operations import Failure

#: What is longer than this tells nobody more.
_LONGEST: Final = 1000
#: How some stages are told; of any other its own name is told.
_STAGES: Final[Mapping[str, str]] = {
    "ticket": "reading the ticket",
    "search": "searched, {done} found",
    "hop": "{done} of {total}",
    "write": "{note}",
}


def report(error: "RoveError | Failure", *, as_json: bool = False) -> None:
    """Print an error on standard error: what is wrong, and the next step."""
    message, hint = printable(error.message), printable(error.hint)
    if as_json:
        told = {"code": error.code, "message": message, "hint": hint, "docs": error.docs}
        streams.tell(json.dumps(told, ensure_ascii=False))
        return
    streams.tell(f"rove: {message} [{error.code}]")
    if hint:
        streams.tell(f"      {hint}")


def unforeseen(error: BaseException) -> RoveError:
    """Return what to say of an error that nobody foresaw; its trace goes to the project's log."""
    _log(error)
    if isinstance(error, OSError) and error.strerror:
        return DiskTrouble(f"{error.filename or 'standard output'}: {error.strerror}")
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    return InternalError(said, hint="Please report it, with what ROVE_DEBUG=1 makes it show.")


def tell_event(event: "Event") -> None:
    """Print one step of a task on standard error."""
    told = _STAGES.get(event.stage, event.stage if event.account else "")
    counts = {"done": event.done, "total": event.total, "note": event.note}
    said = told.format(**counts)
    if event.note and "{note}" not in told:
        said = f"{said}: {event.note}" if said else event.note
    streams.tell(f"{event.account or event.stage:9} {printable(said)}".rstrip())


def printable(text: str) -> str:
    """Return a text as one line that moves no cursor; what it quotes may come from anywhere."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


def _log(error: BaseException) -> None:
    """Write the trace to the log of the project, if this is one."""
    import logging  # noqa: PLC0415  # 14 ms that only a bug should pay
    from contextlib import closing, suppress  # noqa: PLC0415  # the same

    from rove_core.local_project import LocalProject  # noqa: PLC0415  # the same
    from rove_core.logs import start_logging  # noqa: PLC0415  # the same

    with suppress(Exception):
        places = LocalProject.at().places
        if places.rove.is_dir():
            with closing(start_logging(places)) as logs, logs.here():
                logging.getLogger("rove").error("an error nobody foresaw", exc_info=error)
