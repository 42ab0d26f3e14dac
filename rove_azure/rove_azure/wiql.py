"""WIQL: the only place where search words are put into a query."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from rove_azure import fields as names

#: What no search needs and WIQL does not take: it separates words.
_UNSAYABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")

#: The clause that whoever asks has created a work item.
MINE: Final = f"[{names.AUTHOR}] = @Me"


def quoted(value: str) -> str:
    """Return a value between quotes, so that WIQL reads just that value."""
    plain = _UNSAYABLE.sub(" ", value).replace("'", "''")
    return f"'{plain}'"


def equals(field: str, value: str) -> str:
    """Return the clause that a field has a value."""
    return f"[{field}] = {quoted(value)}"


def is_number(number: int) -> str:
    """Return the clause that a work item has a number."""
    return f"[System.Id] = {number}"


def is_among(field: str, values: Iterable[str]) -> str:
    """Return the clause that a field has one of these values."""
    return f"[{field}] IN ({', '.join(map(quoted, values))})"


def contains(field: str, words: str) -> str:
    """Return the clause that a short field has these characters in it."""
    return f"[{field}] CONTAINS {quoted(words)}"


def has_words(field: str, words: str) -> str:
    """Return the clause that a long field has these words in it."""
    return f"[{field}] CONTAINS WORDS {quoted(words)}"


def not_before(field: str, at: datetime) -> str:
    """Return the clause that a time is not before another one."""
    return f"[{field}] >= {_time(at)}"


def not_after(field: str, at: datetime) -> str:
    """Return the clause that a time is not after another one."""
    return f"[{field}] <= {_time(at)}"


def comes_after(field: str, at: datetime, number: int) -> str:
    """Return the clause that a work item comes after another one, the latest first."""
    same = all_of([f"[{field}] = {_time(at)}", f"[System.Id] < {number}"])
    return any_of([f"[{field}] < {_time(at)}", f"({same})"])


def all_of(clauses: Iterable[str]) -> str:
    """Return the clause that all of these hold."""
    return " AND ".join(clauses)


def any_of(clauses: Iterable[str]) -> str:
    """Return a clause that requires one of these values, in parentheses if needed."""
    several = [*clauses]
    return several[0] if len(several) == 1 else f"({' OR '.join(several)})"


def newest_first(where: str, *, by: str = names.CHANGED) -> str:
    """Return a query for a condition, latest first; without a condition, for everything."""
    condition = f" WHERE {where}" if where else ""
    order = f"[{by}] DESC, [System.Id] DESC"
    return f"SELECT [System.Id] FROM WorkItems{condition} ORDER BY {order}"  # noqa: S608  # each value is quoted


def _time(at: datetime) -> str:
    return quoted(at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z")
