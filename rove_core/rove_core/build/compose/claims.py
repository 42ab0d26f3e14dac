"""Split statements into claims that can be compared."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from attrs import frozen

from rove_core.build.compose import markers
from rove_core.build.compose.decision_words import any_of
from rove_core.build.compose.exchanges import moment
from rove_core.build.compose.outline import Statement
from rove_core.build.compose.passages import passages
from rove_core.build.gather.candidates import bare_title
from rove_core.build.rank.words import stems

#: Factor for the likeness of the surrounding sentences, which counts less than its own.
_AROUND: Final = 0.8
#: Words in more sentences than this do not show what a sentence is about.
_MOST_SENTENCES: Final = 40
#: Cache sizes: a build makes claims of the same sentences several times.
_REMEMBERED: Final = 16_384
_REMEMBERED_TEXTS: Final = 2_048

#: Roles of items whose title is a sentence too.
_TITLED: Final = frozenset({"change", "ticket"})

_MONTHS: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
#: A day that something is set for, not one that is only mentioned.
_DATE: Final = re.compile(
    r"\b(?:is|are|becomes?|until|till|by|starts?|moved to|due) (?:on )?"
    rf"({_MONTHS})[a-z]* (\d{{1,2}})\b",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile("[0-9]")
_AMOUNT: Final = re.compile(r"(?<![\w.#/-])(\d+(?:[.,]\d+)*)[ -]?(%|[a-z]+)\b", re.IGNORECASE)
_UNITS: Final = frozenset(
    "s sec second min minute h hour day week month year ms kb mb gb tenant user people".split()  # noqa: SIM905  # a list of quotes hides the words
)
#: The two sides of a switch, and of a plan's scope.
_SIDES: Final = {
    "on": r"on by default | (?:is|are|becomes?|goes|default|stays?|turn\w*(?: \S+)?) on"
    rf"(?! (?:{_MONTHS}|mon|tue|wed|thu|fri|sat|sun))",
    "off": "(?<!-)off(?!-)",
    "in": "in scope | (?:is|are|back) in (?:the )?(?:scope|pilot|plan|release)",
    "out": r"out of (?:scope|the) | (?:is|are) out | not (?:a )?part of | no \w+ in the",
}
_SAYS: Final = {side: re.compile(any_of(says).pattern) for side, says in _SIDES.items()}


@frozen(eq=False, kw_only=True)
class SentenceClaim:
    """One sentence of a statement.

    Attributes:
        of: The statement that contains it.
        text: Its text.
        words: The stems of its words.
        around: The stems of all words of the statement.
        when: When it was first published.
        marks: The marks that its words show.
        sides: The sides it takes: on or off, in or out.
        amounts: The numbers in it by unit, and the days that something is set for.
    """

    of: Statement
    text: str
    words: frozenset[str]
    around: frozenset[str]
    when: datetime
    marks: frozenset[markers.Mark]
    sides: frozenset[str]
    amounts: Mapping[str, frozenset[str]]

    @property
    def asks(self) -> bool:
        """Whether it asks something."""
        return "question" in self.marks

    @property
    def opens(self) -> bool:
        """Return whether it says that something is unknown."""
        return "open" in self.marks

    @property
    def turns(self) -> bool:
        """Whether it ends or reverses something."""
        return "reversal" in self.marks

    @property
    def decides(self) -> bool:
        """Whether it states a decision."""
        return "decision" in self.marks


class Claims:
    """All sentences of some statements, and how much they have in common.

    Attributes:
        all: The sentences, in the order of the statements.
    """

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.all = [claim for statement in statements for claim in _claims(statement)]
        self._places: dict[str, list[int]] = defaultdict(list)
        for at, claim in enumerate(self.all):
            for word in claim.words:
                self._places[word].append(at)
        most = len(self.all) + 1
        self._sums: dict[frozenset[str], float] = {}
        self._weights = {word: math.log(most / len(at)) for word, at in self._places.items()}

    def near(self, claim: SentenceClaim) -> list[SentenceClaim]:
        """Return the sentences of other statements that share a distinctive word with one."""
        places = (self._places[word] for word in claim.words)
        found = {at for each in places if len(each) <= _MOST_SENTENCES for at in each}
        near = (self.all[at] for at in sorted(found))
        return [other for other in near if other.of is not claim.of]

    def share(self, claim: SentenceClaim, other: SentenceClaim) -> float:
        """Return the share of one sentence's subject that another one covers, from 0 to 1."""
        return self._weight(claim.words & other.words) / (self._weight(claim.words) or 1.0)

    def closeness(self, claim: SentenceClaim, about: frozenset[str]) -> float:
        """Return how much of a statement is about some words, from 0 to 1."""
        return self._weight(claim.around & about) / (self._weight(claim.around) or 1.0)

    def likeness(self, claim: SentenceClaim, other: SentenceClaim) -> float:
        """Return the similarity of subject of two sentences and their contexts, from 0 to 1."""
        near = self.sentence_likeness(claim, other)
        return max(near, _AROUND * self._cosine(claim.around, other.around))

    def sentence_likeness(self, claim: SentenceClaim, other: SentenceClaim) -> float:
        """Return the similarity of subject of two sentences alone, from 0 to 1."""
        return self._cosine(claim.words, other.words)

    def _cosine(self, words: frozenset[str], others: frozenset[str]) -> float:
        shared = words & others
        if not shared:
            return 0.0
        return self._weight(shared) / math.sqrt(self._weight(words) * self._weight(others))

    def _weight(self, words: frozenset[str]) -> float:
        """Return the information content of words: rare ones count more."""
        weight = self._sums.get(words)
        if weight is None:
            weight = self._sums[words] = math.fsum(self._weights[word] for word in words)
        return weight


def _claims(statement: Statement) -> list[SentenceClaim]:
    title = bare_title(statement.part) if statement.part.role in _TITLED else None
    sentences, around = _sentences(statement.text, title)
    when = moment(statement.part)
    return [
        SentenceClaim(
            of=statement,
            text=text,
            words=_words(text),
            around=around,
            when=when,
            marks=markers.marks(text),
            sides=_sides(text),
            amounts=_amounts(text),
        )
        for text in sentences
    ]


@lru_cache(maxsize=_REMEMBERED_TEXTS)
def _sentences(text: str, title: str | None) -> tuple[Sequence[str], frozenset[str]]:
    """Return the sentences of a text, its title first if it is one of them, and their words."""
    sentences = [each.text for each in passages(text) if each.kind in ("prose", "item")]
    sentences = sentences if title is None else [title, *sentences]
    return sentences, frozenset().union(*map(_words, sentences))


@lru_cache(maxsize=_REMEMBERED)
def _words(text: str) -> frozenset[str]:
    return frozenset(stems(text))


@lru_cache(maxsize=_REMEMBERED)
def _sides(text: str) -> frozenset[str]:
    plain = text.replace("*", "").lower()
    return frozenset(side for side, says in _SAYS.items() if says.search(plain))


@lru_cache(maxsize=_REMEMBERED)
def _amounts(text: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    if not _DIGIT.search(text):
        return {}
    for number, unit in _AMOUNT.findall(text):
        counted = unit.lower() if unit == "%" else unit.lower().rstrip("s") or "s"
        if counted in _UNITS or unit == "%":
            found[counted].add(number)
    for month, day in _DATE.findall(text):
        found["date"].add(f"{month.lower()} {day}")
    return {unit: frozenset(numbers) for unit, numbers in found.items()}
