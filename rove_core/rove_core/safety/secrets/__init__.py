"""Find secrets in text by their form, and replace them with marks."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_core.safety.secrets.scan import SecretFound as SecretFound
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(__name__, {"scan": ("SecretFound",)})

__all__ = ["SecretFound", "find_secrets", "redact_secrets"]

#: A single word of fewer letters, like the name of a branch, is no secret, and names none.
_LONGEST_WORD: Final = 12


def find_secrets(text: str) -> "Sequence[SecretFound]":
    """Return the secrets in a text, in order, without overlaps."""
    if len(text) < _LONGEST_WORD and (not text or (text.isascii() and text.isalpha())):
        return ()
    from rove_core.safety.secrets.scan import search  # noqa: PLC0415  # the rules take their time to load

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
    if not (secrets := find_secrets(text)):
        return text
    from rove_core.safety.secrets.marks import mark  # noqa: PLC0415  # most texts need none

    for found in secrets:
        secret = text[found.start : found.end]
        parts += (text[done : found.start], f"[secret:{found.kind}:{mark(secret, key)}]")
        done = found.end
    return "".join((*parts, text[done:]))
