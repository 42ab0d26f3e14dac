"""Statements of the chosen items: author, words and value."""

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from attrs import evolve, frozen

from rove_core.build.compose import markers
from rove_core.build.compose.outline import Statement
from rove_core.build.compose.passages import QuotablePassage, joined, passages
from rove_core.build.compose.stretches import WeighedMessage, stretch
from rove_core.build.gather.candidates import RankedItem
from rove_core.build.rank.robots import is_by_robot
from rove_core.build.rank.words import stems
from rove_core.items import ContextItem

#: Maximum length of a quotation; the ticket's own words are hardly ever shortened.
LONGEST: Final = 700
LONGEST_OF_TICKET: Final = 6_000
#: A comment on the ticket is shortened sooner than its description, which says what to do.
_LONGEST_ON_TICKET: Final = 1_500
#: A longer text of several chapters is quoted by chapter, unless it is about one thing.
_LONGEST_IN_ONE: Final = 600
_ABOUT_ONE_THING: Final = frozenset({"change", "commit", "ticket"})
#: The share of the closest chapter's overlap with the ticket that other chapters must reach.
_NEARLY: Final = 0.34

_WORTH: Final[Mapping[markers.Mark, float]] = {
    "decision": 0.25,
    "reversal": 0.2,
    "open": 0.25,
    "constraint": 0.15,
    "question": 0.15,
    "reason": 0.1,
    "promise": 0.1,
    "number": 0.1,
    "code": 0.05,
}
_PLAIN: Final = 0.05
_SHARED: Final = 0.05
_MOST_SHARED: Final = 5
_FIRST: Final = 0.05
#: Bonus for naming the ticket.
_NAMED: Final = 0.3
#: A message of a conversation that is worth less says nothing about the ticket: it shares no word
#: with it, decides nothing and answers nothing.
_IDLE: Final = 0.1
#: Factors for what programs wrote, for commits, for field changes and for settled remarks.
_BY_ROBOTS: Final = 0.3
_OF_COMMITS: Final = 0.5
_OF_CHANGES: Final = 0.3
_OF_SETTLED: Final = 0.8

_TELLING_CHANGE: Final = re.compile(
    r"^- (?:Resolution:.*→ *(?!\(none\))\S|Status: *(?:Done|Closed|Resolved)\b"
    r"|(?:Status|State):.*→.*(?:won.?t|reject|declin|cancel|duplicate|defer|block))",
    re.IGNORECASE | re.MULTILINE,
)
_ROBOTS_NEWS: Final = re.compile(
    r"\b(?:merged|opened|closed|pushed|assigned|labell?ed|moved|deleted|mentioned|linked)\b",
    re.IGNORECASE,
)
_SLUG: Final = re.compile(r"[^\w]+")


def statements(ticket: ContextItem, ranked: Sequence[RankedItem]) -> tuple[Statement, ...]:
    """Return the quotable statements: the ticket's own first, then by rank.

    Args:
        ticket: The ticket; it need not be among the candidates.
        ranked: The candidates to quote, best first.
    """
    about = _About(
        words=frozenset(stems(f"{ticket.title}\n{ticket.content}")), name=_name_of(ticket.ref.id)
    )
    found = {each.key: each for each in _of_item(ticket, 1.0, about, LONGEST_OF_TICKET)}
    for one in ranked:
        if one.candidate.item.ref != ticket.ref:
            for each in _of_item(one.candidate.item, one.score, about, LONGEST):
                found.setdefault(each.key, each)
    return tuple(found.values())


def worth(text: str, about: frozenset[str] = frozenset()) -> float:
    """Return how much a sentence says by itself: above 0, at most 1.

    Args:
        text: One sentence, or what is quoted in its place.
        about: The stems of the ticket's words.
    """
    value = _PLAIN + math.fsum(_WORTH[mark] for mark in markers.marks(text))
    return min(1.0, value + _SHARED * min(_MOST_SHARED, len(about.intersection(stems(text)))))


@frozen
class _About:
    """The subject of a document.

    Attributes:
        words: The stems of the ticket's words.
        name: A pattern for mentions of the ticket.
    """

    words: frozenset[str]
    name: str


def _name_of(ticket: str) -> str:
    """Return a pattern for mentions of a ticket: ``acme/api#12`` is also ``#12``, or a link."""
    _, sign, number = ticket.rpartition("#")
    if sign and number.isdigit():
        return rf"(?:#|/pull/|/issues/){number}(?!\d)"
    return rf"(?<![\w-]){re.escape(ticket)}(?!\w)"


def _of_item(item: ContextItem, rank: float, about: _About, longest: int) -> Iterator[Statement]:
    source = item if item.content.strip() or item.thread else evolve(item, content=item.title)
    chapters = _chapters(source, about.words) if longest == LONGEST else (source,)
    parts = [part for part in (*chapters, *item.thread) if _has_content(part, item)]
    longest_below = min(longest, _LONGEST_ON_TICKET)
    quoted = [
        _quotation_of(part.content, about, longest if part.ref == item.ref else longest_below)
        for part in parts
    ]
    within = _stretch(parts, quoted, about) if item.role == "talk" else range(len(parts))
    best = max(range(len(parts)), key=lambda at: quoted[at][1], default=0)
    is_asked = False
    for at, (part, (text, value)) in enumerate(zip(parts, quoted, strict=True)):
        is_idle = part.role == "talk" and at != best and value < _IDLE and not is_asked
        is_asked = at in within and markers.asks(part.content)
        if text and at in within and not is_idle:
            score = rank * (0.1 + 0.9 * min(1.0, value * _weight(part)))
            yield Statement(part=part, whole=item, text=text, score=score)


