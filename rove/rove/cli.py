"""The ``rove`` command: flags become commands, errors a message and an exit code."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from rove import streams
from rove.exact_call import run_exactly
from rove.flags import as_command
from rove.global_options import take_preferences
from rove.reports import report, unforeseen
from rove_core.errors import ReportBug, RoveError, WrongCall
from rove_core.terminal.screen import PREFERENCES

_INTERRUPTED: Final = 130


def cli(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    with streams.usable_streams():
        try:
            remaining = take_preferences(arguments)
            if PREFERENCES.verbose:
                _print_log()
            code = _run(as_command(remaining))
        except BaseException as error:  # noqa: BLE001  # a person never sees a traceback
            code = _exit_code(error, arguments)
        if sys.stderr.isatty() and PREFERENCES.notes:
            _report_logins()
        return code


def _run(arguments: Sequence[str]) -> int:
    """Run a command: exactly one call at once, anything else through Click, which explains."""
    if (code := run_exactly(arguments)) is not None:
        return code
    from rove.root_command import run_click  # noqa: PLC0415  # to load Click takes long

    return run_click(arguments)


def _print_log() -> None:
    """Copy the log to standard error."""
    import logging  # noqa: PLC0415  # most commands log nothing

    class ToTerminal(logging.Handler):
        """Prints above the progress, if there is any."""

        def emit(self, record: logging.LogRecord) -> None:
            streams.print_line(self.format(record))

    handler = ToTerminal()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger()
    logger.addHandler(handler)
    for name in ("rove", "rove_core"):
        logging.getLogger(name).setLevel(logging.DEBUG)


def _exit_code(error: BaseException, arguments: Sequence[str]) -> int:
    """Report why the command failed, and return the exit code."""
    of_click = _of_click(error)
    if isinstance(of_click, int):
        return of_click
    match error:
        case SystemExit(code=int(code)):  # Click ends so when it completes, or nobody reads it.
            return code
        case KeyboardInterrupt():
            streams.print_line("rove: interrupted")
            return _INTERRUPTED
        case _ if of_click is not None:
            failure: RoveError = of_click
        case RoveError() if not isinstance(error, ReportBug):
            failure = error
        case _ if os.environ.get("ROVE_DEBUG"):  # Who sets it wants the traceback.
            raise error
        case RoveError():
            failure = error
        case _:
            failure = unforeseen(error)
    if failure.hint == WrongCall.advice:
        from rove.commands import command_words  # noqa: PLC0415  # only a mistake needs it

        words = command_words(as_command(arguments))
        failure.hint = f"See usage: {' '.join(['rove', *words, '--help'])}"
    report(failure, as_json="--json" in arguments)
    return failure.exit_code


def _of_click(error: BaseException) -> WrongCall | int | None:
    """Return what an exception of Click's is; None if it is none: most commands do without it."""
    if "click" not in sys.modules:
        return None
    from rove.root_command import click_error  # noqa: PLC0415  # it loads Click

    return click_error(error)


def _report_logins() -> None:
    """Report lost and expiring logins at the terminal, when it is time to."""
    from pathlib import Path  # noqa: PLC0415  # most commands run where nobody looks

    from rove_core.auth.account_names import add_command  # noqa: PLC0415  # the same
    from rove_core.auth.login_ledger import LoginLedger, expiry_text  # noqa: PLC0415  # the same
    from rove_core.clock import SYSTEM  # noqa: PLC0415  # the same
    from rove_core.project.paths import data_dir  # noqa: PLC0415  # the same

    now = SYSTEM.now()
    with suppress(RoveError):
        for account, login in LoginLedger(Path(data_dir())).news(now).items():
            news = f"you are no longer logged in to {account}"
            if login.ends_at and login.lost_at is None:
                news = f"the login of {account} {expiry_text(login.ends_at, now)}"
            again = add_command(account, account.partition(":")[0])
            streams.print_sentence(f"rove: {news}; log in again: {again}")
