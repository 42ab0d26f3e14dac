"""Running searches: their results, until their page tokens expire."""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from attrs import frozen

from rove_core.clock import Clock

_LASTS: Final = timedelta(days=7)


@frozen
class SearchRemainder:
    """The rest of a search after a page.

    Attributes:
        jql: The query, to which the token belongs.
        ids: The tickets not given yet.
    """

    jql: str
    ids: tuple[str, ...]
    made: datetime


class Searches:
    """Keeps the results of searches by page token."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._found: dict[str, SearchRemainder] = {}

    def keep(self, jql: str, ids: tuple[str, ...]) -> str:
        """Return the token that leads on to these tickets."""
        made = self._clock.now()
        rest = ",".join((jql, *ids, made.isoformat()))
        token = f"CAEaAggC{sha256(rest.encode()).hexdigest()[:40]}"
        self._found[token] = SearchRemainder(jql, ids, made)
        return token

    def rest(self, jql: str, token: str) -> tuple[str, ...] | None:
        """Return the tickets a token leads to; None when it is unknown, too old or another's."""
        found = self._found.get(token)
        fresh = found and self._clock.now() - found.made < _LASTS and found.jql == jql
        return found.ids if found and fresh else None
