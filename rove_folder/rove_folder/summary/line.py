"""The common form of all summaries."""

import re
from typing import Final

from rove_core import clean, sealed

MOST_CHARACTERS: Final = 500
_MARKUP: Final = re.compile(r"<[^<>]*>|[<>`|]")


def summary_line(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return a text as one line without secrets, markup or characters that cannot be seen."""
    # What is cut off is looked at as well: half a secret would not be recognised.
    plain = str(sealed(clean(text[: 4 * most])))
    return shortened(" ".join(_MARKUP.sub(" ", plain).split()), most)


def shortened(line: str, most: int) -> str:
    """Return the beginning of a line, cut between words."""
    if len(line) <= most:
        return line
    head = line[: most - 1]
    return f"{head.rpartition(' ')[0].rstrip(',;:.') or head}…"
