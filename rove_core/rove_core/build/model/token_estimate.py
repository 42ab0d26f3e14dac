"""Estimate how many tokens a text takes for a model."""

from typing import Final

#: Minimum bytes per token of a text, on average; English has four or more.
_BYTES_OF_A_TOKEN: Final = 3


def estimated_tokens(text: str) -> int:
    """Return a text's tokens for a model, overestimated rather than underestimated."""
    return -(-len(text.encode(errors="replace")) // _BYTES_OF_A_TOKEN)
