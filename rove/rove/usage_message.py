"""The text of an error that Click found in a command's arguments."""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import click

#: Click lists the choices of a missing argument on lines of their own.
_LIST: Final = re.compile(r"\n\t")


def usage_message(error: "click.ClickException") -> str:
    """Return what is wrong with a command's arguments, on one line."""
    message = _LIST.sub(" ", error.format_message()).removesuffix(".")
    return f"{message[:1].lower()}{message[1:]}"
