"""What a group of statements is about, in the sources' own words."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from rove_core.context.outline import Statement
from rove_core.context.passages import passages
from rove_core.context.words import stems

#: A title longer than this is cut by its source, or is a sentence.
_LONGEST: Final = 90
_LONGEST_PHRASE: Final = 4
#: How good each makes a heading: people gave it as a name, or only began with it.
_NAMES: Final = 1.3
_SAID: Final = 0.5
_SHARED: Final = 0.8
_ONCE: Final = 0.2

_NUMBERED: Final = re.compile(r"^(?:#{1,6}\s*)?(?:\d+(?:\.\d+)*[.)]?\s+)?")
_CALLED: Final = re.compile(r"^(?:PR|Issue|Commit) #?\w+: ")
_MARKUP: Final = re.compile(r"(?<!\w)[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?!\w)|:[a-z][\w+-]*:")
_RUN: Final = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")  # noqa: RUF001  # people type both apostrophes
_CLAUSE_END: Final = re.compile(r"[,:;.(?!]|\s[-–]\s")  # noqa: RUF001  # people type both dashes
_CUT: Final = ("…", "...")


def heading_of(
    statements: Sequence[Statement], weights: Mapping[str, float], taken: Collection[str]
) -> str:
    """Return the best name that the sources give what some statements are about.

    Args:
        statements: The statements, at least one.
        weights: How much each of their words tells about them.
        taken: What is the heading of something else already.
    """
    best: dict[str, float] = {}
    for text, value in _names(statements, weights):
        words = set(stems(text))
        telling = math.fsum(weights.get(word, 0.0) for word in words) / (len(words) + 1) ** 0.5
        best[text] = max(best.get(text, 0.0), value * telling)
    ranked = sorted(best, key=lambda text: -best[text])
    free = (text for text in ranked if text not in taken)
    return next(free, ranked[0] if ranked else statements[0].whole.ref.id)


def title_of(statement: Statement) -> str:
    """Return what the source calls the thing a statement stands in, or its chapter."""
    first = passages(statement.part.content)[:1]
    if statement.part.ref != statement.whole.ref and first and first[0].kind == "heading":
        return _plain(first[0].text)
    return _plain(_CALLED.sub("", statement.whole.title))


def _names(
    statements: Sequence[Statement], weights: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    for statement in statements:
        title = title_of(statement)
        if len(title) > _LONGEST or title.endswith(_CUT):
            title = title.rstrip(".…")
            clause = _CLAUSE_END.split(title, maxsplit=1)[0]
            if clause != title and sum(map(str.isalpha, stems(clause))) > 1:
                yield clause, _SAID
        elif title:
            yield title, _SAID if statement.whole.item_type == "thread" else _NAMES
    for phrase, count in _phrases(statements, weights):
        yield phrase, _SHARED if count > 1 else _ONCE


def _phrases(
    statements: Sequence[Statement], weights: Mapping[str, float]
) -> Iterator[tuple[str, int]]:
    """Yield the telling phrases that most of the statements share, and how many do."""
    found: Counter[str] = Counter()
    written: dict[str, str] = {}
    for statement in statements:
        for phrase in dict.fromkeys(_runs(_plain(statement.text))):
            found[phrase.lower()] += 1
            written.setdefault(phrase.lower(), phrase)
    value = {
        phrase: count * math.fsum(weights.get(word, 0.0) for word in set(stems(phrase)))
        for phrase, count in found.items()
    }
    for phrase in sorted(value, key=lambda phrase: (-value[phrase], phrase))[:3]:
        yield written[phrase][:1].upper() + written[phrase][1:], found[phrase]


def _runs(text: str) -> Iterator[str]:
    """Yield runs of two to four words that all tell something."""
    run: list[str] = []
    for word in [*_RUN.findall(text), "."]:
        if stems(word):
            run.append(word)
            continue
        for length in range(2, min(len(run), _LONGEST_PHRASE) + 1):
            for start in range(len(run) - length + 1):
                yield " ".join(run[start : start + length])
        run = []


def _plain(text: str) -> str:
    return _MARKUP.sub("", _NUMBERED.sub("", text.strip())).strip(" :")
