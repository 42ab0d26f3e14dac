"""What came out, as tables: means with their intervals, differences, and where it went wrong."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias

from benchmarks.context.answers import Scored
from benchmarks.context.scoring import AT, estimate, paired
from benchmarks.context.tables import Cell, show

#: How each system did for each ticket.
Results: TypeAlias = Mapping[str, Mapping[str, Scored]]
Measure: TypeAlias = Callable[[Scored], float]

ROVE: Final = "rove"
MEASURES: Final[Mapping[str, Measure]] = {
    "P": lambda each: each.counted.precision,
    "R": lambda each: each.counted.recall,
    "F1": lambda each: each.counted.f1,
    f"nDCG@{AT}": lambda each: each.ndcg,
    "of kept": lambda each: each.ndcg_kept,
}
JUDGED: Final = ("F1", f"nDCG@{AT}")
_WHERE: Final = (
    "missed: not found",
    "missed: not believed",
    "missed: no room",
    "false: linked",
    "false: likely",
)


def show_means(groups: Mapping[str, Results]) -> None:
    """Print the means of each system in each group, and what its answers take."""
    rows: list[list[Cell]] = []
    for group, results in groups.items():
        for system, scored in results.items():
            all_ = [*scored.values()]
            means = [fmean(map(measure, all_)) for measure in MEASURES.values()]
            count = fmean(len(each.answer.kept) for each in all_)
            tokens = fmean(each.answer.tokens for each in all_)
            rows.append([f"{group} {system}", len(all_), *means, f"{count:.1f}", round(tokens)])
    show(["", "n", *MEASURES, "kept", "tokens"], rows)


def show_costs(groups: Mapping[str, Mapping[str, Scored]]) -> None:
    """Print how often Rove asked, and how long that took."""
    rows: list[list[Cell]] = []
    everything = [each.answer for scored in groups.values() for each in scored.values()]
    kinds = [*dict.fromkeys(kind for answer in everything for kind in answer.requests)]
    for group, scored in groups.items():
        answers = [each.answer for each in scored.values()]
        requests = [sum(each.requests.values()) for each in answers]
        seconds = [each.seconds for each in answers]
        by_kind = [fmean(each.requests.get(kind, 0) for each in answers) for kind in kinds]
        figures = [fmean(requests), max(requests), *by_kind, fmean(seconds), max(seconds)]
        failed = sum(bool(each.failures) for each in answers)
        rows.append([group, *(f"{each:.1f}" for each in figures), failed])
    show(["", "requests", "most", *kinds, "seconds", "most", "failed"], rows)
    failures = {
        f"{account}: {why}"
        for scored in groups.values()
        for each in scored.values()
        for account, why in each.answer.failures.items()
    }
    print("\n".join([*sorted(failures), ""]))


def show_intervals(groups: Mapping[str, Results], system: str = ROVE) -> None:
    """Print what a system reaches, and by how much it is better than each other one."""
    rows: list[list[Cell]] = []
    for group, results in groups.items():
        ours = results[system]
        for name in JUDGED:
            mine = {ticket: MEASURES[name](each) for ticket, each in ours.items()}
            cells: list[Cell] = [str(estimate([*mine.values()]))]
            for other in _others(groups, system):
                theirs = results.get(other, {})
                against = {ticket: MEASURES[name](each) for ticket, each in theirs.items()}
                cells.append(str(paired(mine, against)) if theirs else "")
            rows.append([f"{group} {name}", *cells])
    show(["", system, *(f"minus {other}" for other in _others(groups, system))], rows)


def show_losses(groups: Mapping[str, Mapping[str, Scored]]) -> None:
    """Print why what is missed is missed, and how what is false came in."""
    rows: list[list[Cell]] = []
    for group, scored in groups.items():
        where = [place for each in scored.values() for place in _losses(each)]
        right = sum(len(each.truth.right) for each in scored.values())
        rows.append([group, right, *(where.count(place) for place in _WHERE)])
    show(["", "right", *_WHERE], rows)


def show_worst(scored: Mapping[str, Scored], count: int) -> None:
    """Print the tickets with the worst answers, and why they are that."""
    worst = sorted(scored, key=lambda ticket: scored[ticket].counted.f1)[:count]
    for ticket in worst:
        each = scored[ticket]
        counted = f"F1 {each.counted.f1:.2f}, P {each.counted.precision:.2f}"
        print(f"{ticket}: {counted}, R {each.counted.recall:.2f}, nDCG {each.ndcg:.2f}")
        for line in (*_missed(each), *_false(each)):
            print(f"  {line}")
    print()


def _others(groups: Mapping[str, Results], system: str) -> Sequence[str]:
    return [*dict.fromkeys(s for results in groups.values() for s in results if s != system)]


def _losses(each: Scored) -> Iterator[str]:
    answer = each.answer
    seen = {unit: one for one in reversed(answer.seen) for unit in one.units}
    for unit in each.truth.right:
        if unit not in seen:
            yield "missed: not found"
        elif unit not in answer.kept:
            unbelieved = seen[unit].why.startswith("too little")
            yield "missed: not believed" if unbelieved else "missed: no room"
    for unit in answer.kept:
        if unit not in each.truth.right and unit not in each.truth.neutral:
            yield f"false: {'linked' if seen[unit].linked else 'likely'}"


def _missed(each: Scored) -> Iterator[str]:
    places = {unit: at for at, unit in enumerate(each.answer.ranking, 1)}
    seen = {unit: one for one in reversed(each.answer.seen) for unit in one.units}
    for unit in sorted(each.truth.right):
        if unit not in places:
            yield f"missed {unit}: not found"
        elif unit not in each.answer.kept:
            one = seen[unit]
            yield f"missed {unit}: place {places[unit]}, score {one.score:.2f}, {one.why}"


def _false(each: Scored) -> Iterator[str]:
    for one in each.answer.seen:
        wrong = [u for u in one.units if u not in each.truth.right and u not in each.truth.neutral]
        if one.kept and wrong:
            yield f"false  {wrong[0]}: score {one.score:.2f}, {one.why}"
