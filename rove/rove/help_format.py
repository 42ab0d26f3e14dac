"""Help pages that fit narrow terminals."""

from collections.abc import Iterable
from typing import Final

import click

from rove_core.terminal.screen import width as terminal_width

#: Columns that Click gives the names in a list, and the width from which that leaves enough.
_NAMES: Final = 30
_ENOUGH: Final = 60
#: Below this, nothing can be read anyway.
_NARROWEST: Final = 20


class NarrowHelpFormatter(click.HelpFormatter):
    """Is as narrow as the terminal, and gives two thirds of a narrow one to descriptions."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        super().__init__(indent_increment, width, max_width)
        # Click's own pages are never narrower than 50 columns.
        if width is None and (columns := terminal_width()) is not None:
            self.width = max(_NARROWEST, min(self.width, columns - 1))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _NAMES, col_spacing: int = 2
    ) -> None:
        """Write names with their descriptions."""
        if self.width < _ENOUGH:
            col_max = min(col_max, self.width // 3)
        super().write_dl(rows, col_max, col_spacing)


def format_help_narrowly() -> None:
    """Use this help format for every command."""
    click.Context.formatter_class = NarrowHelpFormatter
