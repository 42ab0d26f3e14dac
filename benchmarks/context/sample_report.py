"""What the documents of the sample company show of its truth, as tables."""

import asyncio
from collections.abc import Mapping

from benchmarks.context.answers import Scored
from benchmarks.context.documents import Shown
from benchmarks.context.sample_truth import SampleTruth, TicketTruth
from benchmarks.context.scoring import count, estimate
from benchmarks.context.tables import Cell, show
from rove_core.build.extractive import Extractive


def show_tickets(
    truth: SampleTruth, shown: Mapping[str, Shown], ours: Mapping[str, Scored]
) -> None:
    """Print a line for each ticket."""
    columns = ["ticket", "right", "P", "R", "R must", "F1", "nDCG", "facts", "open asked", "raised"]
    more = ["stale", "twice", "reworded", "dangling", "hostile", "tokens", "requests", "seconds"]
    show(
        [*columns, *more],
        (_row(key, truth, shown[key], scored) for key, scored in ours.items()),
    )


def _row(key: str, truth: SampleTruth, shown: Shown, scored: Scored) -> list[Cell]:
    ticket, counted = truth.tickets[key], scored.counted
    return [
        key.rpartition("/")[2],
        len(ticket.items),
        counted.precision,
        counted.recall,
        _must(ticket, scored),
        counted.f1,
        scored.ndcg,
        f"{shown.facts}/{len(ticket.facts)}",
        f"{shown.asked}/{len(ticket.open)}",
        f"{shown.raised}/{len(ticket.open)}",
        shown.stale,
        shown.twice,
        shown.reworded,
        shown.dangling,
        shown.hostile,
        shown.tokens,
        sum(scored.answer.requests.values()),
        scored.answer.seconds,
    ]


def _must(ticket: TicketTruth, scored: Scored) -> float:
    return count(scored.answer.kept, ticket.must()).recall


def show_total(truth: SampleTruth, shown: Mapping[str, Shown], ours: Mapping[str, Scored]) -> None:
    """Print how much of what the documents of all tickets should show they show."""
    tickets = truth.tickets
    means: Mapping[str, list[float]] = {
        "precision": [each.counted.precision for each in ours.values()],
        "recall": [each.counted.recall for each in ours.values()],
        "recall of musts": [_must(tickets[key], each) for key, each in ours.items()],
        "F1": [each.counted.f1 for each in ours.values()],
        "nDCG": [each.ndcg for each in ours.values()],
    }
    show(["mean", "[95 %]"], [(name, str(estimate(each))) for name, each in means.items()])
    pages = shown.values()
    facts = sum(len(each.facts) for each in tickets.values())
    questions = sum(len(each.open) for each in tickets.values())
    musts = sum(each.grade == "must" for one in tickets.values() for each in one.items)
    sums: Mapping[str, str | int] = {
        "facts quoted": f"{sum(each.facts for each in pages)}/{facts}",
        "facts in the first 1,000 tokens": f"{sum(each.first for each in pages)}/{facts}",
        "musts cited in the first 1,000 tokens": (
            f"{sum(each.must_first for each in pages)}/{musts}"
        ),
        "questions that are open by the truth, of those asked": (
            f"{sum(each.questions_right for each in pages)}/{sum(each.questions for each in pages)}"
        ),
        "open questions in the first 1,000 tokens": (
            f"{sum(each.asked_first for each in pages)}/{questions}"
        ),
        "open questions asked": f"{sum(each.asked for each in pages)}/{questions}",
        "open questions at least quoted": f"{sum(each.raised for each in pages)}/{questions}",
        "replaced facts without their end": sum(each.stale for each in pages),
        "copies shown twice": sum(each.twice for each in pages),
        "the same, in other words": sum(each.reworded for each in pages),
        "dangling citations": sum(each.dangling for each in pages),
        "hostile things shown": sum(each.hostile for each in pages),
    }
    show(["all documents", ""], [(name, value) for name, value in sums.items()])


def show_pairs(truth: SampleTruth) -> None:
    """Print which pairs of statements are taken for the same; only copies should be."""
    pairs = [(f"copies: {each.kind}", each.a_says, each.b_says) for each in truth.copies]
    pairs += [
        (f"look-alikes: {each.reason}", each.a_says, each.b_says) for each in truth.lookalikes
    ]
    pairs += [("reversals", each.earlier_says, each.later_says) for each in truth.reversals]
    counts: dict[str, list[bool]] = {}
    for kind, one, other in pairs:
        counts.setdefault(kind, []).append(asyncio.run(_is_same(one, other)))
    rows = [(kind, len(same), f"{sum(same) / len(same):.1%}") for kind, same in counts.items()]
    show(["pairs", "n", "merged"], rows)


async def _is_same(one: str, other: str) -> bool:
    return (await Extractive().same([one, other]))[1] is not None
