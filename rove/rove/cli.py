"""The ``rove`` command: flags become commands, errors become one message and an exit code."""

import os
import sys
from collections.abc import Sequence
from typing import Final

import click

from rove import __version__
from rove.commands import Commands, Root
from rove.flags import as_command
from rove.reporting import internal, report
from rove_core.errors import RoveError

_INTERRUPTED: Final = 130
_USAGE: Final = 2

_HELP: Final = """Give a coding agent what it cannot read in the code.

Rove gathers what was decided, asked, tried and promised about a ticket, from Jira, Slack, GitHub,
Linear and your notes, and writes it into one short file: quoted, dated and cited.
"""


def cli(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    as_json = "--json" in arguments
    try:
        return _run(as_command(arguments))
    except click.ClickException as error:
        error.show()
        return _USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("rove: interrupted", err=True)
        return _INTERRUPTED
    except SystemExit as ended:
        return int(ended.code or 0)  # Click's own completion ends so.
    except RoveError as error:
        return report(error, as_json=as_json)
    except BrokenPipeError:
        # Whoever read the output has gone; Python would complain once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001  # a person never sees a traceback
        return report(internal(error), as_json=as_json)


def _run(arguments: Sequence[str]) -> int:
    code = root().main(args=list(arguments), prog_name="rove", standalone_mode=False)
    return code if isinstance(code, int) else 0


def root() -> Root:
    """Return the whole tree of commands."""
    return Root(
        Commands(""),
        name="rove",
        help=_HELP,
        invoke_without_command=True,
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
    )


@click.pass_context
def _alone(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        from rove.overview import overview  # noqa: PLC0415  # only this needs it

        click.echo(overview())


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001  # Click's own
    if value:
        click.echo(f"rove {__version__}")
        context.exit()
