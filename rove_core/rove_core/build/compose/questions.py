"""Open questions for the ticket's implementer."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Final

import attrs
from attrs import frozen

from rove_core.build.compose import markers
from rove_core.build.compose.changes import changed
from rove_core.build.compose.claims import Claims, SentenceClaim
from rove_core.build.compose.exchanges import answer_to, is_put_off, line_of, replies, strand
from rove_core.build.compose.outline import OpenQuestion, QuestionKind, Statement
from rove_core.build.compose.passages import passages
from rove_core.build.free_text import is_of_words
from rove_core.build.gather.candidates import Key, key_of
from rove_core.build.rank.words import stems
from rove_core.items import ContextItem

#: Maximum questions of each sort: nobody reads more.
MOST: Final = 6
#: Overlap that makes a later sentence an answer, and two questions the same; and the minimum weight
#: of a question.
_ANSWERS: Final = 0.5
_SAME: Final = 0.3
_MATTERS: Final = 0.2
#: Overlap required of merged changes, which use words of code; but they must share more words.
_DONE: Final = 0.33
_FEWEST_SHARED: Final = 2
_FEWEST_DONE: Final = 3
#: Weight of a question that is not about the ticket; factors for one that the ticket itself asks,
#: and for one that is said to be open.
_CLOSE: Final = 0.2
_OWN: Final = 1.5
_STRESS: Final = 1.2
#: Factor for a promise that replies to a request.
_OWED: Final = 1.25
_TELLING: Final = 3
_FEWEST_WORDS: Final = 2

_COMES_BACK: Final = re.compile(
    r"\b(?:(?:will|'ll) (?:come back|get back|find out|report|let you know)|promised?\b)",
    re.IGNORECASE,
)


#: How reviewers say that a remark is optional.
_OPTIONAL: Final = re.compile(
    r"\bno(?:t|n)[ -]?block(?:ing|er)\b|^\W*nit(?:pick)?s?\b|^\W*optional\b|\blater is fine\b"
    r"|\bfeel free to ignore\b",
    re.IGNORECASE,
)
#: What is open on purpose needs no answer.
_ON_PURPOSE: Final = re.compile(
    r"\b(?:on purpose|deliberate(?:ly)?|intentional(?:ly)?|by design)\b", re.IGNORECASE
)
#: Mentions: the person asked is not part of the question.
_MENTION: Final = re.compile(r"(?<!\w)@\w+(?:[ .][A-Z]\w+)*")
#: A sentence that begins like this, or contains one of these, depends on the one before it.
_LEANS: Final = re.compile(
    r"^\W*(?:or|and|but|then|so|later|also)\b|\b(?:it|its|that|this|them|they|those|these)\b",
    re.IGNORECASE,
)
#: Maximum length of a question with the sentence it depends on.
_LONGEST: Final = 240


@frozen(eq=False)
class _Open:
    kind: QuestionKind
    claim: SentenceClaim
    weight: float


def gaps(ticket: ContextItem, statements: Sequence[Statement]) -> tuple[OpenQuestion, ...]:
    """Return open questions: unanswered and unreported ones, then disputed or replaced claims.

    Args:
        ticket: The ticket.
        statements: All quotable statements, not only those that are quoted.
    """
    claims = Claims(statements)
    about = frozenset(stems(f"{ticket.title}\n{ticket.content}"))
    unsettled = sorted(_open_claims(claims, about, ticket), key=lambda each: -each.weight)
    return (*_group(unsettled, claims)[:MOST], *changed(ticket, claims, about)[:MOST])


def _open_claims(claims: Claims, about: frozenset[str], ticket: ContextItem) -> Iterator[_Open]:
    ranks: dict[Key, float] = {}
    for claim in claims.all:
        key = key_of(claim.of.whole.ref)
        ranks[key] = max(ranks.get(key, 0.0), claim.of.score)
    for claim in claims.all:
        kind = _kind(claim)
        if kind and not _is_elsewhere(claim.of, ticket) and not _is_settled(claim, kind, claims):
            own = claim.of.whole.ref == ticket.ref
            request = _request_before(claim, claims) if kind == "promised" else None
            close = max(claims.closeness(each, about) for each in (claim, request or claim))
            weight = ranks[key_of(claim.of.whole.ref)] * (_CLOSE + close)
            weight *= (_OWN if own else 1.0) * (_STRESS if claim.opens else 1.0)
            weight *= _OWED if request else 1.0
            if kind == "unresolved" and _is_for(claim.of.whole, ticket):
                weight = max(weight, _MATTERS)
            if weight >= _MATTERS:
                yield _Open(kind, claim, weight)


def _is_elsewhere(statement: Statement, ticket: ContextItem) -> bool:
    """Return whether another ticket asks it without naming this one: it has its own document."""
    other = statement.whole.role == "ticket" and statement.whole.ref != ticket.ref
    return other and not is_of_words(ticket.ref.id) and not _names(ticket, statement.part.content)


def _names(ticket: ContextItem, text: str) -> bool:
    named = re.search(rf"(?<!\w){re.escape(ticket.ref.id)}(?!\w)", text, re.IGNORECASE)
    return named is not None


def _is_for(change: ContextItem, ticket: ContextItem) -> bool:
    """Return whether a pull request is the ticket's own and was not abandoned."""
    named = _names(ticket, f"{change.title} {change.content} {change.facts.branch}")
    status = change.facts.status
    return named and not (status and status.category == "canceled")


