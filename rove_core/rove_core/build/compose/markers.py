"""Words that mark a sentence as important: a decision, its end, a question."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from rove_core.build.compose.decision_words import DECISION, REVERSAL, any_of

#: What the words of a sentence may show.
Mark: TypeAlias = Literal[
    "decision", "reversal", "reason", "constraint", "promise", "open", "number", "code", "question"
]


def in_small(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return a pattern for lower-case text, which is several times faster."""
    return re.compile(pattern.pattern.lower())


#: Somebody says why.
REASON: Final = any_of(
    r"""
    because | since | so that | reason | why | therefore | thus | due to | root cause | otherwise
    | turned out | it turns out | means that | in order to | caused?s?
    | fail(?:s|ed|ing|ures?)? | los(?:es?|t) | locks? | leak(?:s|ed)? | hangs? | crash\w* | expir\w+
    | times? out | timeouts? | deadlocks? | too (?:slow|long|large|small|many|few|late|early)
    """
)
#: Something has to be, or must not be.
CONSTRAINT: Final = any_of(
    r"""
    must(?:n't)? | shall | never | always | only | at (?:most|least) | not more | no more than
    | limit\w* | max(?:imum)? | min(?:imum)? | require[sd]? | requirements? | needs? to | has to
    | have to | cannot | can't | do(?:es)? not | don't | doesn't | without | until | before
    | forbidden | allowed | mandatory | exact(?:ly)? | default | breaking | breaks? | deadline
    | blocks? | blocked | blocker | depends on | wanted | expected | (?<=, )not | rather than
    | (?:did|is|was|are|were|has|have|had|will|would|should|could)(?: not|n't) | won't
    | nobody | none
    """
)
#: Somebody is going to do something.
PROMISE: Final = any_of(
    r"""
    I(?:'ll| will| am going to|'m going to) | we(?:'ll| will) | promised? | todo | follow[- ]?up
    | will (?:be|do|send|write|check|ask|look|fix|add) | by tomorrow | by the end of
    | by (?:mon|tues|wednes|thurs|fri|satur|sun)day
    | by (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d+
    """
)
#: Somebody says that nobody knows.
OPEN: Final = any_of(
    r"""
    not (?:yet )?(?:decided|settled|clear|agreed|sure|confirmed) | undecided | unclear | tbd
    | (?:is|are|still|remains?|left) open | open (?:question|point)s? | open:
    | nobody (?:knows|named|remembers|answered|has|assigned) | nobody's job | unassigned
    | no(?:body)? (?:answer(?:ed|s)?|confirmation|decision|idea|owner|date)
    | never (?:confirmed|answered|decided) | don't know | do not know | no one knows
    | good question | to be (?:decided|defined|confirmed|discussed) | have to find out
    | needs? (?:a decision|an answer|an owner|legal|input) | who (?:decides|owns)
    | still (?:not|no|waiting|missing|to)
    """
)

#: Something measured, dated or numbered.
_NUMBER: Final = re.compile(r"\d")
#: A name out of code.
_CODE: Final = re.compile(r"`[^`]+`|\b\w+_\w+\b|\b\w+\(\)")
_QUESTION: Final = re.compile(r"\?(?!\w)")
_QUOTED: Final = re.compile(r"^ {0,3}>.*$|```.*?(?:```|\Z)|`[^`]*`", re.MULTILINE | re.DOTALL)
_EMOJI: Final = re.compile(r":[a-z][\w+-]*:|[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]")

#: Words that only acknowledge a message.
_NICE: Final = any_of(
    r"""
    thanks?(?: (?:you|a lot|for(?: \w+){1,5}))? | thx | ty | cheers | awesome | cool | perfect
    | congrat\w* | nice(?: (?:work|one|catch|find))? | great(?: (?:work|job))? | lgtm | ship it
    | good (?:catch|find|point|morning|night|evening) | looks good(?: to me)? | \+1 | ok(?:ay)?
    | k | yep | yup | sure | done | added | fixed | same here | me too | ping | bump | hi | hey
    | hello | welcome | you're welcome | np | no problem | sorry | oops | ouch | ack | agreed
    | here | on it | looking | doing | will do | will have a look | commented
    | approved these changes | requested changes
    """
)
_TO_WHOM: Final = r"(?:all|everyone|everybody|team|folks|(?-i:[@A-Z][\w.-]*))"
_PLEASANTRY: Final = re.compile(
    rf"{_NICE.pattern}(?:[ ,]+(?:{_NICE.pattern}|{_TO_WHOM}))*", re.IGNORECASE
)
#: How a pleasantry begins: hardly any text does, and this test is several times faster.
_BEGINS_NICE: Final = in_small(_NICE)
_LONGEST_PLEASANTRY: Final = 80
_AROUND: Final = " \t,;:)(-*_~"
_STOPS: Final = re.compile(r"[.!?\n]+")

_IN_SMALL: Final[Mapping[Mark, re.Pattern[str]]] = {
    "decision": in_small(DECISION),
    "reversal": in_small(REVERSAL),
    "reason": in_small(REASON),
    "constraint": in_small(CONSTRAINT),
    "promise": in_small(PROMISE),
    "open": in_small(OPEN),
    "number": _NUMBER,
    "question": _QUESTION,
}


@lru_cache(maxsize=16_384)
def marks(text: str) -> frozenset[Mark]:
    """Return the marks of a sentence, ignoring what it quotes."""
    own = own_words(text).replace("*", "").lower()
    found: set[Mark] = {name for name, pattern in _IN_SMALL.items() if pattern.search(own)}
    if _CODE.search(text):
        found.add("code")
    return frozenset(found)


def asks(text: str) -> bool:
    """Return whether a text asks a question, outside of quotes and code."""
    return "?" in text and bool(_QUESTION.search(own_words(text)))


def own_words(text: str) -> str:
    """Return a text without quotes, code and emoji."""
    plain = _QUOTED.sub(" ", text) if ">" in text or "`" in text else text
    return _EMOJI.sub(" ", plain)


def is_pleasantry(text: str) -> bool:
    """Return whether a text has no content beyond greeting or presence."""
    if len(text) > _LONGEST_PLEASANTRY:
        return False
    parts = (part.strip(_AROUND) for part in _STOPS.split(_EMOJI.sub(" ", text)))
    return all(
        _BEGINS_NICE.match(part.lower()) and _PLEASANTRY.fullmatch(part) for part in parts if part
    )
