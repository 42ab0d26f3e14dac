"""Slack's search syntax: words, phrases and modifiers."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Self, TypeAlias
from zoneinfo import ZoneInfo

from attrs import frozen

from rove_sim.company import Company
from rove_sim.company_slack import time_of
from rove_sim.slack.shapes import login
from rove_sim.slack.store import PostedMessage
from rove_sim.slack.typed_text import tokens

if TYPE_CHECKING:
    from rove_sim.slack.workspace import Slack

Test: TypeAlias = Callable[[PostedMessage], bool]

_PIECE = re.compile(
    r"""(?P<minus>-?)(?:
        (?P<modifier>in|from|with|has|is|after|before|on|during):(?P<value>"[^"]*"|<[^>]*>|\S+)
      | "(?P<phrase>[^"]*)"
      | (?P<word>\S+)
    )""",
    re.VERBOSE,
)


@frozen
class Reader:
    """Reads queries for one person.

    Attributes:
        zone: In which days begin and end for that person.
        now: For days like ``yesterday``.
    """

    company: Company
    zone: tzinfo
    now: datetime

    @classmethod
    def of(cls, slack: "Slack") -> Self:
        """Return the reader behind a workspace's token."""
        return cls(slack.company, ZoneInfo(slack.company.owner.time_zone), slack.clock.now())

    def tests(self, query: str) -> list[Test]:
        """Return the tests that a message must pass."""
        return [self._signed(match) for match in _PIECE.finditer(query)]

    def _signed(self, match: re.Match[str]) -> Test:
        test = self._test(match)
        return (lambda posted: not test(posted)) if match["minus"] else test

    def _test(self, match: re.Match[str]) -> Test:
        if match["modifier"]:
            return self._modifier(match["modifier"], match["value"].strip('"'))
        if match["phrase"] is not None:
            return phrase(match["phrase"])
        return every_word(match["word"])

    def _modifier(self, name: str, value: str) -> Test:
        modifiers: Mapping[str, Callable[[str], Test]] = {
            "in": self._in,
            "from": self._from,
            "with": self._from,
            "has": _has,
            "is": _is,
        }
        return modifiers[name](value) if name in modifiers else self._dated(name, value)

    def _in(self, value: str) -> Test:
        name = value.strip("<>").lstrip("#@").partition("|")[0]
        person = self._person(name)

        def test(posted: PostedMessage) -> bool:
            where = posted.channel
            if where.kind == "im":
                return name == where.id or where.name == person
            return name in (where.id, where.name)

        return test

    def _from(self, value: str) -> Test:
        name = value.strip("<>").lstrip("@")
        who = self.company.owner.key if name == "me" else self._person(name)
        return lambda posted: posted.author.key == who

    def _person(self, name: str) -> str:
        """Return the key of a person by id or name; empty for nobody."""
        for person in self.company.people:
            names = (person.slack, login(person), person.name.lower(), person.key)
            if name in names or name.lower() in names:
                return person.key
        return ""

    def _dated(self, name: str, value: str) -> Test:
        day = self._day(value)
        if day is None:
            return lambda _: False

        def test(posted: PostedMessage) -> bool:
            own = time_of(posted.ts).astimezone(self.zone).date()
            if name == "during" and len(value) == len("2024-12"):
                return (own.year, own.month) == (day.year, day.month)
            return {"after": own > day, "before": own < day}.get(name, own == day)

        return test

    def _day(self, value: str) -> date | None:
        today = self.now.astimezone(self.zone).date()
        named = {"today": today, "yesterday": today - timedelta(days=1)}
        if value.lower() in named:
            return named[value.lower()]
        try:
            return date.fromisoformat(value if value.count("-") > 1 else f"{value}-01")
        except ValueError:
            return None


def phrase(text: str) -> Test:
    """Return the test whether a message contains words in sequence."""
    query_tokens = tokens(text)

    def test(posted: PostedMessage) -> bool:
        own_tokens = posted.tokens
        starts = range(len(own_tokens) - len(query_tokens) + 1)
        return any(list(own_tokens[at : at + len(query_tokens)]) == query_tokens for at in starts)

    return test


def every_word(text: str) -> Test:
    """Return the test whether a message contains all parts of a word."""
    query_tokens = tokens(text)
    start = query_tokens[-1] if text.endswith("*") and query_tokens else ""

    def test(posted: PostedMessage) -> bool:
        own_tokens = set(posted.tokens)
        whole = query_tokens[:-1] if start else query_tokens
        begun = not start or any(word.startswith(start) for word in own_tokens)
        return begun and own_tokens.issuperset(whole)

    return test


def share(query: Sequence[str], posted: PostedMessage) -> float:
    """Return how much of a query's words a message has, from 0 to 1."""
    terms = set(query)
    return len(terms & set(posted.tokens)) / len(terms) if terms else 0.0


def _has(value: str) -> Test:
    match value.strip(":"):
        case "link":
            return lambda posted: "http" in posted.text
        case "file":
            return lambda posted: bool(posted.message.files)
        case "reaction":
            return lambda posted: bool(posted.message.reactions)
        case emoji:
            return lambda posted: any(each.name == emoji for each in posted.message.reactions)


def _is(value: str) -> Test:
    return lambda posted: value == "thread" and bool(posted.root)
