"""Rove's documents about the sample company, by the real plugins from simulated vendors."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from time import perf_counter  # noqa: TID251  # how long it takes is what is measured
from typing import Final

from attrs import frozen

from benchmarks.context.answers import Answer, Scored, Seen, score
from benchmarks.context.controls import Controls
from benchmarks.context.direct import BUDGET, outcomes_of
from benchmarks.context.documents import Places, Shown, shown
from benchmarks.context.projects import Place, connected
from benchmarks.context.report import (
    ROVE,
    show_costs,
    show_intervals,
    show_losses,
    show_means,
    show_worst,
)
from benchmarks.context.sample_report import show_pairs, show_tickets, show_total
from benchmarks.context.sample_truth import SampleTruth, load, truth_id
from rove_core.build.compose.composer import ItemOutcome
from rove_core.build.gather.candidates import Candidate, key_of
from rove_core.build.write.base import DocumentBase, load_base
from rove_core.items import ContextItem, ItemRef
from rove_core.store.document_bases import base_path
from rove_core.store.document_items import ItemUse, read_uses
from rove_core.store.items import read_items
from rove_sim import World, running, sample_company

_NAME: Final = "sample"
_ACCOUNT: Final = "jira"


@frozen(kw_only=True)
class Measured:
    """A document of the sample company.

    Attributes:
        answer: What it is made of.
        shown: What it shows.
        ticket: The ticket.
        candidates: What was found for it.
    """

    answer: Answer
    shown: Shown
    ticket: ContextItem
    candidates: tuple[Candidate, ...]


def measure(worst: int) -> None:
    """Print how good the documents of all its tickets are."""
    truth = load()
    documents = build_all(truth)
    ours = scores(truth, {key: each.answer for key, each in documents.items()})
    results = {key: each.shown for key, each in documents.items()}
    show_tickets(truth, results, ours)
    show_total(truth, results, ours)
    groups = {_NAME: {ROVE: ours, **_controls(truth, documents)}}
    show_means(groups)
    show_intervals(groups)
    show_losses({_NAME: ours})
    show_costs({_NAME: ours})
    show_pairs(truth)
    if worst:
        show_worst(ours, worst)


def build_all(truth: SampleTruth) -> Mapping[str, Measured]:
    """Build the document of each ticket whose truth is known, each in a folder of its own."""
    return asyncio.run(_build_all(truth))


def chosen(documents: Mapping[str, Measured]) -> Mapping[str, Answer]:
    """Return what Rove now chooses of what was found for each of these documents."""

    async def all_() -> Mapping[str, Answer]:
        outcomes = {key: await outcomes_of(each.ticket, each.candidates) for key, each in entries}
        return {
            key: Answer(seen=[Seen(units=[key]), *map(_told, group)])
            for key, group in outcomes.items()
        }

    entries = documents.items()
    return asyncio.run(all_())


def scores(truth: SampleTruth, answers: Mapping[str, Answer]) -> Mapping[str, Scored]:
    """Return how good answers are."""
    return {key: score(answer, truth.tickets[key].truth(key)) for key, answer in answers.items()}


async def _build_all(truth: SampleTruth) -> Mapping[str, Measured]:
    async with running(sample_company()) as world:
        return {key: await _build(world, key, truth) for key in truth.tickets}


async def _build(world: World, key: str, truth: SampleTruth) -> Measured:
    name = key.removeprefix(f"{_ACCOUNT}/")
    async with connected(places(world), world.answers) as project:
        before, began = _requests(world), perf_counter()
        built = await project.build(name)
        seconds = perf_counter() - began
        requests = _requests(world) - before
        uses = await project.store.read(read_uses, _ACCOUNT, name)
        (ticket,) = await project.store.read(
            read_items, [ItemRef(account=_ACCOUNT, kind="ticket", id=name)]
        )
        path = built.document.path
        base = load_base(base_path(project.places, _ACCOUNT, path.name)) or DocumentBase()
        items = (ticket, *(use.candidate.item for use in uses))
        addresses = {
            ":".join(key_of(part.ref)): part.url for item in items for part in (item, *item.thread)
        }
        by_item = {
            truth_id(item.account, item.ref.id): {part.url for part in (item, *item.thread)}
            for item in items
        }
        text = path.read_text("utf-8")
        result = shown(text, base, truth.tickets[key], truth, Places(addresses, by_item))
    answer = Answer(
        # The ticket itself is in its document, and where it says all the truth names it too.
        seen=[Seen(units=[key]), *map(_seen, uses)],
        tokens=result.tokens,
        seconds=seconds,
        requests=requests,
        failures=built.failures,
    )
    candidates = tuple(use.candidate for use in uses)
    return Measured(answer=answer, shown=result, ticket=ticket, candidates=candidates)


def places(world: World) -> Iterator[Place]:
    """Yield where the accounts of the sample company are, and its folder of notes."""
    for kind, url in world.urls.items():
        yield Place(kind, url, world.settings.get(kind, {}))
    notes = files("rove_sim").joinpath("sample", "notes")
    yield Place("notes", settings={"folder": str(notes)})


def _requests(world: World) -> Counter[str]:
    return Counter({name: len(vendor.exchanges) for name, vendor in world.vendors.items()})


def _seen(use: ItemUse) -> Seen:
    refs = (use.candidate.item.ref, *use.merged)
    return Seen(
        units=[truth_id(ref.account, ref.id) for ref in refs],
        kept=use.kept,
        score=use.score,
        why=use.reason.partition(":")[0],
        linked=use.candidate.is_linked,
    )


def _told(outcome: ItemOutcome) -> Seen:
    refs = (outcome.ranked.candidate.item.ref, *outcome.merged)
    return Seen(units=[truth_id(ref.account, ref.id) for ref in refs], kept=outcome.is_quoted)


def _controls(
    truth: SampleTruth, documents: Mapping[str, Measured]
) -> Mapping[str, Mapping[str, Scored]]:
    """Return how good the controls are with what Rove has found."""
    found: dict[str, dict[str, Answer]] = {}
    for key, document in documents.items():
        by_id = {truth_id(*each.key): each for each in document.candidates}
        simple = Controls({name: each.item for name, each in by_id.items()})
        linked = {name for name, each in by_id.items() if each.is_linked}
        for system, ask in simple.systems.items():
            names = ask(document.ticket, linked, BUDGET)
            answer = Answer(seen=[Seen(units=[each]) for each in (key, *names)])
            found.setdefault(system, {})[key] = answer
    return {system: scores(truth, answers) for system, answers in found.items()}
