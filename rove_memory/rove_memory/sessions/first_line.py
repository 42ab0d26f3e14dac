"""The first line of a text, for lists."""

from typing import Final

_LONGEST: Final = 240


def first_line(text: str, longest: int = _LONGEST) -> str:
    """Return the first line of a text, shortened if necessary."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= longest else f"{line[:longest]}..."
