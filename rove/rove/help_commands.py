"""``rove help``, ``version``, ``completion`` and ``man``."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from rove import __version__
from rove.manual import manual_page, manual_pages
from rove.pager import page
from rove.served_commands import whole_command
from rove_core.errors import RoveError, WrongCall
from rove_core.store.files import write_atomic
from rove_core.terminal.screen import is_terminal, styled

_SHELLS: Final = ("bash", "zsh", "fish")


@click.command("help")
@click.argument("topic", nargs=-1, metavar="[COMMAND...|ERROR]")
@click.pass_context
def help_command(context: click.Context, topic: tuple[str, ...]) -> None:
    """Show the help of a command, or explain an error by its code."""
    if len(topic) == 1 and topic[0].upper().startswith("ROVE-"):
        page("\n".join(_explain(topic[0].upper())))
        return
    found: click.Command = context.find_root().command
    inner = context.find_root()
    for word in topic:
        below = found.get_command(inner, word) if isinstance(found, click.Group) else None
        if below is None:
            raise WrongCall(
                f"there is no command {' '.join(topic)!r}", hint="See all commands: rove help"
            )
        found = whole_command(below)
        inner = click.Context(found, info_name=word, parent=inner)
    page(found.get_help(inner))


@click.command("version")
def version_command() -> None:
    """Print the version."""
    click.echo(f"rove {__version__}")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS), metavar="bash|zsh|fish")
def completion_command(shell: str) -> None:
    """Print the script that completes commands, options and their values in a shell.

    In bash or zsh, add this to the shell's start-up file: eval "$(rove completion bash)".
    In fish: rove completion fish > ~/.config/fish/completions/rove.fish
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415  # only this needs it

    made = get_completion_class(shell)
    if made is None:
        raise WrongCall(f"no completion for {shell}")
    root = click.get_current_context().find_root().command
    source = made(root, {}, "rove", "_ROVE_COMPLETE")
    # Click's own source() starts bash to learn its version; the script itself needs none.
    click.echo(source.source_template % source.source_vars())


@click.command("man")
@click.option("--output", metavar="FOLDER", help="Write the pages of all commands into a folder.")
@click.argument("command", nargs=-1)
@click.pass_context
def man_command(context: click.Context, output: str | None, command: tuple[str, ...]) -> None:
    """Show the manual page of Rove or of a command, or write all of them into a folder."""
    root = context.find_root().command
    if output:
        pages = manual_pages(root)
        folder = Path(output).expanduser()
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            write_atomic(folder / f"{name}.1", text.encode(), mode=0o644)
        click.echo(f"{len(pages)} pages in {folder}")
        return
    shown = manual_page(root, command)
    if shown is None:
        raise WrongCall(
            f"there is no manual page for {' '.join(command)!r}", hint="See all commands: rove help"
        )
    if not (is_terminal() and _shown_by_man(shown)):
        click.echo(shown, nl=False)


def _shown_by_man(text: str) -> bool:
    """Show a page with the system's own ``man``, and return whether that worked."""
    try:
        done = subprocess.run(  # a fixed command
            ["man", "-l", "-"],  # noqa: S607  # wherever the system has it
            input=text.encode(),
            env=os.environ | {"MAN_KEEP_FORMATTING": "1"},
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except OSError:
        return False
    return done.returncode == 0


def _explain(code: str) -> Iterator[str]:
    """Yield the meaning of an error, and the next step."""
    error = next((each for each in _errors(RoveError) if each.code == code), None)
    if error is None:
        raise WrongCall(f"there is no error {code}", hint="See the errors: rove help ERROR-CODE")
    yield styled(code, "bold")
    yield ""
    yield from (line.strip() for line in (error.__doc__ or "").strip().splitlines())
    yield ""
    yield f"Exit code: {error.exit_code}"
    yield f"What to do: {error.advice}"


def _errors(above: type[RoveError]) -> Iterator[type[RoveError]]:
    for error in above.__subclasses__():
        yield error
        yield from _errors(error)
