"""The ``rove`` command: flags become commands, errors a message and an exit code."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import click
from click.exceptions import NoArgsIsHelpError

from rove import __version__, streams
from rove.commands import Commands, Root, command_words
from rove.flags import as_command
from rove.global_options import take_preferences
from rove.help_format import format_help_narrowly
from rove.reports import report, unforeseen
from rove_core.errors import ReportBug, RoveError, WrongCall
from rove_core.terminal.screen import PREFERENCES

_INTERRUPTED: Final = 130

_HELP: Final = """Give a coding agent what it cannot read in the code.

Rove gathers what was decided, asked, tried and promised about a ticket, from Jira, Slack, GitHub,
Linear, Asana, Azure DevOps and your notes, and writes it into one short file: quoted, dated and
cited.
"""
_EXIT_CODES: Final = """Exit codes: 0 success, 1 failure, 2 wrong arguments, 3 not found,
4 login needed, 5 partial, 6 busy, 7 bad settings or files, 130 interrupted."""


def cli(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    with streams.usable_streams():
        try:
            remaining = take_preferences(arguments)
            if PREFERENCES.verbose:
                _print_log()
            left = root().main(args=as_command(remaining), prog_name="rove", standalone_mode=False)
            code = left if isinstance(left, int) else 0
        except BaseException as error:  # noqa: BLE001  # a person never sees a traceback
            code = _exit_code(error, arguments)
        if sys.stderr.isatty() and PREFERENCES.notes:
            _report_lost_logins()
        return code


def root() -> Root:
    """Return the whole tree of commands."""
    format_help_narrowly()
    return Root(
        Commands(""),
        name="rove",
        help=_HELP,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        callback=_alone,
        params=[
            click.Option(
                ["--version"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_version,
                help="Print the version.",
            )
        ],
        epilog=_EXIT_CODES,
    )


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
    match error:
        case SystemExit(code=int(code)):  # Click ends so when it completes, or nobody reads it.
            return code
        case KeyboardInterrupt() | click.Abort():
            streams.print_line("rove: interrupted")
            return _INTERRUPTED
        case NoArgsIsHelpError():
            streams.print_line(error.format_message())
            return WrongCall.exit_code
        case click.ClickException():
            failure: RoveError = _wrong_call(error)
        case RoveError() if not isinstance(error, ReportBug):
            failure = error
        case _ if os.environ.get("ROVE_DEBUG"):  # Who sets it wants the traceback.
            raise error
        case RoveError():
            failure = error
        case _:
            failure = unforeseen(error)
    if failure.hint == WrongCall.advice:
        words = command_words(as_command(arguments))
        failure.hint = f"See usage: {' '.join(['rove', *words, '--help'])}"
    report(failure, as_json="--json" in arguments)
    return failure.exit_code


def _report_lost_logins() -> None:
    """Report lost logins at the terminal, each once."""
    from pathlib import Path  # noqa: PLC0415  # most commands run where nobody looks

    from rove_core.auth.account_names import add_command  # noqa: PLC0415  # the same
    from rove_core.auth.login_ledger import LoginLedger  # noqa: PLC0415  # the same
    from rove_core.project.paths import data_dir  # noqa: PLC0415  # the same

    with suppress(RoveError):
        for account in LoginLedger(Path(data_dir())).newly_lost():
            again = add_command(account, account.partition(":")[0])
            streams.print_sentence(
                f"rove: you are no longer logged in to {account}; log in again: {again}"
            )


def _wrong_call(error: click.ClickException) -> WrongCall:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "rove"
    from rove.usage_message import usage_message  # noqa: PLC0415  # only a wrong call needs it

    message = usage_message(error)
    hint = f"See usage: {command} --help"
    if context and "unexpected extra argument" in message:
        hint = f"{_hint_for_extra_words(context.command)}{hint}"
    return WrongCall(message, hint=hint)


def _hint_for_extra_words(command: click.Command) -> str:
    """Return what to do with words that a command does not take."""
    if any(isinstance(each, click.Argument) for each in command.params):
        return "Several words need quotes around them. "
    takes_account = any("--account" in each.opts for each in command.params)
    return "Name an account with --account. " if takes_account else ""


@click.pass_context
def _alone(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        from rove.overview import overview  # noqa: PLC0415  # only this needs it

        for paragraph in overview():
            click.echo(paragraph)


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001  # Click's own
    if value:
        click.echo(f"rove {__version__}")
        context.exit()
