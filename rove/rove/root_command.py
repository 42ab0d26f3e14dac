"""The whole tree of commands, in Click: it parses what is not exactly one call, and shows help."""

from collections.abc import Sequence
from typing import Final

import click
from click.exceptions import NoArgsIsHelpError

from rove import __version__, streams
from rove.commands import Commands, Root
from rove.help_format import format_help_narrowly
from rove_core.errors import WrongCall

_INTERRUPTED: Final = 130
_HELP: Final = """Give a coding agent what it cannot read in the code.

Rove gathers what was decided, asked, tried and promised about a ticket, from Jira, Slack, GitHub,
Linear, Asana, Azure DevOps and your notes, and writes it into one short file: quoted, dated and
cited.
"""
_EXIT_CODES: Final = """Exit codes: 0 success, 1 failure, 2 wrong arguments, 3 not found,
4 login needed, 5 partial, 6 busy, 7 bad settings or files, 130 interrupted."""


def run_click(arguments: Sequence[str]) -> int:
    """Run a command through Click, and return its exit code."""
    left = root().main(args=list(arguments), prog_name="rove", standalone_mode=False)
    return left if isinstance(left, int) else 0


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


def click_error(error: BaseException) -> WrongCall | int | None:
    """Return the error that an exception of Click's is, or its exit code; None if it is none."""
    match error:
        case click.Abort():
            streams.print_line("rove: interrupted")
            return _INTERRUPTED
        case NoArgsIsHelpError():
            streams.print_line(error.format_message())
            return WrongCall.exit_code
        case click.ClickException():
            return _wrong_call(error)
    return None


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
