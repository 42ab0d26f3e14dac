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
    import click  # noqa: PLC0415  # an error of Click's has loaded it

    is_option = isinstance(error, click.NoSuchOption)
    message = error.message if is_option else error.format_message()
    message = _LIST.sub(" ", message).removesuffix(".")
    guess = _guessed_option(error) if isinstance(error, click.NoSuchOption) else ""
    return f"{message[:1].lower()}{message[1:]}{guess}"


def _guessed_option(error: "click.NoSuchOption") -> str:
    """Return which option was probably meant: one of the command, or a flag of Rove."""
    from rove_core.terminal.suggestion import did_you_mean  # noqa: PLC0415  # only a mistake needs it

    options = {name for each in error.ctx.command.params for name in each.opts} if error.ctx else ()
    is_alone = not (error.ctx and error.ctx.parent)
    return did_you_mean(error.option_name, [*options, *(FLAGS if is_alone else ())])