def _kind(claim: SentenceClaim) -> QuestionKind | None:
    part = claim.of.part
    if part.facts.robot:
        return None
    words = stems(_MENTION.sub(" ", claim.text)) if "@" in claim.text else claim.words
    if len(words) >= _FEWEST_WORDS:
        if part.facts.resolved is False and not replies(part):
            is_idle = _OPTIONAL.search(part.content) or _is_outdated(claim)
            return None if is_idle else "unresolved"
        if claim.asks or (claim.opens and not _ON_PURPOSE.search(claim.text)):
            return "unanswered"
    # What somebody promises to come back with is often in the sentence before.
    tells = len(claim.around) >= _FEWEST_WORDS
    return "promised" if tells and _COMES_BACK.search(claim.text) else None


def _is_outdated(claim: SentenceClaim) -> bool:
    """Return whether a remark on a finished pull request asks nothing.

    Few people press "resolve" for what they have changed.
    """
    status = claim.of.whole.facts.status
    has_ended = status is not None and status.category in {"done", "canceled"}
    return has_ended and not markers.asks(claim.of.part.content)


def _is_settled(claim: SentenceClaim, kind: QuestionKind, claims: Claims) -> bool:
    """Return whether a question was answered, or a promise kept, in its thread or elsewhere."""
    part, whole = claim.of.part, claim.of.whole
    if part.facts.resolved:
        return True
    if kind == "promised":
        return not part.author or any(not is_put_off(each.content) for each in strand(part, whole))
    if not claim.opens and answer_to(part, whole):
        return True
    if _is_answered_elsewhere(claim, claims):
        return True
    before = _question_before(claim, claims)
    return before is not None and _is_settled(before, kind, claims)


def _is_answered_elsewhere(claim: SentenceClaim, claims: Claims) -> bool:
    whole = claim.of.whole
    return any(
        _covers(other, claim, claims)
        for other in claims.near(claim)
        if other.when > claim.when
        and (other.of.whole.ref != whole.ref or other.of.part.role == "commit")
        and not other.asks
        and not is_put_off(other.of.text)
    )


def _covers(other: SentenceClaim, claim: SentenceClaim, claims: Claims) -> bool:
    """Return whether a later sentence covers a question; merged changes need less overlap."""
    status = other.of.whole.facts.status
    is_merged = other.of.whole.role == "change" and status and status.category == "done"
    least, fewest = (_DONE, _FEWEST_DONE) if is_merged else (_ANSWERS, _FEWEST_SHARED)
    return len(claim.words & other.words) >= fewest and claims.share(claim, other) >= least


def _question_before(claim: SentenceClaim, claims: Claims) -> SentenceClaim | None:
    """Return the question that a short one right after it belongs to: "And then? The hour?"."""
    if not claim.asks or claim.opens or len(claim.words) >= _TELLING:
        return None
    at = claims.all.index(claim)
    before = claims.all[at - 1] if at else None
    return before if before and before.of is claim.of and before.asks else None


def _group(unsettled: Sequence[_Open], claims: Claims) -> list[OpenQuestion]:
    groups: list[list[_Open]] = []
    for one in unsettled:
        same = [group for group in groups if any(_is_same(each, one, claims) for each in group)]
        if not same:
            groups.append([one])
            continue
        # One that matches several groups joins them.
        same[0].extend([*chain.from_iterable(same[1:]), one])
        groups = [group for group in groups if group not in same[1:]]
    return [_question(group, claims) for group in groups]


def _is_same(one: _Open, other: _Open, claims: Claims) -> bool:
    place = line_of(one.claim.of.part)
    if one.claim.of.key == other.claim.of.key or (place and place == line_of(other.claim.of.part)):
        return True
    return claims.likeness(one.claim, other.claim) >= _SAME


def _question(group: Sequence[_Open], claims: Claims) -> OpenQuestion:
    statements: dict[Key, Statement] = {}
    open_claims = [each.claim for each in group]
    requests = (_request_before(each.claim, claims) for each in group if each.kind == "promised")
    for claim in sorted((*open_claims, *filter(None, requests)), key=_place_in_time):
        before = statements.get(claim.of.key)
        text = f"{before.text} {claim.text}" if before else _understood(claim)
        statements[claim.of.key] = attrs.evolve(claim.of, text=text)
    clear = max(group, key=lambda each: (_is_clear(each.claim), each.weight))
    return OpenQuestion(
        kind=group[0].kind, about=clear.claim.text, statements=tuple(statements.values())
    )


def _request_before(promise: SentenceClaim, claims: Claims) -> SentenceClaim | None:
    """Return what a promise replies to: the last claim by another author in its thread."""
    part, whole = promise.of.part, promise.of.whole
    refs = [each.ref for each in (whole, *whole.thread)]
    before = refs[refs.index(part.ref) - 1] if part.ref in refs[1:] else None
    last = [each for each in claims.all if each.of.part.ref == before]
    return last[-1] if last and last[-1].of.part.author != part.author else None


def _understood(claim: SentenceClaim) -> str:
    """Return a sentence, with the previous one if it depends on it."""
    if len(claim.words) >= _FEWEST_WORDS and not _LEANS.search(claim.text):
        return claim.text
    sentences = [each.text for each in passages(claim.of.text) if each.kind == "prose"]
    at = sentences.index(claim.text) if claim.text in sentences else 0
    together = f"{sentences[at - 1]} {claim.text}" if at else claim.text
    return together if len(together) <= _LONGEST else claim.text


def _place_in_time(claim: SentenceClaim) -> tuple[datetime, int]:
    return claim.when, claim.of.text.find(claim.text)


def _is_clear(claim: SentenceClaim) -> int:
    telling = len(claim.words) >= _TELLING
    return telling + (telling and claim.asks)
