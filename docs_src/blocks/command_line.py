"""The command line, as Click knows it."""

from collections.abc import Iterator

import click

from docs_src.blocks.markdown import code, table
from rove.flags import FLAGS
from rove.root_command import root
from rove.served_commands import whole_command

_WIDTH = 80


def flags() -> str:
    """Return each flag and the command it is another spelling of."""
    rows = [
        [code(f"{flag} {takes}".strip()), code(" ".join(("rove", *words, takes)).strip()), title]
        for flag, (words, takes, title) in FLAGS.items()
    ]
    return table(["Flag", "The same as", "What it does"], rows)


def commands() -> str:
    """Return the help of every command."""
    return "\n\n".join(
        f"### {name}\n\n```text\n{text.rstrip()}\n```" for name, text in helps(root(), "rove")
    )


def helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """Yield a command's full name with its help page, and those of all below it."""
    context = click.Context(command, info_name=name, terminal_width=_WIDTH)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            if below := command.get_command(context, word):
                yield from helps(whole_command(below), f"{name} {word}")
