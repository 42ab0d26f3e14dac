"""The ``rove`` command."""

from collections.abc import Sequence
from pathlib import Path

import click

from rove import __version__
from rove_core.errors import RoveError
from rove_core.events import Event


def cli(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        main.main(args=list(arguments), prog_name="rove", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except RoveError as error:
        click.echo(f"rove: {error.message} ({error.code})\n{error.hint}", err=True)
        return error.exit_code
    return 0


@click.command()
@click.version_option(__version__)
@click.option("--demo", is_flag=True, help="Build the sample company's ticket, with no account.")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
def main(*, demo: bool, folder: Path | None) -> None:
    """Give a coding agent what it cannot read in the code: what was said about a ticket."""
    if demo:
        _demo(folder)


def _demo(folder: Path | None) -> None:
    from rove.demo import demo  # noqa: PLC0415  # the same
    from rove_core import run  # noqa: PLC0415  # loaded by the commands that need it

    path = run(demo(folder, _tell))
    click.echo("\n".join(path.read_text("utf-8").splitlines()[:12]), err=True)
    click.echo(path)


def _tell(event: Event) -> None:
    click.echo(f"{event.stage} {event.account} {event.note}".rstrip(), err=True)
