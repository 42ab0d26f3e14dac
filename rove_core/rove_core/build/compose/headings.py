"""Headings for groups of statements, in the sources' own words.

A bad heading is worse than a plain one: titles that people gave come before the first words of
messages, and if nothing shows what a group is about, the heading gives its place and day.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Final

from rove_core.build.compose.exchanges import moment
from rove_core.build.compose.outline import Statement
from rove_core.build.compose.passages import passages
from rove_core.build.gather.candidates import bare_title
from rove_core.build.rank.words import stems

#: A longer title was cut by its source, or is a sentence.
_LONGEST: Final = 90
_LONGEST_PHRASE: Final = 4
#: The value as a heading of what people gave as a name, and of what they said.
_NAMES: Final = 1.3
_SAID: Final = 0.5
#: Factor for each further sentence of a message, and how many sentences are considered.
_FURTHER: Final = 0.8
_SENTENCES: Final = 3
#: A single word says nothing.
_FEWEST: Final = 2

_NUMBERED: Final = re.compile(r"^#{1,6}\s*(?:\d+(?:\.\d+)*[.)]?\s+)?")
_MARKUP: Final = re.compile(r"(?<!\w)[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?!\w)|:[a-z][\w+-]*:")
_ADDRESS: Final = re.compile(r"<?\bhttps?://\S+")
#: The bracket that a removed URL leaves open.
_OPEN: Final = re.compile(r"\s*\([^()]*$")
_HASH: Final = re.compile(r"@([0-9a-f]{7})[0-9a-f]{33}$")
_RUN: Final = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")  # noqa: RUF001  # people type both apostrophes
_CLAUSE_END: Final = re.compile(r"[,:;.?!](?=\s)|\s\(|\s[-–]\s")  # noqa: RUF001  # people type both dashes
_CUT: Final = ("…", "...")


def heading_of(
    statements: Sequence[Statement], weights: Mapping[str, float], taken: Collection[str]
) -> str:
    """Return the best heading that the sources offer for some statements.

    Args:
        statements: The statements, at least one.
        weights: How distinctive each of their words is.
        taken: The headings that are in use already.
    """
    best: dict[str, float] = {}
    for text, value in _names(statements):
        words = set(stems(text))
        telling = math.fsum(weights.get(word, 0.0) for word in words) / (len(words) + 1) ** 0.5
        best[text] = max(best.get(text, 0.0), value * telling)
    ranked = [*sorted(best, key=lambda text: -best[text]), *_phrases(statements, weights)]
    name = next((text for text in ranked if text not in taken), "")
    if name:
        return name
    name = ranked[0] if ranked else _place_and_day(statements[0])
    item_id = _HASH.sub(r"@\1", statements[0].whole.ref.id)
    return f"{name} ({item_id})" if name in taken else name


def is_current(heading: str, statements: Sequence[Statement]) -> bool:
    """Return whether an earlier heading still has only words of its statements.

    A source may have edited what the heading was taken from.
    """
    texts = [
        text
        for each in statements
        for text in (each.text, each.part.content, each.whole.content, each.whole.title)
    ]
    places = [text for each in statements for text in (_place_and_day(each), each.whole.ref.id)]
    words = {word for text in dict.fromkeys([*texts, *places]) for word in stems(text)}
    return words.issuperset(stems(heading))


def title_of(statement: Statement) -> str:
    """Return the title of a statement's item or chapter."""
    return _chapter(statement) or _plain_text(bare_title(statement.whole))


def _chapter(statement: Statement) -> str:
    """Return the heading of a statement that is a chapter; empty for any other."""
    first = passages(statement.part.content)[:1]
    if statement.part.ref != statement.whole.ref and first and first[0].kind == "heading":
        return _plain_text(_NUMBERED.sub("", first[0].text.strip()))
    return ""


def _names(statements: Sequence[Statement]) -> Iterator[tuple[str, float]]:
    for statement in statements:
        if statement.whole.role == "talk":
            yield from _sentences(statement)
        elif name := _name(statement):
            yield name, _NAMES


def _name(statement: Statement) -> str:
    """Return the title that people gave an item; if it is too long or cut, its first clause."""
    title, chapter = _plain_text(bare_title(statement.whole)), _chapter(statement)
    if chapter and chapter != title and len(f"{chapter} ({title})") <= _LONGEST:
        return f"{chapter} ({title})"
    name = chapter or title
    return name if _is_whole(name) else _clause(name.rstrip(".…"))


def _sentences(statement: Statement) -> Iterator[tuple[str, float]]:
    """Yield the first sentences of a message, or of the first message of a thread."""
    whole, value = statement.whole, _SAID
    sentences = [each for each in passages(whole.content or whole.title) if each.kind == "prose"]
    for sentence in sentences[:_SENTENCES]:
        bare = _OPEN.sub("", _ADDRESS.sub("", " ".join(sentence.text.split())))
        text = _plain_text(bare)
        shown = text.removesuffix(".") if _is_whole(text) else _clause(text.rstrip(".…"))
        if _is_specific(shown):
            yield shown, value
        value *= _FURTHER


def _is_whole(text: str) -> bool:
    return len(text) <= _LONGEST and not text.endswith(_CUT)


def _clause(text: str) -> str:
    """Return the first clause of a long text; empty if it is meaningless."""
    clause = _CLAUSE_END.split(text, maxsplit=1)[0].strip()
    return clause if clause != text and len(clause) <= _LONGEST and _is_specific(clause) else ""


def _is_specific(text: str) -> bool:
    return sum(map(str.isalpha, set(stems(text)))) >= _FEWEST


def _place_and_day(statement: Statement) -> str:
    """Return the place and day of a statement, or its title if there is room."""
    whole = statement.whole
    if channel := whole.facts.channel:
        return f"#{channel.removeprefix('#')}, {moment(whole):%Y-%m-%d}"
    title = _plain_text(bare_title(whole))
    return shorten(title, _LONGEST, placeholder=" …") or whole.ref.id


def _phrases(statements: Sequence[Statement], weights: Mapping[str, float]) -> Iterator[str]:
    """Yield the distinctive phrases that most of the statements share."""
    found: Counter[str] = Counter()
    written: dict[str, str] = {}
    for statement in statements:
        for phrase in dict.fromkeys(_runs(_plain_text(statement.text))):
            found[phrase.lower()] += 1
            written.setdefault(phrase.lower(), phrase)
    value = {
        phrase: count * math.fsum(weights.get(word, 0.0) for word in set(stems(phrase)))
        for phrase, count in found.items()
        if count > 1 and 2 * count > len(statements)
    }
    for phrase in sorted(value, key=lambda phrase: (-value[phrase], phrase))[:3]:
        yield written[phrase][:1].upper() + written[phrase][1:]


def _runs(text: str) -> Iterator[str]:
    """Yield runs of two to four meaningful words."""
    run: list[str] = []
    for word in [*_RUN.findall(text), "."]:
        if stems(word):
            run.append(word)
            continue
        for length in range(2, min(len(run), _LONGEST_PHRASE) + 1):
            for start in range(len(run) - length + 1):
                yield " ".join(run[start : start + length])
        run = []


def _plain_text(text: str) -> str:
    return _MARKUP.sub("", text.strip()).strip(" :-+*")
