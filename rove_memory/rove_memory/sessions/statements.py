"""Statements in notes about plans and criteria: ``p-7k2f9 done``, ``TB-123#2 failed``.

Only a plain statement counts. A sentence that doubts, denies or plans says nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rove_memory.sessions.event_model import SessionEvent

Verdict: TypeAlias = Literal["done", "failed", "blocked"]

_ID: Final = r"(?:[pc]-[0-9a-z]{5,12}|[A-Za-z][\w./-]{0,100}#\d+|(?:criterion|ac)[ -]?\d+)"
#: Every id has one of these in it, or a digit.
_SIGNS: Final = ("p-", "c-")
_IDS: Final = rf"(?P<ids>{_ID}(?:(?:, | and |, and ){_ID}){{0,20}})(?![\w#-])"
_VERDICTS: Final = {
    "done": r"done|complete[sd]?|finishe[sd]|verified|passe[sd]|met",
    "failed": r"fail(?:s|ed)",
    "blocked": r"blocked",
}
_ANY: Final = "|".join(rf"(?P<{name}>{words})" for name, words in _VERDICTS.items())


def _pattern(pattern: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """Return what compiles a pattern when a note first needs it: most notes name no item."""
    return cache(partial(re.compile, pattern, flags))


_AFTER: Final = _pattern(
    rf"(?<![\w-]){_IDS}(?::| -)?(?: (?:is|are|was|were|now|all|both|has been|have been))* "
    rf"?\b(?:{_ANY})\b",
    re.IGNORECASE,
)
_BEFORE: Final = _pattern(rf"^\W*(?:{_ANY}):? (?:with )?{_IDS}", re.IGNORECASE)
_BEGINS: Final = _pattern(rf"^\W*(?:{_VERDICTS['done']})\b", re.IGNORECASE)
_UNSURE: Final = _pattern(
    r"\?|n't\b|\b(?:not|never|if|when|once|until|till|unless|except|almost|nearly|half|should|must"
    r"|will|would|could|may|might|can|to be|todo|before|after|whether|assum\w+)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = _pattern(r"(?<=[.;!?])\s+|\n+")
_ONE: Final = _pattern(_ID, re.IGNORECASE)


@frozen(kw_only=True)
class ItemStatement:
    """A statement in a note about a plan or criterion.

    Attributes:
        item: Its id as it was written, or ``criterion 2`` of the session's ticket.
        verdict: What became of it.
        event: The note.
    """

    item: str
    verdict: Verdict
    event: SessionEvent


def statements_in(events: Sequence[SessionEvent]) -> Sequence[ItemStatement]:
    """Return the last statement about each plan and criterion that notes name.

    Args:
        events: The notes of a session, oldest first.
    """
    last: dict[str, ItemStatement] = {}
    for event in filter(_may_name_item, events):
        for item, verdict in (*_stated_by_relation(event), *_stated(event)):
            last.pop(item.casefold(), None)
            last[item.casefold()] = ItemStatement(item=item, verdict=verdict, event=event)
    return [*last.values()]


def _may_name_item(event: SessionEvent) -> bool:
    """Return whether a note has anything that an id has."""
    text = event.content.lower()
    has_sign = any(sign in text for sign in _SIGNS) or any(map(str.isdecimal, text))
    return has_sign or bool(event.context.get("related_items"))


def _stated(event: SessionEvent) -> Iterator[tuple[str, Verdict]]:
    """Yield the statements in a note's text."""
    for sentence in _SENTENCE().split(event.content):
        if _UNSURE().search(sentence):
            continue
        for found in (*_BEFORE().finditer(sentence), *_AFTER().finditer(sentence)):
            for verdict in _VERDICTS:
                if found[verdict]:
                    yield from ((item, _verdict(verdict)) for item in _ONE().findall(found["ids"]))


def _stated_by_relation(event: SessionEvent) -> Iterator[tuple[str, Verdict]]:
    """Yield the statements about a note's related items: progress that begins with "done"."""
    related = event.context.get("related_items")
    first = _SENTENCE().split(event.content)[0]
    if not isinstance(related, list) or _UNSURE().search(first):
        return
    items = [each for each in related if isinstance(each, str) and _ONE().fullmatch(each)]
    if event.event_type == "progress" and _BEGINS().match(first):
        yield from ((item, "done") for item in items)
    elif event.event_type == "blocker":
        yield from ((item, "blocked") for item in items)


def _verdict(name: str) -> Verdict:
    return "done" if name == "done" else "failed" if name == "failed" else "blocked"
