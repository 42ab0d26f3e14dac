"""What is simpler than Rove, under the same budget: searching for the id, and BM25 besides."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import ceil, log
from typing import Final, TypeAlias

from rove_core.items import ContextItem

#: How many characters of a thing a control quotes; four of them are a token, the line that says
#: whose it is takes eight more.
_EXCERPT: Final = 1_200
_LETTERS: Final = 4
_ATTRIBUTION: Final = 8
#: What names no id is added as long as it answers nearly as well as the best of all does.
_STOP: Final = 0.9
_SATURATION: Final = 1.2
_HOLD_BACK: Final = 0.75
_BEGINNING: Final = 2_000
_MOST_WORDS: Final = 64
_OFTEN: Final = 3
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]+|[0-9]+")
_COMMON: Final = frozenset(
    """
    a all an and any are as at be been but by can could did do does for from had has have he here
    how i if in is it my no not of on or our should so some that the them then there they this to
    us was we were what when which will with would you your
    """.split()  # noqa: SIM905  # a list of quotes hides the words
)

#: Answers for a ticket, given what is linked to it and a budget, with the names of what to keep.
Control: TypeAlias = Callable[[ContextItem, Collection[str], int], list[str]]


class Controls:
    """Answers as a simple program would, from all there is; the ticket itself is no answer.

    Args:
        items: What there is, by its name.
        unit: What things that count as one are called together.
    """

    def __init__(
        self, items: Mapping[str, ContextItem], unit: Callable[[str], str] = lambda name: name
    ) -> None:
        texts = {name: text_of(item) for name, item in items.items()}
        self._unit = unit
        self._names = {item.ref: name for name, item in items.items()}
        self._costs = {name: _cost(text) for name, text in texts.items()}
        self._where: dict[str, dict[str, int]] = defaultdict(dict)
        lengths: dict[str, int] = {}
        for name, text in texts.items():
            words = Counter(_words(text))
            lengths[name] = sum(words.values())
            for word, times in words.items():
                self._where[word][name] = times
        average = sum(lengths.values()) / max(1, len(lengths)) or 1.0
        self._held = {
            name: _SATURATION * (1 - _HOLD_BACK + _HOLD_BACK * length / average)
            for name, length in lengths.items()
        }

    @property
    def systems(self) -> Mapping[str, Control]:
        """All of them, by their names."""
        return {"id": self.by_id, "id + BM25": self.by_id_and_words}

    def by_id(self, ticket: ContextItem, linked: Collection[str], budget: int) -> list[str]:
        """Return what names the ticket or is named by it, the best answer to its words first."""
        answers = self._answers(ticket)
        return self._fitting(_ordered(linked, answers), budget)

    def by_id_and_words(
        self, ticket: ContextItem, linked: Collection[str], budget: int
    ) -> list[str]:
        """Return the same, and behind it what answers the ticket's words nearly as well."""
        answers = self._answers(ticket)
        least = _STOP * max(answers.values(), default=0.0)
        more = [name for name, score in answers.items() if score >= least and name not in linked]
        return self._fitting([*_ordered(linked, answers), *_ordered(more, answers)], budget)

    def _answers(self, ticket: ContextItem) -> Mapping[str, float]:
        """Return how well each thing answers a ticket's words (BM25)."""
        counts = Counter(_words(f"{ticket.title} {ticket.title} {ticket.content[:_BEGINNING]}"))
        worth = {
            word: self._rarity(word) * min(times, _OFTEN)
            for word, times in counts.items()
            if word in self._where
        }
        found: dict[str, float] = defaultdict(float)
        for word in sorted(worth, key=lambda word: (-worth[word], word))[:_MOST_WORDS]:
            for name, times in self._where[word].items():
                gain = times * (_SATURATION + 1) / (times + self._held[name])
                found[name] += worth[word] * gain
        found.pop(self._names.get(ticket.ref, ""), None)
        return found

    def _rarity(self, word: str) -> float:
        having = len(self._where[word])
        return log(1 + (len(self._held) - having + 0.5) / (having + 0.5))

    def _fitting(self, names: Iterable[str], budget: int) -> list[str]:
        """Return the first of each unit until one does not fit any more."""
        by_unit: dict[str, str] = {}
        for name in names:
            if (unit := self._unit(name)) in by_unit:
                continue
            budget -= self._costs[name]
            if budget < 0:
                break
            by_unit[unit] = name
        return list(by_unit.values())


def text_of(item: ContextItem) -> str:
    """Return all words of a thing."""
    return "\n".join([item.title, item.content, *(part.content for part in item.thread)])


def _cost(text: str) -> int:
    return ceil(min(len(text), _EXCERPT) / _LETTERS) + _ATTRIBUTION


def _ordered(names: Iterable[str], answers: Mapping[str, float]) -> list[str]:
    return sorted(names, key=lambda name: (-answers.get(name, 0.0), name))


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        plain = word.lower()
        if plain not in _COMMON:
            yield plain[:-1] if plain.endswith("s") and len(plain) > 3 else plain
