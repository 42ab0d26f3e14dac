"""Help pages that fit narrow terminals."""

from collections.abc import Iterable
from typing import Final

import click

#: Columns that Click gives the names in a list, and the width from which that leaves enough.
_NAMES: Final = 30
_ENOUGH: Final = 60


class NarrowHelpFormatter(click.HelpFormatter):
    """Gives two thirds of a narrow terminal to descriptions."""

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
