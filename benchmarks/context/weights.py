"""Weights that a company had no part in, and weights learned from its other tickets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
from attrs import define, field

from benchmarks.context.answers import Answer, Scored, Seen
from benchmarks.context.companies import scored
from benchmarks.context.outside import Outside
from benchmarks.context.report import Results, show_intervals, show_means
from rove_core.build.rank.cutoff import enough
from rove_core.build.rank.lessons import Lesson, learn
from rove_core.build.rank.regression import Example, fit
from rove_core.build.rank.score import judged, rank
from rove_core.build.rank.weights import DEFAULT, RankWeights

#: As a company sees itself: what names its other tickets is not hidden.
_AS_IT_IS: Final = "easy"
#: Of a ticket's candidates so many are looked at, as a build finds no more.
_FOUND: Final = 400
_STRENGTH: Final = 10.0
#: What a thing is counts only where a project taught it.
_OF_ROLES: Final = frozenset({"ticket", "time_of_ticket", "change", "commit", "talk"})
_LOOKED_AT: Final = 60
_ONE_OF: Final = 8
SHIPPED: Final = "rove"


def measure(folders: Sequence[Path], variants: Sequence[str], counts: Sequence[int]) -> None:
    """Print what the order and the belief are worth by several weights, given everything.

    Args:
        folders: The companies.
        variants: How many of their people name tickets.
        counts: From how many other tickets of a company to learn.
    """
    groups: dict[str, dict[str, dict[str, Scored]]] = {}
    examples = {folder: _Examples(folder, variants) for folder in folders}
    for folder in folders:
        general = RankWeights()
        if others := [each for other, each in examples.items() if other != folder]:
            general = fit(_without_roles(others), _NOTHING, strength=_STRENGTH)
        ways = {SHIPPED: RankWeights(), "others' weights": general}
        lessons = list(_lessons(Outside.load(folder, _AS_IT_IS), max(counts, default=0)))
        for count in counts:
            learned = learn(lessons[:count], general)
            ways[f"learned from {count}"] = learned.weights if learned else general
        for variant in variants:
            company = Outside.load(folder, variant)
            for way, weights in ways.items():
                told = scored(company, _answers(company, weights))
                for group in (f"{company.name} {variant}", f"all {variant}"):
                    own = {f"{company.name} {key}": each for key, each in told.items()}
                    groups.setdefault(group, {}).setdefault(way, {}).update(own)
    shown: Mapping[str, Results] = groups
    show_means(shown)
    show_intervals(shown)


_NOTHING: Final = RankWeights((0.0,) * len(DEFAULT))


@define
class _Examples:
    """What the truth about a company's tickets teaches; made when it is asked for."""

    folder: Path
    variants: Sequence[str]
    _made: list[Example] = field(factory=list)

    def __iter__(self) -> Iterator[Example]:
        if not self._made:
            for variant in self.variants:
                company = Outside.load(self.folder, variant)
                for key in company.tickets:
                    self._made += _told(company, key)
        return iter(self._made)


def _told(company: Outside, key: str) -> Iterator[Example]:
    """Yield of what is not linked whether it belongs to a ticket: all of the best, some others."""
    name, truth = company.tickets[key], company.truths[key]
    seen = judged(company.items[name], company.candidates(name))
    open_ones = [each for each in seen if not each[0].is_linked]
    for place, (candidate, signals) in enumerate(open_ones):
        unit = company.units[candidate.item.ref.id]
        if unit in truth.neutral:
            continue
        belongs = unit in truth.right
        if belongs or place < _LOOKED_AT:
            yield Example(signals, belongs)
        elif place % _ONE_OF == 0:
            yield Example(signals, belongs, count=_ONE_OF)


def _without_roles(companies: Iterable[Iterable[Example]]) -> list[Example]:
    kept = [name not in _OF_ROLES for name in DEFAULT]
    return [
        attrs.evolve(each, signals=[s * k for s, k in zip(each.signals, kept, strict=True)])
        for examples in companies
        for each in examples
    ]


def _lessons(company: Outside, count: int) -> Iterator[Lesson]:
    """Yield tickets of which nobody knows the truth, with what a build would find for them."""
    sample = {*company.tickets.values()}
    names = sorted(
        name for name, item in company.items.items() if item.role == "ticket" and name not in sample
    )
    for name in names[:: max(1, len(names) // (2 * count or 1))]:
        if count and company.linked(name):
            count -= 1
            ticket, candidates = company.items[name], company.candidates(name)
            found = rank(ticket, candidates)[:_FOUND]
            yield Lesson(ticket=ticket, candidates=tuple(each.candidate for each in found))


def _answers(company: Outside, weights: RankWeights) -> Mapping[str, Answer]:
    return {key: _answer(company, key, weights) for key in company.truths}


def _answer(company: Outside, key: str, weights: RankWeights) -> Answer:
    name = company.tickets[key]
    ranked = rank(company.items[name], company.candidates(name), weights)
    believed = enough(ranked)
    return Answer(
        seen=[
            Seen(
                units=[company.units[each.candidate.item.ref.id]],
                kept=at < believed,
                score=each.score,
                linked=each.candidate.is_linked,
            )
            for at, each in enumerate(ranked)
        ]
    )
