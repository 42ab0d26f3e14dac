"""Estimate how many tokens a text takes for a model."""

from typing import Final

#: No text has fewer bytes to a token than this, on average; English has four and more.
_BYTES_OF_A_TOKEN: Final = 3


def estimated_tokens(text: str) -> int:
    """Return how many tokens a text takes for a model, rather too many than too few."""
    return -(-len(text.encode(errors="replace")) // _BYTES_OF_A_TOKEN)
