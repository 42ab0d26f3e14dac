"""JQL: the only place where search words are put into a query.

Jira reads a query twice: first JQL, in which a value stands between quotes, then, for words to
look for, Lucene inside of that value. Words are quoted for both, the inner one first, and so
nothing in them means anything but itself.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

#: What no search needs and neither of the two languages takes: it separates words.
_UNSAYABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def quoted(value: str) -> str:
    """Return a value between quotes, so that JQL reads just that value."""
    plain = _UNSAYABLE.sub(" ", value)
    return '"' + _escape(plain) + '"'


def phrase(words: str) -> str:
    """Return words as they are looked for one after the other, quoted for both languages."""
    plain = _UNSAYABLE.sub(" ", words)
    return quoted('"' + _escape(plain) + '"')


def holds(field: str, words: str) -> str:
    """Return the clause for words in a text field."""
    return f"{field} ~ {phrase(words)}"


def equals(field: str, value: str) -> str:
    """Return the clause that a field has a value."""
    return f"{field} = {quoted(value)}"


def is_among(field: str, values: Iterable[str]) -> str:
    """Return the clause that a field has one of these values."""
    return f"{field} in ({', '.join(map(quoted, values))})"


def compares(field: str, sign: str, at: datetime) -> str:
    """Return the clause that a moment is before or after another one.

    Args:
        field: The moment in a ticket's life (``updated``).
        sign: ``<=`` or ``>=``.
        at: The other one, in the time zone of whoever asks: to JQL a moment has none.
    """
    return f'{field} {sign} "{at:%Y/%m/%d %H:%M}"'


def all_of(clauses: Iterable[str]) -> str:
    """Return the clause that all of these hold."""
    return " AND ".join(clauses)


def newest_first(where: str) -> str:
    """Return a query for a clause, ordered by latest change."""
    return f"{where} ORDER BY updated DESC"


def any_of(clauses: Iterable[str]) -> str:
    """Return a clause that requires one of these values, in parentheses if needed."""
    several = [*clauses]
    return several[0] if len(several) == 1 else f"({' OR '.join(several)})"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
