"""Rove's choice among all that an outside company has: nothing is gathered, nothing written."""

from collections.abc import Mapping, Sequence
from time import perf_counter  # noqa: TID251  # how long it takes is what is measured
from typing import Final

from benchmarks.context.answers import Answer, Seen
from benchmarks.context.controls import Control, Controls
from benchmarks.context.outside import Outside
from rove_core.build.compose.composer import Brief, ItemOutcome, compose
from rove_core.build.compose.outline import Outline
from rove_core.build.extractive import Extractive
from rove_core.build.gather.candidates import Candidate
from rove_core.build.write.token_budget import TokenCosts
from rove_core.items import ContextItem

#: How many tokens a document takes unless settings say otherwise, and a control as well.
BUDGET: Final = 8_000


async def choose(company: Outside, key: str) -> Answer:
    """Return what Rove says of a ticket, given everything."""
    began = perf_counter()
    name = company.tickets[key]
    outcomes = await outcomes_of(company.items[name], company.candidates(name))
    return Answer(
        seen=[_seen(company, outcome) for outcome in outcomes],
        tokens=sum(outcome.tokens for outcome in outcomes),
        seconds=perf_counter() - began,
    )


async def outcomes_of(
    ticket: ContextItem, candidates: tuple[Candidate, ...]
) -> Sequence[ItemOutcome]:
    """Return what becomes of each thing that was found for a ticket, the best first."""
    brief = Brief(ticket=ticket, candidates=candidates, budget=BUDGET)
    return (await compose(brief, Extractive(), TokenCosts(outline=Outline(ticket=ticket)))).outcomes


def controls(company: Outside) -> Mapping[str, Mapping[str, Answer]]:
    """Return what each control says of each ticket of a company."""
    simple = Controls(company.items, company.units.__getitem__)

    def answer(ask: Control, name: str) -> Answer:
        names = ask(company.items[name], company.linked(name), BUDGET)
        return Answer(seen=[Seen(units=[company.units[each]]) for each in names])

    return {
        system: {key: answer(ask, name) for key, name in company.tickets.items()}
        for system, ask in simple.systems.items()
    }


def _seen(company: Outside, outcome: ItemOutcome) -> Seen:
    refs = (outcome.ranked.candidate.item.ref, *outcome.merged)
    return Seen(
        units=[company.units[ref.id] for ref in refs],
        kept=outcome.is_quoted,
        score=outcome.ranked.score,
        why=outcome.reason.partition(":")[0],
        linked=outcome.ranked.candidate.is_linked,
    )
