"""What a judge is worth that errs as often as a script says: how good must a model be to pay?"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from benchmarks.context.answers import Answer, Scored, Seen, score
from benchmarks.context.known import KnownCompany, KnownTicket
from benchmarks.context.outside import truths_of
from benchmarks.context.report import ROVE, Results, show_intervals, show_means
from benchmarks.context.scoring import Truth
from rove_core.build.gather.candidates import Candidate, RankedItem, Trace
from rove_core.build.model.combine import join_grades
from rove_core.build.model.model_engine import MOST_JUDGED
from rove_core.build.model.questions import BEST_GRADE
from rove_core.build.rank.cutoff import enough
from rove_core.build.rank.weights import RankWeights
from rove_core.items import ContextItem, ItemRef

#: How often a judge errs.
_RATES: Final = (0.0, 0.1, 0.2, 0.3)
#: What neither belongs to a ticket nor does not.
_UNCLEAR: Final = 1
_NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)


def measure(folders: Sequence[Path], variants: Sequence[str], kept: Path) -> None:
    """Print what Rove reaches alone, and with judges that err more and more often.

    A judge is asked about as many candidates as a model is, and its answers are joined as those of
    a model are.

    Args:
        folders: The companies.
        variants: How many of their people name tickets.
        kept: The folder where what is known of the companies is kept.
    """
    groups: dict[str, dict[str, dict[str, Scored]]] = {}
    for variant in variants:
        pooled = groups.setdefault(f"all {variant}", {})
        for folder in folders:
            truths = truths_of(folder)
            for key, ticket in KnownCompany(folder, variant, kept).tickets():
                for system, answer in _answers(key, ticket, truths[key]):
                    own = pooled.setdefault(system, {})
                    own[f"{folder.name} {key}"] = score(answer, truths[key])
    shown: Mapping[str, Results] = groups
    show_means(shown)
    show_intervals(shown)


def _answers(key: str, ticket: KnownTicket, truth: Truth) -> Iterator[tuple[str, Answer]]:
    own = _ranked(ticket)
    yield ROVE, _answer(own, ticket)
    judged = [each for each in own if not each.candidate.is_linked][:MOST_JUDGED]
    for rate in _RATES:
        grades = [
            (at, _grade(key, _unit(each, ticket), truth, rate)) for at, each in enumerate(judged)
        ]
        yield f"{rate:.0%} errors", _answer(join_grades(own, judged, grades), ticket)


def _grade(key: str, unit: str, truth: Truth, rate: float) -> int:
    """Return what a judge says; which answers are wrong is drawn by lot, always the same."""
    if unit in truth.neutral:
        return _UNCLEAR
    lot = int.from_bytes(sha256(f"{key}\n{unit}".encode()).digest()[:4]) / 2**32
    return BEST_GRADE if (unit in truth.right) != (lot < rate) else 0


def _ranked(ticket: KnownTicket) -> Sequence[RankedItem]:
    """Return what may be believed, best first, as things of which only the place is known."""
    places = {each.place for each in ticket.signals.best}
    return [
        RankedItem(
            candidate=_candidate(place, linked=place in ticket.linked), score=score, reason=""
        )
        for place, score in ticket.signals.ranked(RankWeights())
        if place in places
    ]


def _candidate(place: int, *, linked: bool) -> Candidate:
    item = ContextItem(
        ref=ItemRef(account="", kind="", id=str(place)),
        source="",
        role="page",
        title="",
        content="",
        timestamp=_NO_TIME,
    )
    return Candidate(item=item, traces=(Trace("link"),) if linked else ())


def _answer(ranked: Sequence[RankedItem], ticket: KnownTicket) -> Answer:
    count = enough(ranked)
    return Answer(
        seen=[
            Seen(
                units=[_unit(each, ticket)],
                kept=at < count,
                score=each.score,
                linked=each.candidate.is_linked,
            )
            for at, each in enumerate(ranked)
        ]
    )


def _unit(each: RankedItem, ticket: KnownTicket) -> str:
    return ticket.units[int(each.candidate.item.ref.id)]
