"""How long documents are beside what they quote, and whether they quote what names the ticket."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from benchmarks.context.controls import text_of
from benchmarks.context.direct import BUDGET
from benchmarks.context.outside import Outside
from benchmarks.context.tables import show
from rove_core.build.compose.composer import Brief, Composition, compose
from rove_core.build.compose.outline import Outline
from rove_core.build.extractive import Extractive
from rove_core.build.gather.candidates import Candidate
from rove_core.build.write.refresh import WriteOptions, refresh
from rove_core.build.write.token_budget import TokenCosts
from rove_core.build.write.token_count import tokens
from rove_core.items import ContextItem

#: What is shorter may well be quoted whole.
_SHORT: Final = 1_000
_TERMS: Final = WriteOptions(now=datetime(2026, 1, 1, tzinfo=UTC), max_tokens=BUDGET)
#: A document with more than this share of its budget had no room for everything.
_FULL: Final = 0.9


@frozen(kw_only=True)
class DocumentLength:
    """One document, in numbers.

    Attributes:
        tokens: How long it is.
        raw: How long the items are that it quotes, in full, the ticket included.
        naming: How many messages of talk name the ticket, among the items that it quotes; those
            in the same words count once.
        quoted: How many of these it quotes.
    """

    tokens: int
    raw: int
    naming: int
    quoted: int

    @property
    def ratio(self) -> float:
        """The document's length as a share of that of its sources."""
        return self.tokens / self.raw

    @property
    def has_room(self) -> bool:
        """Whether the budget did not decide what is in it."""
        return self.tokens < _FULL * BUDGET


def measure(folders: Sequence[Path], variants: Sequence[str], tickets: int) -> None:
    """Print it for companies, given all that each has.

    Args:
        folders: The companies.
        variants: How many of their people name tickets.
        tickets: How many tickets of each, evenly spread; 0 for all.
    """
    columns = ["", "documents", "tokens", "raw above 1,000", "tokens / raw", "at most half"]
    show(
        [*columns, "naming", "quoted", "naming, with room", "quoted"],
        _rows(folders, variants, tickets),
    )


def _rows(
    folders: Sequence[Path], variants: Sequence[str], tickets: int
) -> Iterator[list[str | int | float]]:
    for variant in variants:
        pooled: list[DocumentLength] = []
        for folder in folders:
            company = Outside.load(folder, variant)
            keys = list(company.truths)
            chosen = keys[:: max(1, len(keys) // tickets)][:tickets] if tickets else keys
            lengths = [asyncio.run(_length(company, key)) for key in chosen]
            pooled += lengths
            yield _row(f"{company.name} {variant}", lengths)
        yield _row(f"all {variant}", pooled)


def _row(name: str, lengths: Sequence[DocumentLength]) -> list[str | int | float]:
    long = [each for each in lengths if each.raw > _SHORT]
    roomy = [each for each in lengths if each.has_room]
    count = len(long) or 1
    return [
        name,
        len(lengths),
        sum(each.tokens for each in lengths) // max(1, len(lengths)),
        len(long),
        sum(each.ratio for each in long) / count,
        sum(each.ratio <= 0.5 for each in long) / count,
        sum(each.naming for each in lengths),
        sum(each.quoted for each in lengths),
        sum(each.naming for each in roomy),
        sum(each.quoted for each in roomy),
    ]


async def _length(company: Outside, key: str) -> DocumentLength:
    name = company.tickets[key]
    # As its tracker calls it: people write the key.
    ticket = evolve(company.items[name], ref=evolve(company.items[name].ref, id=key))
    composed = await _composed(ticket, company.candidates(name))
    written = refresh(composed.outline, None, None, _TERMS)
    items = [each.ranked.candidate.item for each in composed.outcomes if each.is_quoted]
    naming = [part for item in items for part in _naming(item, key)]
    quoted = {
        _plain(part.content)
        for part in naming
        if f"quote:{part.account}:{part.ref.id}" in written.base.blocks
    }
    return DocumentLength(
        tokens=written.tokens,
        raw=sum(tokens(text_of(each)) for each in (ticket, *items)),
        naming=len({_plain(part.content) for part in naming}),
        quoted=len(quoted),
    )


async def _composed(ticket: ContextItem, candidates: tuple[Candidate, ...]) -> Composition:
    brief = Brief(ticket=ticket, candidates=candidates, budget=BUDGET)
    return await compose(brief, Extractive(), TokenCosts(outline=Outline(ticket=ticket)))


def _naming(item: ContextItem, key: str) -> Iterator[ContextItem]:
    """Yield the messages of a talk that name a ticket: ``TB-1``, ``#12``, ``/pull/12``."""
    number = key.rpartition("#")[2] if "#" in key else ""
    named = rf"(?:#|/pull/|/issues/){number}" if number else re.escape(key)
    pattern = re.compile(rf"(?<![\w-]){named}(?!\w)" if not number else rf"{named}(?!\d)")
    if item.role == "talk":
        for part in (evolve(item, thread=()), *item.thread):
            if pattern.search(part.content):
                yield part


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
