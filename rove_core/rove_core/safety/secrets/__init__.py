"""Find secrets in text by their form, and replace them with marks."""

from collections.abc import Sequence

from rove_core.safety.secrets.marks import mark
from rove_core.safety.secrets.scan import SecretFound, search

__all__ = ["SecretFound", "find_secrets", "redact_secrets"]


def find_secrets(text: str) -> Sequence[SecretFound]:
    """Return the secrets in a text, in order, without overlaps."""
    return search(text)


def redact_secrets(text: str, key: bytes = b"") -> str:
    """Return the text with a mark in place of each secret: ``[secret:github_pat:ab12]``.

    Equal secrets have equal marks, as long as the key is the same.

    Args:
        text: The text.
        key: What marks are made with, at most 64 bytes; one of this process when empty.
    """
    parts: list[str] = []
    done = 0
    for found in search(text):
        secret = text[found.start : found.end]
        parts += (text[done : found.start], f"[secret:{found.kind}:{mark(secret, key)}]")
        done = found.end
    return "".join((*parts, text[done:]))
