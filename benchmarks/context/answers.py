"""What a system answers for a ticket, and how good that is."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from attrs import define, evolve, field, frozen

from benchmarks.context.scoring import Counted, Truth, count, ndcg


@frozen(kw_only=True)
class Seen:
    """One thing that a system has looked at.

    Attributes:
        units: What it counts as, with what it says too.
        kept: Whether it is in the document.
        score: How much the system believes in it.
        why: Why it is in or not, without anybody's words.
        linked: Whether it names the ticket, or the ticket names it.
    """

    units: Sequence[str]
    kept: bool = True
    score: float = 1.0
    why: str = ""
    linked: bool = False


@define(slots=False, frozen=True, kw_only=True)
class Answer:
    """What a system gave for a ticket.

    Attributes:
        seen: All it has looked at, best first.
        tokens: How much it writes.
        seconds: How long it took.
        requests: How often it asked each kind of source.
        failures: What went wrong at a source.
    """

    seen: Sequence[Seen]
    tokens: int = 0
    seconds: float = 0.0
    requests: Mapping[str, int] = field(factory=dict)
    failures: Mapping[str, str] = field(factory=dict)

    @property
    def by_id(self) -> "Answer":
        """What a search for the id alone would have given."""
        return Answer(seen=[evolve(each, kept=True) for each in self.seen if each.linked])

    @cached_property
    def ranking(self) -> Sequence[str]:
        """All that it has looked at, as units, best first."""
        return list(dict.fromkeys(unit for each in self.seen for unit in each.units))

    @cached_property
    def kept(self) -> Sequence[str]:
        """What it keeps, as units, best first."""
        entries = (each for each in self.seen if each.kept)
        return list(dict.fromkeys(unit for each in entries for unit in each.units))


@frozen(kw_only=True)
class Scored:
    """How good an answer is.

    Attributes:
        answer: The answer.
        truth: What belongs to the ticket.
        counted: What it keeps.
        ndcg: The ranking of all that it has looked at.
        ndcg_kept: The ranking of what it keeps.
    """

    answer: Answer
    truth: Truth
    counted: Counted
    ndcg: float
    ndcg_kept: float


def score(answer: Answer, truth: Truth) -> Scored:
    """Return how good an answer is."""
    return Scored(
        answer=answer,
        truth=truth,
        counted=count(answer.kept, truth),
        ndcg=ndcg(answer.ranking, truth),
        ndcg_kept=ndcg(answer.kept, truth),
    )
