"""What a finished document shows: which statements, which facts, and what it must not."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from attrs import frozen

from benchmarks.context.sample_truth import (
    Hostile,
    Pair,
    SampleTruth,
    TicketTruth,
    statement_name,
)
from rove_core.build.write.base import DocumentBase
from rove_core.build.write.blocks import DocumentPiece, cut
from rove_core.build.write.citations import definitions, marks
from rove_core.build.write.merge import find_owners
from rove_core.build.write.token_count import tokens

#: How many tokens one reads at a glance.
_FIRST_SCREEN: Final = 1_000
_INLINE_CODE: Final = re.compile(r"`[^`\n]*`")


@frozen(kw_only=True)
class Shown:
    """What a document shows.

    Attributes:
        facts: How many of the facts it quotes.
        first: How many of them stand on its first screen.
        asked_first: How many of the open questions are asked there.
        must_first: How many of the items that an implementer must know are cited there.
        questions: How many open questions it asks, right or wrong.
        questions_right: How many of these are open by the truth.
        stale: How many facts that were replaced it quotes without what replaced them.
        asked: How many open questions it asks.
        raised: How many it at least quotes.
        twice: How many copies it shows twice, the same words or quotes of them.
        reworded: The same of what is said twice in other words.
        dangling: How many of its numbers lead nowhere.
        hostile: How often it shows what it must not: a secret, a raw name, an order that is not
            told as somebody's words.
        tokens: How long it is.
    """

    facts: int
    first: int
    asked_first: int
    must_first: int
    questions: int
    questions_right: int
    stale: int
    asked: int
    raised: int
    twice: int
    reworded: int
    dangling: int
    hostile: int
    tokens: int


@frozen
class Places:
    """Addresses of what was found for a ticket.

    Attributes:
        statements: That of each statement, by its account and its id there.
        items: Those of each item and its parts, by what the truth calls the item.
    """

    statements: Mapping[str, str]
    items: Mapping[str, Collection[str]]


def shown(
    text: str,
    base: DocumentBase,
    ticket: TicketTruth,
    whole: SampleTruth,
    where: Places,
) -> Shown:
    """Return what a document shows of the truth.

    Args:
        text: The document.
        base: What Rove remembers of it.
        ticket: The truth about its ticket.
        whole: The truth about the company.
        where: Where all of that can be read.
    """
    addresses = where.statements
    pieces = cut(text)
    owned = [
        (placed.key, placed.piece) for placed in find_owners(base.blocks, pieces) if placed.key
    ]
    quotes = {
        key.partition(":")[2]: _plain(piece.words)
        for key, piece in owned
        if key.startswith("quote:")
    }
    defined = definitions(pieces)
    asking = {key: marks([piece.words]) for key, piece in owned if _asks(key)}
    on_top = _first_screen(text)
    screen = _plain(on_top)
    at_once = {key for key, piece in owned if _asks(key) and _plain(piece.words)[:200] in screen}

    def addresses_of(keys: Iterable[str]) -> set[str]:
        numbers = {number for key in keys for number in asking[key]}
        return {defined[number] for number in numbers & defined.keys()}

    asked_all, asked_first = addresses_of(asking), addresses_of(at_once)
    cited_first = {defined[number] for number in marks([on_top]) & defined.keys()}
    musts = [each.id for each in ticket.items if each.grade == "must"]
    open_places = {addresses.get(statement_name(own)) for each in ticket.open for own in each.where}
    plain_text = _plain(text)
    facts = [fact for fact in ticket.facts if _plain(fact.text) in plain_text]
    places = [{statement_name(own) for own in each.where} for each in ticket.open]
    twice = [pair.kind for pair in whole.copies if _is_twice(pair, quotes)]
    return Shown(
        facts=len(facts),
        first=sum(_plain(fact.text) in screen for fact in facts),
        stale=sum(not _is_with_end(fact.replaced_by, quotes) for fact in facts),
        asked_first=sum(
            any(addresses.get(name) in asked_first for name in names) for names in places
        ),
        must_first=sum(not cited_first.isdisjoint(where.items.get(each, ())) for each in musts),
        questions=len(asking),
        questions_right=sum(not open_places.isdisjoint(addresses_of([key])) for key in asking),
        asked=sum(any(addresses.get(name) in asked_all for name in names) for names in places),
        raised=sum(any(_quoted(name, quotes) for name in names) for names in places),
        twice=len(twice) - twice.count("reworded"),
        reworded=twice.count("reworded"),
        dangling=len(_cited(pieces) - defined.keys()),
        hostile=sum(_is_shown(each, text) for each in whole.hostile),
        tokens=tokens(text),
    )


def _first_screen(text: str) -> str:
    """Return the lines of a document that one reads before anything else."""
    shown: list[str] = []
    left = _FIRST_SCREEN
    for line in text.splitlines(keepends=True):
        left -= tokens(line)
        if left < 0:
            break
        shown.append(line)
    return "".join(shown)


def _asks(key: str) -> bool:
    asking = ("unanswered", "unresolved", "promised", "contradiction")
    return key.startswith(tuple(f"question:{kind}:" for kind in asking))


def _is_with_end(replaced_by: str, quotes: Mapping[str, str]) -> bool:
    return not replaced_by or any(_quoted(statement_name(replaced_by), quotes))


def _is_twice(pair: Pair, quotes: Mapping[str, str]) -> bool:
    sides = ((pair.a, pair.a_says), (pair.b, pair.b_says))
    return all(
        any(_plain(says) in quote for quote in _quoted(statement_name(own), quotes))
        for own, says in sides
    )


def _quoted(name: str, quotes: Mapping[str, str]) -> list[str]:
    """Return what is quoted of a statement: of a note its parts, of a long text its chapters."""
    below = (f"{name}#", f"{name}/") if name.startswith("notes:") else (f"{name}#",)
    return [quote for key, quote in quotes.items() if key == name or key.startswith(below)]


def _cited(pieces: Iterable[DocumentPiece]) -> frozenset[int]:
    texts = (str(each) for each in pieces if each.kind not in {"code", "definition"})
    return marks(_INLINE_CODE.sub("", text) for text in texts)


def _is_shown(hostile: Hostile, text: str) -> bool:
    if hostile.kind != "injection":
        return hostile.contains in text
    return any(_plain(hostile.contains) in _plain(line) for line in _own_lines(text))


def _own_lines(text: str) -> Iterator[str]:
    """Yield the lines that are nobody's quoted words."""
    for line in text.splitlines():
        if not line.startswith((">", "- **", "- “")):
            yield line


def _plain(text: str) -> str:
    """Return words alone: a document escapes what would be Markdown."""
    return " ".join(re.findall(r"\w+", text.lower()))
