"""Combine a model's answers with the extractive engine's.

Whatever a model answers, no linked item is pushed out, no item is added, and a candidate loses no
more than its words had earned: a model that a hostile text has talked into something does little
harm.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final, TypeAlias

import attrs

from rove_core.build.compose.markers import PROMISE, asks
from rove_core.build.compose.outline import OpenQuestion, QuestionKind, Statement
from rove_core.build.compose.passages import GAP, passages
from rove_core.build.gather.candidates import RankedItem
from rove_core.build.model.questions import Gap, Pair
from rove_core.build.rank.words import stems
from rove_core.items import ContextItem

#: Returns whether two texts may count as the same.
Guard: TypeAlias = Callable[[str, str], bool]

_LONGEST_KEYWORD: Final = 60
#: Up to three words, or names with dots and dashes, but no URL and no path.
_KEYWORD: Final = re.compile(r"\w[\w.-]*(?: \w[\w.-]*){0,2}")
_MOST_KEYWORDS: Final = 12
#: The share of a text's words that an earlier one must have to say the same.
_SHARED: Final = 1 / 3
_MOST_GAPS: Final = 8
_LONGEST_ABOUT: Final = 160
#: The wording of each grade, worst first.
_VERDICTS: Final = ("of no use", "of little use", "helpful", "needed")
#: Factor of each grade on the odds, as if the best and the worst were wrong once in ten times. When
#: few candidates belong to the ticket, even such a good model calls more needed than are.
_ODDS: Final = (1 / 9, 1 / 3, 3.0, 9.0)
_LEAST: Final = 1e-9


def join_keywords(own: Sequence[str], answers: Iterable[str], ticket: ContextItem) -> Sequence[str]:
    """Return keywords of both engines in turn; a model's only if the ticket contains them."""
    words = (ticket.title, ticket.content, *(part.content for part in ticket.thread))
    text = _plain_text(" ".join(words))
    keywords = [
        word
        for word in map(_plain_text, answers)
        if _can_be_keyword(word) and _stands_in(word, text)
    ]
    both = chain.from_iterable(zip_longest([*dict.fromkeys(keywords)][:_MOST_KEYWORDS], own))
    return list(dict.fromkeys(word for word in both if word))


def join_grades(
    own: Sequence[RankedItem], judged: Sequence[RankedItem], answers: Iterable[Pair]
) -> Sequence[RankedItem]:
    """Return the ranking with the model's grades applied.

    Nothing rises above a linked item that ranked above it.

    Args:
        own: The extractive ranking.
        judged: The candidates in it that the model was asked about.
        answers: Positions among these, with grades.
    """
    ceiling = min((each.score for each in own if each.candidate.is_linked), default=1.0)
    grades = {judged[position].candidate.key: grade for position, grade in answers}
    ranked = [_apply_grade(each, grades.get(each.candidate.key), ceiling) for each in own]
    return sorted(ranked, key=lambda each: (-each.score, not each.candidate.is_linked))


def join_same(
    own: Sequence[int | None], texts: Sequence[str], answers: Iterable[Pair], guard: Guard
) -> Sequence[int | None]:
    """Return for each text an earlier one that says the same, according to either engine.

    The model's answer counts only if the guard agrees and enough words are shared.
    """
    same = list(own)
    for position, earlier in sorted(answers):
        first = _first_position(same, earlier)
        # What counts as the same as this text must then be the same as that one too.
        group = [at for at in range(position, len(same)) if _first_position(same, at) == position]
        if group and all(_may_be_same(texts[first], texts[at], guard) for at in group):
            for at in group:
                same[at] = first
    return same


def join_places(own: Sequence[int], answers: Iterable[Pair]) -> Sequence[int]:
    """Return the topic of each statement, from the model if it gave one."""
    places = list(own)
    for position, topic in answers:
        places[position] = topic
    return places


def join_gaps(
    own: Sequence[OpenQuestion], answers: Iterable[Gap], statements: Sequence[Statement]
) -> Sequence[OpenQuestion]:
    """Return the extractive engine's questions, then those that the model adds."""
    questions = {question.key: question for question in own}
    for kind, positions in answers:
        raising = sorted((statements[at] for at in positions), key=lambda each: each.part.timestamp)
        question = OpenQuestion(
            kind=kind, about=_best_passage(raising, kind), statements=tuple(raising)
        )
        if len(questions) < len(own) + _MOST_GAPS:
            questions.setdefault(question.key, question)
    return list(questions.values())


def _plain_text(text: str) -> str:
    return " ".join(text.casefold().split())


def _stands_in(word: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text))


def _can_be_keyword(word: str) -> bool:
    return len(word) <= _LONGEST_KEYWORD and bool(_KEYWORD.fullmatch(word))


def _apply_grade(ranked: RankedItem, grade: int | None, ceiling: float) -> RankedItem:
    """Return a candidate with its probability after the model's fallible grade."""
    if grade is None or ranked.candidate.is_linked:
        return ranked
    odds = ranked.score / max(1 - ranked.score, _LEAST) * _ODDS[grade]
    score = odds / (1 + odds)
    return attrs.evolve(
        ranked,
        score=min(score, max(ranked.score, ceiling)),
        reason=f"{ranked.reason}; {_VERDICTS[grade]} by the model's word",
    )


def _first_position(same: Sequence[int | None], position: int) -> int:
    """Return the position of the first text that says the same."""
    while (earlier := same[position]) is not None:
        position = earlier
    return position


def _may_be_same(earlier: str, text: str, guard: Guard) -> bool:
    words = set(stems(text))
    shared = len(words.intersection(stems(earlier)))
    return guard(earlier, text) and shared > 0 and shared >= _SHARED * len(words)


def _best_passage(raising: Sequence[Statement], kind: QuestionKind) -> str:
    """Return the passage that raises a question best, shortened to a line."""
    telling = _TELLING.get(kind, _anything)
    found = [passage.text for statement in raising for passage in passages(statement.text)]
    best = next(filter(telling, found), found[0] if found else raising[0].text)
    line = " ".join(best.split())
    return line if len(line) <= _LONGEST_ABOUT else f"{line[:_LONGEST_ABOUT].rstrip()}{GAP}"


def _promises(text: str) -> bool:
    return bool(PROMISE.search(text))


def _anything(_: str) -> bool:
    return True


_TELLING: Final[Mapping[QuestionKind, Callable[[str], bool]]] = {
    "unanswered": asks,
    "promised": _promises,
}
