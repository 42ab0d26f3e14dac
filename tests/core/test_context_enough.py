"""Where to stop: what is half believed makes a document worse than its absence."""

from datetime import UTC, datetime

from rove_core import ContextItem, ItemRef
from rove_core.build.gather.candidates import Candidate, RankedItem, Trace
from rove_core.build.rank.cutoff import enough


def ranked(*scores: float, linked: int = 0) -> list[RankedItem]:
    """Return items with these scores, the first of them linked."""
    return [
        RankedItem(
            candidate=Candidate(
                item=ContextItem(
                    ref=ItemRef(account="jira", kind="ticket", id=f"TB-{number}"),
                    source="jira",
                    role="ticket",
                    title="",
                    content="",
                    timestamp=datetime(2025, 1, 1, tzinfo=UTC),
                ),
                traces=(Trace("link"),) if number < linked else (),
            ),
            score=score,
            reason="",
        )
        for number, score in enumerate(scores)
    ]


def test_nothing_is_enough_of_nothing() -> None:
    """Where nothing was found, nothing is believed."""
    assert enough([]) == 0


def test_the_best_guess_is_better_than_none() -> None:
    """One thing is told even when little speaks for it."""
    assert enough(ranked(0.1, 0.05)) == 1


def test_what_is_half_believed_stays_out_beside_what_is_certain() -> None:
    """Three certain things are not watered down by many doubtful ones."""
    assert enough(ranked(0.99, 0.98, 0.97, *[0.2] * 5, linked=3)) == 3


def test_what_is_likely_is_added_to_what_is_certain() -> None:
    """What is well believed belongs to it although nobody has said so."""
    assert enough(ranked(0.99, 0.8, 0.7, 0.1, linked=1)) == 3


def test_what_is_linked_is_always_believed() -> None:
    """No link is left out, however many there are."""
    assert enough(ranked(*[0.91] * 30, 0.3, linked=30)) == 30
