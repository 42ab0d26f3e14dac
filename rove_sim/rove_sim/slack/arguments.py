"""Argument types that only Slack has."""

import json
import re

from rove_core import JSON
from rove_sim.parameters import MalformedError, integer

_MOST_CLAUSES = 5
_LONGEST_CLAUSE = 500


def texts(value: JSON) -> tuple[str, ...]:
    """Read a list of clauses: a list, or the JSON of one, as forms have it."""
    clauses = value
    if isinstance(value, str):
        try:
            clauses = json.loads(value)
        except ValueError:
            raise MalformedError("expected a list in JSON") from None
    if not isinstance(clauses, list) or not 0 < len(clauses) <= _MOST_CLAUSES:
        raise MalformedError(f"expected from 1 to {_MOST_CLAUSES} clauses")
    if any(not isinstance(each, str) or not 0 < len(each) <= _LONGEST_CLAUSE for each in clauses):
        raise MalformedError(f"expected clauses of at most {_LONGEST_CLAUSE} letters")
    return tuple(str(each) for each in clauses)


def stamp(value: JSON) -> str:
    """Read a timestamp: seconds, perhaps with a fraction, in six digits."""
    if isinstance(value, str) and (match := re.fullmatch(r"(\d{1,10})(?:\.(\d{1,6}))?", value)):
        return f"{match[1]:>010}.{match[2] or '':<06}"
    return f"{integer(value):010}.000000"
