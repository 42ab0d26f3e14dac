"""The words of a question, with weights."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from attrs import frozen

from rove_code.model import EVERY_FILE, CodeQuestion, Filter
from rove_code.ranking.structure import Structural, structural
from rove_code.ranking.text_scores import QueryWords
from rove_code.ranking.ticket_text import TicketText, sift
from rove_code.ranking.words import TOKEN, kin, terms

_STOP: Final = """
    a an and are as at be been but by can could did do does for from had has have how i if in into
    is it its me my no not of on or our please see should so than that the their then there these
    they this those to too us use used using want was we were what when where which while who why
    will with would you your
    actual actually add added after also before behavior behaviour bug code correct correctly
    example expected fix fixed fixes following get happen happens instead issue like make need new
    now one only output set version wrong
"""
#: Words of questions, which say nothing of what is asked.
STOP: Final = frozenset(_STOP.split())
#: More of the same word says little more, and nothing at all after so often.
_OFTEN: Final = 3
#: So many different words are looked for: those that count most.
_MOST: Final = 200
#: Fewer words than this are no question of their own.
_FEW: Final = 3
#: So many words of an earlier message, and such a share of them, show that the last goes on with
#: it: tickets of one repository seldom share so much.
_FEWEST_AGAIN: Final = 2
_AGAIN: Final = 0.25
#: A text of so many characters has a first line that says more than the others.
_LONG: Final = 200
_TITLE: Final = 3.0
#: How much a word counts that was said only earlier.
_EARLIER: Final = 0.15
#: How much a word counts that is only akin to one that was said: ``parser`` where it is ``parse``.
_AKIN: Final = 0.3
#: How much a word counts that only came along: in versions, traces, headings of a form.
_ASIDE: Final = 0.2


@frozen(eq=False)
class QuestionTerms:
    """A question, taken apart.

    Attributes:
        title: Its most telling line, or all of it when it is short.
        headline: Its first line.
        text: All of it.
        earlier: What was said before: it counts less.
        words: What is looked for.
        spelled: How each of its terms is written there.
        structural: What it asks of a name, if that is what it does.
        only: Which files may answer.
    """

    title: str
    headline: str
    text: str
    earlier: str
    words: QueryWords
    spelled: Mapping[int, str]
    structural: Structural | None
    only: Filter = EVERY_FILE

    @classmethod
    def of(cls, question: CodeQuestion) -> "QuestionTerms":
        """Parse a question."""
        text, *rest = (sift(each).text for each in (question.text, *question.earlier))
        while rest and (_is_follow_up(text) or _is_gone_on_with(rest[0], text)):
            text = f"{rest.pop(0)}\n\n{text}"
        earlier = "\n\n".join(rest)
        sifted = sift(text)
        title = question.title or (text.partition("\n")[0] if len(text) > _LONG else "")
        weights = _weights(title, sifted, earlier)
        akin = _akin(f"{title} {text}", weights)
        weights |= {term: _AKIN * weights[word] for term, word in akin.items()}
        chosen = sorted(weights, key=weights.__getitem__, reverse=True)[:_MOST]
        written = TOKEN.findall(f"{earlier} {title} {text}")
        spelled = {term: word for word in written for term in terms(word)}
        spelled |= {term: spelled[word] for term, word in akin.items()}
        words = QueryWords(
            np.array(chosen, "<u4"), np.array([weights[term] for term in chosen], np.float64)
        )
        headline = question.title or text.partition("\n")[0]
        structure = structural(text)
        return cls(title or text, headline, text, earlier, words, spelled, structure, question.only)


def _weights(title: str, sifted: TicketText, earlier: str) -> dict[int, float]:
    weights = {term: _EARLIER * weight for term, weight in _term_weights(earlier).items()}
    weights |= {term: _ASIDE * weight for term, weight in _term_weights(sifted.aside).items()}
    weights |= _term_weights(sifted.main)
    for term in set(_terms(title)):
        weights[term] = weights.get(term, 1.0) * _TITLE
    return weights


def _akin(text: str, weights: Mapping[int, float]) -> dict[int, int]:
    """Return related terms of the question's terms, each with its heaviest origin."""
    found: dict[int, int] = {}
    for token in _tokens(text):
        for word, term in kin(token):
            current = weights.get(found.get(term, 0), 0.0)
            if term not in weights and weights.get(word, 0.0) > current:
                found[term] = word
    return found


def _is_follow_up(text: str) -> bool:
    """Return whether a message only refers to earlier ones: ``please do that``."""
    return structural(text) is None and len(set(_terms(text))) < _FEW


def _is_gone_on_with(earlier: str, text: str) -> bool:
    """Return whether a message quotes the start of another one."""
    words = set(_terms(earlier))
    again = len(words & set(_terms(text)))
    return structural(text) is None and again >= max(_FEWEST_AGAIN, _AGAIN * len(words))


def _term_weights(text: str) -> dict[int, float]:
    counts = Counter(_terms(text))
    return {term: min(count, _OFTEN) ** 0.5 for term, count in counts.items()}


def _terms(text: str) -> Iterator[int]:
    for token in _tokens(text):
        yield from terms(token)


def _tokens(text: str) -> Iterator[str]:
    for token in TOKEN.findall(text):
        if token.lower() not in STOP and len(token) > 1:
            yield token
