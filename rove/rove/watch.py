"""Show a view again and again until the user stops it."""

import select
import sys
from collections.abc import Callable
from typing import Final, NoReturn

import click

_PAUSE: Final = 1.0
#: Moves the cursor to the first line; ends a line, and the page, without what was there before.
_HOME: Final = "\x1b[H"
_LINE_ENDS: Final = "\x1b[K\n"
_PAGE_ENDS: Final = "\x1b[J"


def watch(text: Callable[[], str], *, pause: Callable[[], object] | None = None) -> NoReturn:
    """Show a text until Ctrl-C: on a terminal in its place, elsewhere once for each change.

    Args:
        text: Returns it as it is now.
        pause: Waits between two looks; for a second unless given.
    """
    before: str | None = None
    is_terminal = sys.stdout.isatty()
    while True:
        now = text()
        if is_terminal:
            click.echo(_redrawn(now, is_first=before is None), nl=False)
        elif now != before:
            click.echo(now)
        before = now
        (pause or _a_second)()


def _redrawn(text: str, *, is_first: bool) -> str:
    lines = "".join(f"{line}{_LINE_ENDS}" for line in text.splitlines())
    # The first time what stood there before is scrolled away, not overwritten.
    clean = "\x1b[2J" if is_first else ""
    return f"{clean}{_HOME}{lines}{_PAGE_ENDS}"


def _a_second() -> None:
    select.select((), (), (), _PAUSE)
