"""Clean an agent's text before storing it: no secrets, no deceptive characters."""

from collections.abc import Iterable
from typing import Final

from rove_core import WrongCall

#: The most characters of a text, of a memory's summary and of a name.
LONGEST: Final = 100_000
LONGEST_SUMMARY: Final = 2_000
_LONGEST_NAME: Final = 200
_LONGEST_QUOTE: Final = 80
_MOST: Final = 100


def clean_text(text: str, what: str, *, longest: int = LONGEST) -> str:
    """Return a text in stored form.

    Raises:
        WrongCall: It is empty or too long; the error says which text.
    """
    from rove_core import clean  # noqa: PLC0415  # whoever reads needs none

    stored = without_secrets(clean(text)).strip()
    if not stored:
        raise WrongCall(f"{what} is empty", hint=f"Give {what}.")
    if len(stored) > longest:
        raise WrongCall(f"{what} has {len(stored)} characters; the most are {longest}")
    return stored


def clean_name(text: str, what: str) -> str:
    """Return a name in stored form: on one line."""
    return clean_text(" ".join(text.split()), what, longest=_LONGEST_NAME)


def clean_names(texts: Iterable[str], what: str) -> tuple[str, ...]:
    """Return names in stored form, without duplicates."""
    names = tuple(dict.fromkeys(clean_name(text, what) for text in texts))
    if len(names) > _MOST:
        raise WrongCall(f"{len(names)} of {what}; the most are {_MOST}")
    return names


def quoted(text: str) -> str:
    """Return a caller's text for an error: in quotes, without secrets, and not too long."""
    from rove_core import clean  # noqa: PLC0415  # errors are rare

    # A secret is recognised only as a whole.
    return repr(without_secrets(clean(text))[:_LONGEST_QUOTE])


def without_secrets(text: str) -> str:
    """Return a text with its secrets redacted."""
    from rove_core import redact_secrets  # noqa: PLC0415  # whoever reads needs none

    return redact_secrets(text)
