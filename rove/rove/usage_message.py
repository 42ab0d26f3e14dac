"""The text of an error that Click found in a command's arguments."""

import re
from typing import TYPE_CHECKING, Final

from rove.flags import FLAGS

if TYPE_CHECKING:
    import click

#: Click lists the choices of a missing argument on lines of their own.
_LIST: Final = re.compile(r"\n\t")


def usage_message(error: "click.ClickException") -> str:
    """Return what is wrong with a command's arguments, on one line."""
    message = _LIST.sub(" ", error.format_message()).removesuffix(".")
    return f"{message[:1].lower()}{message[1:]}{_guessed_flag(error)}"


def _guessed_flag(error: "click.ClickException") -> str:
    """Return which flag of Rove was probably meant: Click knows only a command's own options."""
    import click  # noqa: PLC0415  # an error of Click's has loaded it

    if not isinstance(error, click.NoSuchOption) or error.possibilities:
        return ""
    if error.ctx and error.ctx.parent:
        return ""
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    close = get_close_matches(error.option_name[:80], FLAGS, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
