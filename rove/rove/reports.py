"""Telling a person, or a program, how far the work is and what went wrong."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove import streams
from rove_core.errors import DiskTrouble, InternalError, RoveError
from rove_core.safety.active import inactive
from rove_core.wire.json_text import json_text

if TYPE_CHECKING:
    from rove_core.events import Event
    from rove_core.operations import Failure

#: What is longer than this tells nobody more.
_LONGEST: Final = 1000
#: How some stages are told; of any other its own name is told.
_STAGES: Final[Mapping[str, str]] = {
    "ticket": "reading the ticket",
    "hop": "{done} of {total}",
    "write": "",
}
#: How many of many ids are told.
_FEW: Final = 5


def report(error: "RoveError | Failure", *, as_json: bool = False) -> None:
    """Print an error on standard error: what is wrong, and the next step."""
    message, hint = printable(error.message), printable(error.hint)
    if as_json:
        told: dict[str, str | None] = {
            "code": error.code,
            "message": message,
            "hint": hint,
            "docs": error.docs,
        }
        at = error.retry_at
        told["retry_at"] = f"{at:%Y-%m-%dT%H:%M:%SZ}" if at else None
        streams.tell(json_text(told))
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


@define
class Progress:
    """Tells on standard error, in few lines, how far work is: a listener for events.

    What an account brings comes in several rounds and is told in one line, when all have come.
    That it failed is told at once.
    """

    _found: dict[tuple[str, str], int] = field(factory=dict, init=False)
    _failed: set[tuple[str, str]] = field(factory=set, init=False)

    def __call__(self, event: "Event") -> None:
        """Tell one step of a task, or keep it for later."""
        if event.stage == "search":
            self._count(event)
            return
        if event.stage == "write":
            self._tell_found(event.task)
        told = _STAGES.get(event.stage, event.stage if event.account else "")
        note = _few(event.note) if event.stage == "hop" else event.note
        said = told.format(done=event.done, total=event.total)
        _line(event.account or event.stage, ": ".join(filter(None, (said, note))))

    def _count(self, event: "Event") -> None:
        source = event.task, event.account
        self._found[source] = self._found.get(source, 0) + event.done
        if event.note and source not in self._failed:
            self._failed.add(source)
            _line(event.account, f"FAILED: {event.note}")

    def _tell_found(self, task: str) -> None:
        for source in [source for source in self._found if source[0] == task]:
            count = self._found.pop(source)
            if source not in self._failed:
                _line(source[1], f"{count} found")
            elif count:
                _line(source[1], f"{count} found all the same")


def printable(text: str) -> str:
    """Return a text as one line without effect on a terminal or an agent; it may quote anybody."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return inactive(
        "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
    )


def _line(who: str, said: str) -> None:
    streams.tell(f"{who:9} {printable(said)}".rstrip())


def _few(ids: str) -> str:
    """Return the first of some ids, and how many more there are."""
    each = ids.split(", ")
    more = len(each) - _FEW
    return ids if more <= 1 else f"{', '.join(each[:_FEW])} and {more} more"


def _log(error: BaseException) -> None:
    """Write the trace to the log of the project, if this is one."""
    import logging  # noqa: PLC0415  # 14 ms that only a bug should pay
    from contextlib import closing, suppress  # noqa: PLC0415  # the same

    from rove_core.project.local import LocalProject  # noqa: PLC0415  # the same
    from rove_core.project.logs import start_logging  # noqa: PLC0415  # the same

    with suppress(Exception):
        places = LocalProject.at().places
        if places.rove.is_dir():
            with closing(start_logging(places)) as logs, logs.here():
                logging.getLogger("rove").error("an error nobody foresaw", exc_info=error)
