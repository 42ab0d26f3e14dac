"""Weights that a company had no part in, and weights learned from its other tickets."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import attrs
from attrs import define, field

from benchmarks.context.answers import Answer, Scored, Seen, score
from benchmarks.context.direct import controls
from benchmarks.context.known import KnownCompany, KnownTicket
from benchmarks.context.outside import Outside, truths_of
from benchmarks.context.report import ROVE, Results, show_intervals, show_means
from benchmarks.context.scoring import Truth
from benchmarks.context.tables import show
from rove_core.build.rank.cutoff import believed
from rove_core.build.rank.lessons import MOST, examples_of, learn_from
from rove_core.build.rank.regression import INTERCEPT, Example, fit
from rove_core.build.rank.weights import DEFAULT, RankWeights

#: How firmly the weights are held near zero: of 3 to 1,000 (``--strength``) that with the best sum
#: of F1 and nDCG of each company by the weights of the others.
STRENGTH: Final = 100.0
#: What is hardly held: how much there is to find, by how much is linked, and the ticket's people.
#: Holding these as firmly loses what an implementer of the sample company must know.
_FREE: Final = INTERCEPT | {"linked", "some_linked", "people"}
#: How many wrong things an example of what belongs to a ticket counts as much as: who misses
#: something goes wrong, who reads too much only loses time.
_MISSED: Final = 1.4
#: Each company counts as if it had so many examples of what belongs to a ticket.
_BELONGING: Final = 240.0
#: What a thing is counts only where a project taught it.
_OF_ROLES: Final = frozenset({"ticket", "time_of_ticket", "change", "commit", "talk"})
#: How an item compares with the project's other tickets.
_OF_STANDINGS: Final = frozenset({"lead_of_kind", "behind_others"})
_NOTHING: Final = RankWeights((0.0,) * len(DEFAULT))
_OTHERS: Final = "others' weights"
_UNCOMPARED: Final = "without other tickets"


def measure(
    folders: Sequence[Path],
    variants: Sequence[str],
    kept: Path,
    counts: Sequence[int] = (),
    strengths: Sequence[float] = (),
) -> None:
    """Print what the order and the belief are worth by several weights, given everything.

    Each line is printed as soon as it is known.

    Args:
        folders: The companies.
        variants: How many of their people name tickets.
        kept: The folder where what is known of the companies is kept.
        counts: From how many other tickets of a company to learn.
        strengths: How firmly to hold the weights near zero; the best is used for what follows.
    """
    groups = _Groups()
    companies = {
        folder: [KnownCompany(folder, each, kept) for each in variants] for folder in folders
    }
    for company in (each for own in companies.values() for each in own):
        groups.add(company, ROVE, answers(company, RankWeights()))
        for name, replies in controls(Outside.load(company.folder, company.variant)).items():
            groups.add(company, name, replies)
    general = dict.fromkeys(folders, RankWeights())
    examples = {folder: _Examples(own) for folder, own in companies.items()}
    strength = _best(strengths, companies, examples) if strengths else STRENGTH
    for folder in folders if len(folders) > 1 else ():
        others = [each for other, each in examples.items() if other != folder]
        general[folder] = _general(others, strength)
        uncompared = _general(others, strength, without=_OF_STANDINGS)
        for company in companies[folder]:
            groups.add(company, _OTHERS, answers(company, general[folder]))
            groups.add(company, _UNCOMPARED, answers(company, uncompared))
    fitted = _general(examples.values(), strength).values
    rows = [
        (name, f"{value:.3g}", f"{DEFAULT[name].value:.3g}")
        for name, value in zip(DEFAULT, fitted, strict=True)
    ]
    show(["", "fitted on all", "shipped"], rows)
    differing = [name for name, value, shipped in rows if value != shipped]
    print(f"shipped otherwise: {', '.join(differing)}" if differing else "shipped as fitted")
    for count in counts:
        for folder in folders:
            weights = _learned(KnownCompany.as_it_is(folder, kept), count, general[folder])
            for company in companies[folder]:
                groups.add(company, f"learned from {count}", answers(company, weights))
    groups.show()


def answers(company: KnownCompany, weights: RankWeights) -> Mapping[str, Answer]:
    """Return what Rove says of each ticket by some weights, given everything."""
    return {key: _answer(ticket, weights) for key, ticket in company.tickets()}


def _answer(ticket: KnownTicket, weights: RankWeights) -> Answer:
    ranked = ticket.signals.ranked(weights)
    count = believed([score for _, score in ranked])
    return Answer(
        seen=[
            Seen(
                units=[ticket.units[place]],
                kept=at < count,
                score=score,
                linked=place in ticket.linked,
            )
            for at, (place, score) in enumerate(ranked)
        ]
    )


def _learned(company: KnownCompany, count: int, general: RankWeights) -> RankWeights:
    """Return what some tickets teach, or the general weights where these are as good."""
    name = company.folder.name
    lessons = list(company.lessons(min(count, MOST)))
    learned = learn_from(lessons, general)
    if learned is None:
        print(f"{name}, {len(lessons)} tickets: too few to learn from", flush=True)
        return general
    gain = f"{learned.gain.mean:+.3f} [{learned.gain.low:+.3f}, {learned.gain.high:+.3f}]"
    verdict = "learned weights" if learned.tickets else "kept the general ones"
    print(f"{name}, {len(lessons)} tickets: {gain} on those left out, {verdict}", flush=True)
    return learned.weights


@define
class _Groups:
    """What was measured, by company and variant, and over all companies of a variant."""

    _results: dict[str, dict[str, dict[str, Scored]]] = field(factory=dict)

    def add(self, company: KnownCompany, way: str, told: Mapping[str, Answer]) -> None:
        """Add how good answers are, and print that."""
        truths = truths_of(company.folder)
        name = company.folder.name
        scored = {f"{name} {key}": _short(answer, truths[key]) for key, answer in told.items()}
        for group in (f"{name} {company.variant}", f"all {company.variant}"):
            self._results.setdefault(group, {}).setdefault(way, {}).update(scored)
        show_means({f"{name} {company.variant}": {way: scored}})

    def show(self) -> None:
        """Print everything once more, with its intervals."""
        shown: Mapping[str, Results] = self._results
        show_means(shown)
        is_fitted = all(_OTHERS in results for results in shown.values())
        show_intervals(shown, _OTHERS if is_fitted else ROVE)


def _short(answer: Answer, truth: Truth) -> Scored:
    """Return how good an answer is, without all that it does not keep."""
    found = score(answer, truth)
    return attrs.evolve(found, answer=Answer(seen=[each for each in answer.seen if each.kept]))


@define
class _Examples:
    """What the truth about a company's tickets teaches; made when it is asked for."""

    variants: Sequence[KnownCompany]
    _made: list[Example] = field(factory=list)

    def __iter__(self) -> Iterator[Example]:
        if not self._made:
            for company in self.variants:
                truths = truths_of(company.folder)
                for key, ticket in company.tickets():
                    self._made += _told(ticket, truths[key])
        return iter(self._made)


