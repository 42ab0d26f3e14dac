"""How the time to rank, choose and write grows with what was found."""

import asyncio
from collections.abc import Iterator
from time import process_time  # noqa: TID251  # processor time is what a benchmark measures
from typing import Final

from benchmarks.costs.cold import forget
from benchmarks.costs.company import START, TICKET, WORDS, moment, text, title
from benchmarks.costs.line import Line
from rove_core.build.compose.composer import Brief, compose
from rove_core.build.compose.outline import Outline
from rove_core.build.extractive import Extractive
from rove_core.build.gather.candidates import Candidate, Trace
from rove_core.build.write.refresh import WriteOptions, refresh
from rove_core.build.write.token_budget import TokenCosts
from rove_core.items import ContextItem, ItemRef

SIZES: Final = (100, 1_000, 10_000)
#: How many times longer ten times as much may take.
MOST: Final = 12.0
_BUDGET: Final = 8_000
_RUNS: Final = 2


def lines() -> Iterator[Line]:
    """Compose and render, for ten times as much each time."""
    costs = [min(_cost(count) for _ in range(_RUNS)) for count in SIZES]
    for count, seconds in zip(SIZES, costs, strict=True):
        yield Line(f"seconds to rank, choose and write {count:,}", seconds)
    yield Line("  ten times as much takes so many times longer", costs[-1] / costs[-2], MOST)


def _cost(count: int) -> float:
    ticket = _item(1)
    brief = Brief(
        ticket=ticket,
        candidates=tuple(_candidate(number) for number in range(2, count + 2)),
        budget=_BUDGET,
    )
    forget()
    before = process_time()
    asyncio.run(_written(brief, TokenCosts(outline=Outline(ticket=ticket))))
    return process_time() - before


async def _written(brief: Brief, costs: TokenCosts) -> None:
    composed = await compose(brief, Extractive(), costs)
    refresh(composed.outline, None, None, WriteOptions(now=START))


def _candidate(number: int) -> Candidate:
    """Return something that was found by a word, or, one in ten, because it names the ticket."""
    named = Trace("link", TICKET)
    found = named if number % 10 == 0 else Trace("words", WORDS[number % len(WORDS)])
    return Candidate(item=_item(number), traces=(found,))


def _item(number: int) -> ContextItem:
    return ContextItem(
        ref=ItemRef(account="jira", kind="ticket", id=f"BM-{number}"),
        source="jira",
        role="ticket",
        title=title(number),
        content=text(number),
        timestamp=moment(number),
        author="Ann",
    )
