"""Long results, through the pager of whoever looks at a terminal."""

import os
import sys

import click

from rove_core.terminal.screen import columns_of, has_color, is_terminal


def page(text: str) -> None:
    """Print a text, through the pager if it is longer than the screen and a person looks."""
    if not is_terminal() or not is_terminal(sys.stdin) or _fits(text):
        click.echo(text, color=True)
        return
    os.environ.setdefault("LESS", "-FRX")
    click.echo_via_pager(text, color=has_color())


def _fits(text: str) -> bool:
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return True
    lines = text.split("\n")
    return sum(1 + columns_of(line) // max(size.columns, 1) for line in lines) < size.lines
