"""Detect generated files."""

import re
from typing import Final

from rove_code.parsing.languages import Language


def is_squeezed(text: str, language: Language) -> bool:
    """Return whether a text was made for machines: its lines are far too long to be read."""
    if language.is_prose or len(text) < _SHORT:
        return False
    return len(text) > _LONG_LINE * (text.count("\n") + 1)


def is_marked(text: str, language: Language) -> bool:
    """Return whether a text is marked, or recognised, as generated."""
    return language.is_generated or _MARK.search(text, 0, _TOP) is not None


#: Shorter texts do no harm, however they were made.
_SHORT: Final = 2_000
_LONG_LINE: Final = 200
#: Who marks a file does so at its top.
_TOP: Final = 2_000
_MARK: Final = re.compile(
    r"^[ \t]*(?:\#|//|/\*|\*|--|;|<!--|%|\.\.).*"
    r"(?:@generated\b|DO\ NOT\ (?:EDIT|MODIFY)|(?i:code|file)\ (?i:(?:is|was|has\ been)\ )?"
    r"(?i:auto-?|automatically\ )?(?i:generated)\b)",
    re.MULTILINE | re.VERBOSE,
)