def _stretch(
    parts: Sequence[ContextItem], quoted: Sequence[tuple[str, float]], about: _About
) -> Container[int]:
    """Return which messages of a conversation are about the ticket, or near one that is."""
    return stretch(
        [
            WeighedMessage(
                value=value,
                names=re.search(about.name, part.content, re.IGNORECASE) is not None,
                length=len(text),
            )
            for part, (text, value) in zip(parts, quoted, strict=True)
        ]
    )


def _chapters(item: ContextItem, about: frozenset[str]) -> Iterable[ContextItem]:
    """Return the chapters of a long text that are about the ticket.

    A text about one thing stays whole. The id of a chapter contains its heading.
    """
    if len(item.content) <= _LONGEST_IN_ONE or item.role in _ABOUT_ONE_THING:
        return (item,)
    parts = passages(item.content)
    starts = [at for at, part in enumerate(parts) if part.kind == "heading"]
    if len(starts) < 2:  # one heading makes no chapters
        return (item,)
    ends = [*starts, len(parts)]
    found: dict[str, ContextItem] = {}
    for start, end in zip([0, *starts], ends, strict=True):
        if any(part.kind != "heading" for part in parts[start:end]):
            headed = parts[start].kind == "heading"
            name = _SLUG.sub("-", parts[start].text.lower()).strip("-")[:60] if headed else ""
            while name in found:
                name += "-"
            text = joined(parts[start:end], range(end - start))
            ref = evolve(item.ref, id=f"{item.ref.id}#{name}") if name else item.ref
            found[name] = evolve(item, ref=ref, content=text, thread=())
    return _closest(tuple(found.values()), about)


def _closest(chapters: Sequence[ContextItem], about: frozenset[str]) -> Sequence[ContextItem]:
    """Return the chapters that share enough words with the ticket, compared to the closest."""
    shared = [len(about.intersection(stems(each.content))) for each in chapters]
    least = _NEARLY * max(shared, default=0)
    return [each for each, count in zip(chapters, shared, strict=True) if count >= least]


def _has_content(part: ContextItem, whole: ContextItem) -> bool:
    is_own = part.ref == whole.ref
    if part.facts.history:
        status = part.facts.status
        has_ended = status is not None and status.category in ("done", "canceled")
        return has_ended or bool(_TELLING_CHANGE.search(part.content))
    if part.role == "commit" and not is_own:
        subject = part.content.partition("\n")[0].strip().lower()
        return subject not in whole.title.lower() and subject not in whole.content.lower()
    if is_by_robot(part) and not is_own and _ROBOTS_NEWS.search(part.content):
        return False
    return not markers.is_pleasantry(part.content)


def _weight(part: ContextItem) -> float:
    if is_by_robot(part):
        return _BY_ROBOTS
    if part.role == "commit":
        return _OF_COMMITS
    if part.facts.history:
        return _OF_CHANGES
    return _OF_SETTLED if part.facts.resolved or part.facts.outdated else 1.0


@lru_cache(maxsize=2048)
def _quotation_of(content: str, about: _About, longest: int) -> tuple[str, float]:
    """Return the quoted part of a text, and its worth, mostly that of its best passage.

    Cached, because a build composes its document several times from mostly the same texts.
    """
    parts = passages(content.strip())
    values = [_value(part, about) for part in parts]
    if not any(values):
        return "", 0.0
    best = sorted(values, reverse=True)
    value = min(1.0, best[0] + 0.2 * sum(best[1:4]))
    if sum(len(part.text) for part in parts) <= longest:
        return joined(parts, range(len(parts))), value
    return joined(parts, _best(parts, values, longest)), value


def _value(part: QuotablePassage, about: _About) -> float:
    if part.kind == "heading" or markers.is_pleasantry(part.text):
        return 0.0
    value = worth(part.text, about.words)
    if re.search(about.name, part.text, re.IGNORECASE):
        value = min(1.0, value + _NAMED)
    return value * (0.5 if part.kind in ("code", "quote") else 1.0)


def _best(parts: Sequence[QuotablePassage], values: Sequence[float], longest: int) -> set[int]:
    """Return the positions of passages worth the room, each with what introduces it."""
    worthy = [at for at, value in enumerate(values) if value]
    chosen: set[int] = set()
    room = longest
    for at in sorted(worthy, key=lambda at: (-values[at] - _FIRST * (at == worthy[0]), at)):
        needed = {at, *_leads(parts, at)} - chosen
        length = sum(len(parts[each].text) for each in needed)
        if length <= room or not chosen:
            chosen |= needed
            room -= length
    return chosen


def _leads(parts: Sequence[QuotablePassage], at: int) -> Iterator[int]:
    lead = parts[at].lead
    while lead is not None:
        yield lead
        lead = parts[lead].lead
