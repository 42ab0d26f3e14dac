"""Break lines that are wider than the terminal."""

import re
from collections.abc import Iterator
from typing import Final

from rove_core.terminal.screen import columns_of

#: A command in a sentence, up to the end of the sentence; it stays on one line if one is wide
#: enough.
_COMMAND: Final = re.compile(r"(?<=: )rove [^;\x1b]*?(?=;| \[ROVE-|$)")
_JOINT: Final = "\x00"
_WORD: Final = re.compile(" *[^ ]+")
#: What a line goes on with below itself, behind its own indent.
_INDENT: Final = "  "


def fitted(text: str, room: int) -> str:
    """Return a text whose lines are as narrow as the terminal; no word of it is broken.

    Args:
        text: The text, maybe with the styles of :mod:`rove_core.terminal.screen`.
        room: How many columns there are.
    """
    lines = text.split("\n")
    if all(columns_of(line) <= room for line in lines):
        return text
    return "\n".join(part for line in lines for part in _fitted_line(line, room))


def wrapped_words(line: str, room: int, *, indent: str = _INDENT) -> list[str]:
    """Return a line broken between words, but within no command.

    Args:
        line: The line.
        room: How many columns there are.
        indent: What all lines but the first begin with.
    """

    def joined(command: re.Match[str]) -> str:
        is_short = columns_of(command[0]) <= room - len(indent)
        return command[0].replace(" ", _JOINT) if is_short else command[0]

    parts = _broken(_COMMAND.sub(joined, line), room, indent)
    return [part.replace(_JOINT, " ") for part in parts]


def _fitted_line(line: str, room: int) -> list[str]:
    if columns_of(line) <= room:
        return [line]
    head = line[: len(line) - len(line.lstrip(" "))]
    return wrapped_words(line, room, indent=head + _INDENT)


def _broken(line: str, room: int, indent: str) -> Iterator[str]:
    """Yield the lines of a line; only a word that is wider than the room is as wide as it is."""
    made, used = "", 0
    for found in _WORD.finditer(line):
        word, wide = found[0], columns_of(found[0])
        if made.strip() and used + wide > room:
            yield made
            word = indent + word.lstrip(" ")
            made, wide, used = "", columns_of(word), 0
        made += word
        used += wide
    yield made
