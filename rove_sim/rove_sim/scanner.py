"""Match a long pattern quickly, without trying it at each position."""

import re
from collections.abc import Iterator


def matches(pattern: re.Pattern[str], start: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield where a pattern fits, one after the other.

    Args:
        pattern: What is looked for.
        start: Where it may begin; quick to find.
        text: Where it is looked for.
    """
    at = 0
    while candidate := start.search(text, at):
        match = pattern.match(text, candidate.start())
        if match:
            yield match
        at = match.end() if match else candidate.start() + 1
