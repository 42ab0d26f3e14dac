"""Running Rove and the controls over outside companies."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from benchmarks.context.answers import Answer, Scored, score
from benchmarks.context.direct import choose, controls
from benchmarks.context.outside import Outside
from benchmarks.context.patching import replaced
from benchmarks.context.report import (
    ROVE,
    Results,
    show_costs,
    show_intervals,
    show_losses,
    show_means,
    show_worst,
)
from benchmarks.context.served import Server, build, serving
from rove_core.build.rank import corpus
from rove_core.build.rank.words import stems

DIRECT = "rove, given all"


def measure(folders: Sequence[Path], variants: Sequence[str], serve: str, worst: int) -> None:
    """Print how good Rove's documents are.

    Args:
        folders: The companies.
        variants: How many of their people name tickets.
        serve: The command of what serves a company; empty to give Rove everything.
        worst: How many of the worst tickets to show.
    """
    groups: dict[str, Results] = {}
    for variant in variants:
        pooled: dict[str, dict[str, Scored]] = {}
        for folder in folders:
            company = Outside.load(folder, variant)
            results = _results(company, serve)
            groups[f"{company.name} {variant}"] = results
            for system, scored in results.items():
                own = {f"{company.name} {key}": each for key, each in scored.items()}
                pooled.setdefault(system, {}).update(own)
        if len(folders) > 1:
            groups[f"all {variant}"] = pooled
    show_means(groups)
    show_intervals(groups)
    ours = {group: results[ROVE] for group, results in groups.items()}
    show_losses(ours)
    show_costs(ours)
    for group, scored in ours.items():
        if worst and (len(folders) == 1 or group.startswith("all ")):
            print(f"the worst of {group}")
            show_worst(scored, worst)


def _results(company: Outside, serve: str) -> Results:
    answers: dict[str, Mapping[str, Answer]] = {}
    if serve:
        answers[ROVE] = built(company, serve)
        answers["id, over HTTP"] = {key: each.by_id for key, each in answers[ROVE].items()}
    answers[DIRECT if serve else ROVE] = chosen(company)
    answers |= controls(company)
    return {system: scored(company, by_key) for system, by_key in answers.items()}


def scored(company: Outside, answers: Mapping[str, Answer]) -> Mapping[str, Scored]:
    """Return how good answers are."""
    return {key: score(answer, company.truths[key]) for key, answer in answers.items()}


def chosen(company: Outside) -> Mapping[str, Answer]:
    """Return what Rove says of each ticket of a company, given everything."""

    async def all_() -> Mapping[str, Answer]:
        return {key: await choose(company, key) for key in company.truths}

    return asyncio.run(all_())


def built(company: Outside, serve: str) -> Mapping[str, Answer]:
    """Return what Rove's documents of each ticket of a company are made of."""

    async def all_(server: Server) -> Mapping[str, Answer]:
        return {key: await build(server, company, key) for key in company.truths}

    with serving(serve, company) as server:
        return asyncio.run(all_(server))


@contextmanager
def remembered_words() -> Iterator[None]:
    """Take the words of each text only once: the same texts are ranked for every ticket."""
    every = lru_cache(maxsize=None)
    of_texts, of_items = every(stems.__wrapped__), every(corpus.single_words.__wrapped__)
    with replaced(corpus, "stems", of_texts), replaced(corpus, "single_words", of_items):
        yield
