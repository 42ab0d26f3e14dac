"""Show long results through the user's pager."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rove.streams import print_result
from rove_core.terminal.screen import columns_of, has_color, is_terminal, width

_STDOUT: Final = 1


def page(text: str, *, verbatim: bool = False) -> None:
    """Print a text, through the pager if it is longer than the screen and a person looks.

    Args:
        text: The text.
        verbatim: Whether its lines stay as they are, however narrow the terminal: it is code,
            JSON, or a file.
    """
    room = None if verbatim else width()
    if room is not None and not all(columns_of(line) <= room for line in text.split("\n")):
        from rove_core.terminal.line_breaks import fitted  # noqa: PLC0415  # most lines are short

        text = fitted(text, room)
    if not is_terminal() or not is_terminal(sys.stdin) or _fits(text):
        print_result(text)
        return
    import click  # noqa: PLC0415  # few results are long

    os.environ.setdefault("LESS", "-FRX")
    with _standard_output():
        click.echo_via_pager(text, color=has_color())


@contextmanager
def _standard_output() -> Iterator[None]:
    """Connect the pager to this process's output.

    Where plugins run, results go to the terminal through another descriptor than the first.
    """
    if sys.stdout.fileno() == _STDOUT:
        yield
        return
    apart = os.dup(_STDOUT)
    os.dup2(sys.stdout.fileno(), _STDOUT)
    try:
        yield
    finally:
        os.dup2(apart, _STDOUT)
        os.close(apart)


def _fits(text: str) -> bool:
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return True
    lines = text.split("\n")
    return sum(1 + columns_of(line) // max(size.columns, 1) for line in lines) < size.lines