def _told(ticket: KnownTicket, truth: Truth) -> Iterator[Example]:
    """Yield of what is not linked whether it belongs to a ticket."""
    places = {each.place for each in ticket.signals.best}
    return examples_of(
        ticket.signals,
        belonging={at for at in places if ticket.units[at] in truth.right},
        sure=ticket.linked,
        unclear={at for at in places if ticket.units[at] in truth.neutral},
    )


def _best(
    strengths: Sequence[float],
    companies: Mapping[Path, Sequence[KnownCompany]],
    examples: Mapping[Path, Iterable[Example]],
) -> float:
    """Return the strength by which the weights of the others are best for each company."""
    sums: dict[float, float] = {}
    for strength in strengths:
        measured: dict[str, list[float]] = {}
        for folder, own in companies.items():
            weights = _general((e for f, e in examples.items() if f != folder), strength)
            for company in own:
                truths = truths_of(folder)
                for key, answer in answers(company, weights).items():
                    found = score(answer, truths[key])
                    measured.setdefault(f"{company.variant} F1", []).append(found.counted.f1)
                    measured.setdefault(f"{company.variant} nDCG", []).append(found.ndcg)
        means = {name: fmean(each) for name, each in measured.items()}
        sums[strength] = sum(means.values())
        told = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items())
        print(f"strength {strength:g}: {told}, sum {sums[strength]:.3f}", flush=True)
    return max(sums, key=sums.__getitem__)


def _general(
    companies: Iterable[Iterable[Example]], strength: float, *, without: Collection[str] = ()
) -> RankWeights:
    """Return weights for projects that are not among these."""
    unused = _OF_ROLES.union(without)
    flags = [name not in unused for name in DEFAULT]
    found: list[Example] = []
    for examples in map(list, companies):
        share = _BELONGING / sum(each.belongs for each in examples)
        found += (
            Example(
                [signal * keeps for signal, keeps in zip(each.signals, flags, strict=True)],
                each.belongs,
                count=each.count * share * (_MISSED if each.belongs else 1),
            )
            for each in examples
        )
    return fit(found, _NOTHING, strength=strength, free=_FREE)
