"""Search terms: words, phrases, and ids that must match as a whole."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Final

from attrs import define, evolve

from rove_core import Query

_TERM: Final = re.compile(r'"([^"]+)"|([^\s"]+)')
_NUMBER: Final = re.compile(r"v?\d[\d.]*", re.IGNORECASE)
_LONGEST: Final = 450
_SHORTEST_STEM: Final = 4
#: One for time zones, and one because the day that is named is itself left out.
_WIDER: Final = timedelta(days=2)


@define(slots=False)
class SearchTerms:
    """A query, as Slack's searches take it.

    Attributes:
        query: What is asked for.
    """

    query: Query

    @classmethod
    def of(cls, query: Query) -> "SearchTerms":
        """Return the terms of a query, with times in Slack's whole seconds."""
        since = query.since.replace(microsecond=0) if query.since else None
        return cls(evolve(query, since=since))

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The words and phrases, as many as a search of Slack takes."""
        terms: list[str] = []
        for phrase, word in _TERM.findall(self.query.text):
            term = " ".join((phrase or word).split())
            if sum(map(len, terms)) + len(term) > _LONGEST:
                break
            terms.append(term)
        return tuple(dict.fromkeys(filter(None, terms)))

    @property
    def phrases(self) -> str:
        """Each term in quotes, so that Slack takes none for a search operator."""
        return " ".join(f'"{term}"' for term in self.terms)

    @property
    def phrases_and_days(self) -> str:
        """Return the terms, and days that cover the window in any time zone."""
        since, until = self.query.since, self.query.until
        after = f" after:{_day(since) - _WIDER}" if since else ""
        before = f" before:{_day(until) + _WIDER}" if until else ""
        return f"{self.phrases}{after}{before}"

    def seconds(self, since: str, until: str, *, wider: int = 0) -> dict[str, int]:
        """Return the window as arguments of these names, in seconds since 1970.

        Args:
            since: What the beginning is called.
            until: What the end is called.
            wider: How many seconds to add on either side, where the ends do not belong to it.
        """
        window = {}
        if self.query.since:
            window[since] = max(0, int(self.query.since.timestamp()) - wider)
        if self.query.until:
            window[until] = int(self.query.until.timestamp()) + 1 + wider
        return window

    def in_all(self, texts: Iterable[str], *, inflected: bool = False) -> bool:
        """Return whether the texts contain every term as a whole.

        Args:
            texts: What is said.
            inflected: Whether a word may have another ending: ``tokens`` for ``token``.
        """
        text = "\n".join(texts)
        found = (_whole_term_pattern(term, inflected=inflected).search(text) for term in self.terms)
        return bool(self.terms) and all(found)

    def ids_in(self, texts: Iterable[str]) -> bool:
        """Return whether the texts contain every id as a whole.

        Slack takes an id apart: to its searches ``TB-123`` is in ``TB 123`` as well.
        """
        ids = [term for term in self.terms if any(letter.isdigit() for letter in term)]
        text = "\n".join(texts) if ids else ""
        return all(_whole_term_pattern(each).search(text) for each in ids)


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _whole_term_pattern(term: str, *, inflected: bool = False) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, term.split()))
    number = bool(_NUMBER.fullmatch(term))
    before = r"(?<![^\W_])" if term[0].isalnum() else ""
    after = r"(?![^\W_])" if term[-1].isalnum() else ""
    if inflected and term.isalpha() and len(term) >= _SHORTEST_STEM:
        after = r"[^\W\d_]{0,3}" + after
    if number:
        before, after = before + r"(?<!\d\.)", after + r"(?!\.\d)"
    return re.compile(f"{before}{words}{after}", re.IGNORECASE)
