"""Questions about the structure of code, recognised by their form and answered by names."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Flags, Floats, Ints
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.features import KINDS
from rove_code.ranking.words import exact, terms


class NameQuestion(StrEnum):
    """A question about a name."""

    CALLERS = "calls"
    USERS = "uses"
    KINDRED = "is built on"
    SETTING = "sets"
    PLACE = "declares"


@frozen
class Structural:
    """A question about a name.

    Attributes:
        sought: What is asked of it.
        name: Its last part, as it is written.
        owner: The part before; empty if there is none.
    """

    sought: NameQuestion
    name: str
    owner: str


_NAME: Final = (
    r"(?:the\s+)?(?:(?:function|method|class|interface|trait|type|struct|option|setting|constant"
    r"|variable|macro|flag|module|enum|parameter|attribute)\s+)?[`'\"]?(?P<name>[A-Za-z_$](?:->|[\w$.:#-])*)"
)
_OF: Final = r"\s+(?:of|to|for)\s+"
_ASKING: Final = r"\b(?:who|what|which\s+\w+(?:\s+\w+)?)\s+"
_WHERE: Final = rf"\bwhere(?:\s+is|\s+are|'s)?\s+{_NAME}[`'\"()]*\s+"
_BUILT: Final = r"implements?|extends?|subclass(?:es)?|(?:inherits?|derives?)\s+from"
_KINDRED: Final = r"implement(?:ations?|ers?|ors?)|sub(?:classes|types)|descendants|overrides"
_REFER: Final = r"uses?|references?|imports?|(?:depends?\s+on)|(?:refers?\s+to)"
_FORMS: Final = (
    (NameQuestion.CALLERS, rf"\b(?:callers?|call\s?-?sites?|calls|invocations?){_OF}{_NAME}"),
    (NameQuestion.CALLERS, rf"{_ASKING}(?:calls?|invokes?)\s+{_NAME}"),
    (NameQuestion.CALLERS, rf"{_WHERE}(?:called|invoked)\b"),
    (NameQuestion.KINDRED, rf"\b(?:{_KINDRED}){_OF}{_NAME}"),
    (NameQuestion.KINDRED, rf"{_ASKING}(?:{_BUILT})\s+{_NAME}"),
    (NameQuestion.KINDRED, rf"\b(?:derived|deriving|inherit(?:s|ing|ed)?)\s+from\s+{_NAME}"),
    (NameQuestion.SETTING, rf"{_WHERE}(?:configured|set|assigned)\b"),
    (NameQuestion.SETTING, rf"{_ASKING}(?:configures?|sets?)\s+{_NAME}"),
    (NameQuestion.SETTING, rf"\bconfiguration\s+(?:of|for)\s+{_NAME}"),
    (NameQuestion.USERS, rf"\b(?:users?|usages?|uses|references?|usage){_OF}{_NAME}"),
    (NameQuestion.USERS, rf"{_ASKING}(?:{_REFER})\s+{_NAME}"),
    (NameQuestion.USERS, rf"{_WHERE}(?:used|referenced|imported)\b"),
    (NameQuestion.PLACE, rf"{_WHERE}(?:defined|declared|implemented)\b"),
    (NameQuestion.PLACE, rf"\b(?:definition|declaration){_OF}{_NAME}"),
)
_PATTERNS: Final = tuple((sought, re.compile(form, re.IGNORECASE)) for sought, form in _FORMS)
#: A structural question is short; a long text has such words in it by the way.
_SHORT: Final = 200
#: What stands before the form when no question mark says that it is asked: ``list all uses of x``.
_OPENING: Final = re.compile(
    r"\W*(?:(?:a|all|and|any|are|can|classes|code|could|display|each|every|files|find|functions|get"
    r"|give|i|is|list|locate|look|me|methods|name|need|of|places|please|search|see|show|tell|that"
    r"|the|there|types|up|us|want|we|what|where|which|you)\b\W*)*",
    re.IGNORECASE,
)
_CALL: Final = 1 << KINDS.index("call")
#: How much it says that a row answers, names the same in another way, is what is asked about.
_ANSWERS: Final = 1.0
_NAMES: Final = 0.6
_IS_IT: Final = 0.4
#: How much an answer counts from where the owner of the name is never spoken of.
_STRANGE: Final = 0.6


def structural(text: str) -> Structural | None:
    """Return the structural question in a text, if it is one."""
    if len(text) > _SHORT:
        return None
    found = (
        (match.start(), sought, match["name"])
        for sought, pattern in _PATTERNS
        if (match := pattern.search(text))
    )
    first = min(found, default=None)
    if first is None or not _is_question(text, first[0]):
        return None
    *_, owner, name = ["", *filter(None, re.split(r"\.|::|#|->", first[2]))]
    return Structural(first[1], name, owner)


def _is_question(text: str, start: int) -> bool:
    """Return whether a form is the question itself, not an aside: ``Fix uses of x``."""
    return "?" in text or _OPENING.fullmatch(text[:start]) is not None


def answering(corpus: CodeCorpus, question: Structural) -> Floats:
    """Return how much each row answers it; nothing does when no code has that name."""
    name = np.array([exact(question.name)], "<u4")
    values = np.zeros(corpus.rows)
    _raise(values, corpus.find("declared", name)[1], _IS_IT)
    for rows, says in _answers(corpus, question, name):
        _raise(values, rows, says)
    if question.owner:
        values *= np.where(_speaking(corpus, question.owner), 1.0, _STRANGE)
    return values


def _answers(
    corpus: CodeCorpus, structure: Structural, name: Ints
) -> Iterator[tuple[Ints, Floats | float]]:
    if structure.sought in {NameQuestion.CALLERS, NameQuestion.USERS}:
        _, rows, bits = corpus.find("uses", name)
        all_count = structure.sought is NameQuestion.USERS
        yield rows, np.where((bits & _CALL > 0) | all_count, _ANSWERS, _NAMES)
    elif structure.sought is NameQuestion.KINDRED:
        yield corpus.find("bases", name)[1], _ANSWERS
    else:
        yield corpus.find("declared", name)[1], _ANSWERS
    if structure.sought is NameQuestion.SETTING:
        word = np.array(terms(structure.name)[-1:], "<u4")
        yield corpus.find("body", word)[1], _NAMES


def _raise(values: Floats, rows: Ints, says: Floats | float) -> None:
    values[rows] = np.maximum(values[rows], says)


def _speaking(corpus: CodeCorpus, owner: str) -> Flags:
    """Tell for each row whether its document speaks of an owner."""
    _, rows, _ = corpus.find("body", np.array(terms(owner)[-1:], "<u4"))
    documents = np.zeros(corpus.starts.size - 1, np.bool_)
    documents[corpus.document_of[rows]] = True
    return documents[corpus.document_of]
