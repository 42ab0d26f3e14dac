"""Format errors for people and programs."""

import sys
from typing import TYPE_CHECKING, Final

from rove import streams
from rove_core.errors import DiskTrouble, InternalError, RoveError
from rove_core.safety.active import inactive, inactive_code
from rove_core.store.files import way_out
from rove_core.terminal.screen import is_terminal

if TYPE_CHECKING:
    from rove_core.operations import Failure

#: What is longer than this tells nobody more.
_LONGEST: Final = 1000
#: What a hint begins with, and each line of an error but the first.
_INDENT: Final = " " * 6


def report(error: "RoveError | Failure", *, as_json: bool = False) -> None:
    """Print an error to standard error, with the next step."""
    message, hint = printable(error.message), printable(error.hint)
    if as_json:
        payload: dict[str, str | None] = {
            "code": error.code,
            "message": message,
            "hint": hint,
            "docs": error.docs,
        }
        at = error.retry_at
        payload["retry_at"] = f"{at:%Y-%m-%dT%H:%M:%SZ}" if at else None
        from rove_core.wire.json_text import json_text  # noqa: PLC0415  # people read no JSON

        streams.print_line(json_text(payload))
        return
    streams.print_sentence(f"rove: {message} [{error.code}]", indent=_INDENT)
    if hint:
        streams.print_sentence(f"{_INDENT}{hint}", indent=_INDENT)


def unforeseen(error: BaseException) -> RoveError:
    """Return the report of an unexpected error; its traceback goes to the project's log."""
    _log(error)
    if isinstance(error, OSError) and error.strerror:
        return DiskTrouble(
            f"{error.filename or 'standard output'}: {error.strerror}", hint=way_out(error)
        )
    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    return InternalError(
        message, hint="Please report it with the output of the same command under ROVE_DEBUG=1."
    )


def printable(text: str) -> str:
    """Return a text as one line that is inert for terminals and agents."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
    # A person at a terminal sees ``List<A>`` as it is, as in the results on standard output.
    return inactive_code(line) if is_terminal(sys.stderr) else inactive(line)


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
                logging.getLogger("rove").error("unexpected error", exc_info=error)
