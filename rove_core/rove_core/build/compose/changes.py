"""Find statements that were later disputed or replaced."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

import attrs
from attrs import frozen

from rove_core.build.compose.claims import Claims, SentenceClaim
from rove_core.build.compose.outline import OpenQuestion, QuestionKind, Statement
from rove_core.build.gather.candidates import Key
from rove_core.build.rank.words import stems
from rove_core.items import ContextItem

#: Likeness of two sentences about the same thing, and the lower one if the later says that it
#: changes something; bonuses for the same item, the same author and a reference by date.
_ABOUT_THE_SAME: Final = 0.5
_IF_IT_TURNS: Final = 0.3
_IN_ONE_PLACE: Final = 0.2
_BY_ONE_PERSON: Final = 0.05
_OF_THAT_DAY: Final = 0.3
#: Sentences this similar that give no other number say the same.
_A_COPY: Final = 0.7
#: The latest of about equally likely earlier sentences is meant.
_ABOUT_AS_LIKELY: Final = 0.95
_MATTERS: Final = 0.2
#: Minimum closeness to the ticket of a change that the ticket itself does not state.
_ABOUT_THE_TICKET: Final = 0.1
#: Two pairs with the same numbers and this likeness are one change.
_ONE_CHANGE: Final = 0.15
_SOON: Final = timedelta(days=3)
_OPPOSITES: Final = (("on", "off"), ("in", "out"))
#: The numbers in such a sentence are those that held before.
_TELLS_THE_OLD: Final = re.compile(r"\W*(?:this |it )?replaces the\b", re.IGNORECASE)
#: Sentences that share only these say that something changes, but about different things.
_TURNING: Final = frozenset(
    stems(
        """
        january february march april may june july august september october november december
        agreed approve approved becomes change changes changed decide decided decision merge merged
        replace replaces replaced revert reverts reverted
        """
    )
)
#: Such a sentence names what it ends: "X replaces Y", "X instead of Y".
_ENDS: Final = re.compile(
    r"\b(?:replac(?:e|es|ed|ing)|supersed(?:e|es|ed|ing)|instead of|in place of)"
    r"(?! by\b) (?:the |our |my |an? )?([^,.;:()]{2,50}?)"
    r"(?=[,.;:()]| (?:by|with|in|for|from|because|since|as|until|again)\b|$)",
    re.IGNORECASE,
)
_DAY: Final = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\d{1,2})\b", re.IGNORECASE
)


@frozen(eq=False)
class _Change:
    earlier: SentenceClaim
    later: SentenceClaim
    weight: float

    @property
    def ends(self) -> tuple[SentenceClaim, SentenceClaim]:
        """Both sentences, the earlier one first."""
        return self.earlier, self.later

    @property
    def replaces(self) -> bool:
        """Return whether the later one replaces the earlier; otherwise they conflict."""
        same_person = self.earlier.of.part.author == self.later.of.part.author
        merged = _is_merged(self.earlier) and _is_merged(self.later)
        return self.later.turns or self.later.decides or same_person or merged

    @property
    def amounts(self) -> frozenset[str]:
        """The old and new numbers, in no order; empty if no number changed."""
        before, now = self.earlier.amounts, self.later.amounts
        units = [unit for unit in before if unit in now and not before[unit] & now[unit]]
        return frozenset(f"{number} {u}" for u in units for number in (*before[u], *now[u]))


def ends(ticket: ContextItem, statements: Sequence[Statement]) -> Mapping[Key, Key]:
    """Return the replacement of each replaced statement, by key.

    A reader of a replaced statement must also read that it no longer holds, whether or not the
    document lists the change among its questions.

    Args:
        ticket: The ticket.
        statements: The quotable statements.
    """
    pairs = replacements(ticket, statements)
    return {key: each.statements[-1].key for key, each in pairs.items()}


def replacements(
    ticket: ContextItem, statements: Sequence[Statement]
) -> Mapping[Key, OpenQuestion]:
    """Return the replaced statements, each with its replacement.

    Args:
        ticket: The ticket.
        statements: The quotable statements.
    """
    claims = Claims(statements)
    about = frozenset(stems(f"{ticket.title}\n{ticket.content}"))
    weighed = [(_matter(change, claims, about), change) for change in _changes(claims)]
    replaced = [(matter, each) for matter, each in weighed if matter >= _MATTERS and each.replaces]
    # Of several replacements, the most important one is written last, and stays.
    return {
        each.earlier.of.key: _question(each) for _, each in sorted(replaced, key=lambda one: one[0])
    }


def changed(ticket: ContextItem, claims: Claims, about: frozenset[str]) -> list[OpenQuestion]:
    """Return what later statements replace or contradict, most important first.

    Each statement is replaced once and replaces one other; of several pairs that report the same
    change, only the one that settles it is returned.

    Args:
        ticket: The ticket.
        claims: The sentences of all statements.
        about: The words of the ticket.
    """
    weighed = [(change, _matter(change, claims, about)) for change in _changes(claims)]
    matters = [(change, matter) for change, matter in weighed if matter >= _MATTERS]
    relevant = [each for each in matters if _concerns(each[0], ticket, claims, about)]
    # If a replacement is reported, what replaced it in turn is reported too.
    while more := [
        each for each in matters if each not in relevant and _goes_on(each[0], relevant)
    ]:
        relevant += more
    found: list[tuple[_Change, float]] = []
    seen: list[_Change] = []
    for change, matter in sorted(relevant, key=lambda each: (-each[0].replaces, -each[1])):
        if not any(_is_reported(change, other, claims) for other in seen):
            found.append((change, matter))
        seen.append(change)
    return [_question(change) for change, _ in sorted(found, key=lambda each: -each[1])]


def _concerns(change: _Change, ticket: ContextItem, claims: Claims, about: frozenset[str]) -> bool:
    return any(
        end.of.whole.ref == ticket.ref or claims.closeness(end, about) >= _ABOUT_THE_TICKET
        for end in change.ends
    )


def differs(earlier: SentenceClaim, later: SentenceClaim) -> bool:
    """Return whether a later sentence gives another number, or takes another side."""
    before, now = earlier.amounts, later.amounts
    units = before.keys() & now.keys()
    if (
        units
        and not _TELLS_THE_OLD.match(later.text)
        and not any(before[unit] & now[unit] for unit in units)
    ):
        return True
    return any(
        (one in earlier.sides and other in later.sides and one not in later.sides)
        or (other in earlier.sides and one in later.sides and other not in later.sides)
        for one, other in _OPPOSITES
    )


def _goes_on(change: _Change, relevant: Sequence[tuple[_Change, float]]) -> bool:
    return any(change.earlier.of.key == other.later.of.key for other, _ in relevant)


def _is_reported(change: _Change, other: _Change, claims: Claims) -> bool:
    """Return whether another pair reports the same change, or shares an end with it."""
    if change.earlier.of.key == other.earlier.of.key or change.later.of.key == other.later.of.key:
        return True
    if not change.amounts or change.amounts != other.amounts:
        return False
    ends = ((one, two) for one in change.ends for two in other.ends)
    return max(claims.likeness(*pair) for pair in ends) >= _ONE_CHANGE


def _matter(change: _Change, claims: Claims, about: frozenset[str]) -> float:
    return change.weight * sum(
        end.of.score * (0.2 + claims.closeness(end, about)) for end in change.ends
    )


def _changes(claims: Claims) -> Iterator[_Change]:
    for later in claims.all:
        if later.asks or not (later.turns or later.sides or later.amounts):
            continue
        found = list(_earlier(later, claims))
        if named := [change for change in found if _is_named(change.earlier, later)]:
            yield max(named, key=lambda change: change.earlier.when)
            continue
        most = max((change.weight for change in found), default=0.0)
        likely = (change for change in found if change.weight >= _ABOUT_AS_LIKELY * most)
        latest = max(likely, key=lambda change: change.earlier.when, default=None)
        if latest:
            yield latest


def _earlier(later: SentenceClaim, claims: Claims) -> Iterator[_Change]:
    for earlier in claims.near(later):
        if earlier.when >= later.when or earlier.asks or _restates(earlier, later):
            continue
        if not any(map(str.isalpha, (earlier.around & later.around) - _TURNING)):
            continue
        is_other = differs(earlier, later)
        here = earlier.of.whole.ref == later.of.whole.ref
        turns = later.turns or (is_other and here and later.decides)
        if not (is_other or (later.turns and (earlier.decides or _reverts(later)))):
            continue
        likeness = claims.likeness(earlier, later)
        named = turns and _is_named(earlier, later)
        another = likeness < _A_COPY and not _reverts(later)
        if named or is_other or another or likeness >= _ABOUT_THE_SAME:
            alike = likeness + _closeness(earlier, later)
            weight = alike * (1 + turns + 0.3 * earlier.decides + 0.3 * is_other)
            if named or alike >= (_IF_IT_TURNS if turns else _ABOUT_THE_SAME):
                yield _Change(earlier, later, weight)


def _is_named(earlier: SentenceClaim, later: SentenceClaim) -> bool:
    """Return whether a later sentence names the earlier choice as replaced."""
    if not (earlier.decides or earlier.turns):
        return False
    ended = _named_endings(later.text)
    return bool(ended) and ended <= earlier.words and not ended & _named_endings(earlier.text)


def _named_endings(text: str) -> frozenset[str]:
    found = _ENDS.search(text)
    return frozenset(stems(found[1])) - _TURNING if found else frozenset()


def _is_merged(claim: SentenceClaim) -> bool:
    part = claim.of.part
    status = part.facts.status
    return part.role == "change" and status is not None and status.category == "done"


def _restates(earlier: SentenceClaim, later: SentenceClaim) -> bool:
    """Return whether a later sentence takes the same side, or reports the same turn elsewhere."""
    if later.sides & earlier.sides:
        return True
    elsewhere = earlier.of.whole.ref != later.of.whole.ref
    soon = later.when - earlier.when <= _SOON
    return elsewhere and soon and earlier.turns


def _reverts(later: SentenceClaim) -> bool:
    return later.text.lower().startswith("revert")


def _closeness(earlier: SentenceClaim, later: SentenceClaim) -> float:
    days = [f"{month[:3].lower()} {int(day)}" for month, day in _DAY.findall(later.text)]
    earlier_day = f"{earlier.when:%b} {earlier.when.day}".lower()
    return (
        _IN_ONE_PLACE * (earlier.of.whole is later.of.whole)
        + _BY_ONE_PERSON * (earlier.of.part.author == later.of.part.author)
        + _OF_THAT_DAY * (earlier_day in days)
    )


def _question(change: _Change) -> OpenQuestion:
    kind: QuestionKind = "replaced" if change.replaces else "contradiction"
    statements = tuple(
        attrs.evolve(each.of, text=each.text) for each in (change.earlier, change.later)
    )
    return OpenQuestion(kind=kind, about=change.later.text, statements=statements)
