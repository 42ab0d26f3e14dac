"""Match replies to questions in threads and reviews."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from rove_core.build.compose import markers
from rove_core.build.compose.decision_words import any_of
from rove_core.build.compose.outline import Statement
from rove_core.build.gather.candidates import Key, key_of
from rove_core.build.rank.robots import is_by_robot, is_round
from rove_core.build.rank.words import stems
from rove_core.items import ContextItem

#: The beginnings of answers that say nothing without the question.
_YES_OR_NO: Final = "yes|no|yep|yup|yeah|nope|right|exactly|correct|agreed|sure"
_AGREES: Final = re.compile(rf"\W*(?:{_YES_OR_NO})(?!\w)", re.IGNORECASE)
_SHORT_ANSWER: Final = re.compile(
    rf"\W*(?:{_YES_OR_NO}|both|neither|all (?:two|three)|ok(?:ay)?|maybe|never|not|only"
    r"|\d[\w.,%]*|the (?:first|second|former|latter))(?!\w)",
    re.IGNORECASE,
)
#: Phrases that postpone an answer or leave it to somebody else.
_PUTS_OFF: Final = markers.in_small(
    any_of(
        r"""
    (?:will|i'll) (?:come back|ask|check|find out|have a look) | (?:have|need) to ask
    | let(?:'s| me| us) (?:ask|take|check) | decides? (?:that|this) | no idea | put it on
    | not today | who (?:writes|knows|decides) | waiting | on (?:vacation|holiday|leave)
    | leave it with
    """
    )
)
_TELLING_WORDS: Final = 6
_SOON: Final = timedelta(hours=36)


def strand(part: ContextItem, whole: ContextItem) -> Sequence[ContextItem]:
    """Return what follows a part in its thread or at its line of code."""
    parts = (whole, *whole.thread)
    at = next((n for n, each in enumerate(parts) if each.ref == part.ref), 0)
    place = line_of(part)
    later = (each for each in parts[at + 1 :] if not (each.facts.history or each.role == "commit"))
    return [each for each in later if not place or line_of(each) == place]


def line_of(part: ContextItem) -> tuple[str, str, int | None] | None:
    """Return the file and line of a review comment, if it has one."""
    facts = part.facts
    return (facts.on, facts.path, facts.line) if facts.path else None


@lru_cache(maxsize=4096)
def is_put_off(text: str) -> bool:
    """Return whether a text postpones an answer or passes the question on."""
    return "open" in markers.marks(text) or bool(_PUTS_OFF.search(text.lower()))


def answer_to(part: ContextItem, whole: ContextItem) -> ContextItem | None:
    """Return the answer below a question, if there is one; a chosen answer goes first."""
    if part.ref == whole.ref:
        chosen = next((each for each in whole.thread if each.facts.answer), None)
        if chosen is not None:
            return chosen
    words = frozenset(stems(part.content))
    for place, each in enumerate(strand(part, whole)):
        in_turn = not place and _in_turn(part, each, whole)
        if each.author != part.author and _answers(each, words, in_turn=in_turn):
            return each
    return None


def questions_of(statements: Sequence[Statement]) -> Mapping[Key, Key]:
    """Return the question of each statement that says nothing alone, by key."""
    quoted = {each.key for each in statements}
    leaning: dict[Key, Key] = {}
    for statement in statements:
        if markers.asks(statement.text):
            answer = answer_to(statement.part, statement.whole)
            key = key_of(answer.ref) if answer else statement.key
            if answer and key in quoted and _leans(answer.content):
                leaning.setdefault(key, statement.key)
    return leaning


def answers_of(statements: Sequence[Statement]) -> Mapping[Key, Key]:
    """Return the answer of each statement that ends with a question, by key."""
    quoted = {each.key for each in statements}
    answered: dict[Key, Key] = {}
    for statement in statements:
        if statement.part.ref != statement.whole.ref and statement.text.rstrip().endswith("?"):
            answer = answer_to(statement.part, statement.whole)
            if answer and key_of(answer.ref) in quoted:
                answered[statement.key] = key_of(answer.ref)
    return answered


def calls_of(statements: Sequence[Statement]) -> Mapping[Key, Key]:
    """Return pairs of a program's post and its first human answer, in both directions.

    The post is quoted only for the sake of the answer.
    """
    answers: dict[Key, Key] = {}
    for each in statements:
        if is_round(each.whole) and not is_by_robot(each.part):
            answers.setdefault(key_of(each.whole.ref), each.key)
    posts = {each.key for each in statements} & answers.keys()
    return {
        **{post: answers[post] for post in posts},
        **{answers[post]: post for post in posts},
    }


def replies(part: ContextItem) -> bool:
    """Return whether a part is a reply, according to its source."""
    return any(link.relation == "replies_to" for link in part.links)


def moment(part: ContextItem) -> datetime:
    """Return the time of first publication, as far as the source reports it."""
    return part.facts.created or part.timestamp


def _in_turn(part: ContextItem, following: ContextItem, whole: ContextItem) -> bool:
    """Return whether the next part answers this one: in a chat, at a line, or soon after."""
    if "talk" in {whole.role, following.role} or replies(following):
        return True
    return moment(following) - moment(part) <= _SOON


def _answers(part: ContextItem, words: frozenset[str], *, in_turn: bool) -> bool:
    text = markers.own_words(part.content)
    if is_put_off(text):
        return False
    if _AGREES.match(text):
        return True
    if markers.is_pleasantry(text) or _only_asks(text):
        return False
    return in_turn or len(words.intersection(stems(text))) >= 2  # one word may be chance


def _only_asks(text: str) -> bool:
    return markers.asks(text) and not re.search(r"[.!]\s|\n", text.strip())


def _leans(text: str) -> bool:
    own = markers.own_words(text)
    return bool(_SHORT_ANSWER.match(own)) or len(set(stems(own))) < _TELLING_WORDS
