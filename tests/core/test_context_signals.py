"""The place of a candidate among all that could have been found."""

import pytest
from tests.core.test_context_standings import item

from rove_core.build.gather.candidates import Candidate
from rove_core.build.rank.evidence import CandidateEvidence
from rove_core.build.rank.signals import signals_of
from rove_core.build.rank.standings import UNCOMPARED
from rove_core.build.rank.weights import DEFAULT


@pytest.mark.parametrize("signal", ["place_by_words", "place_by_time"])
def test_only_the_best_of_everything_come_before_others(signal: str) -> None:
    """A mirror brings items by their words alone; most would be no rivals if all were found."""
    texts = ["keys", "doors", "lunch"]
    found = [Candidate(item=item(text)) for text in texts]
    evidence = [
        CandidateEvidence(
            words=value, time=value, people=0, doubt=1, is_linked=False, is_by_robots=False
        )
        for value in (1.0, 2.0, 3.0)
    ]

    of_all, of_two = (
        [
            values[[*DEFAULT].index(signal)]
            for values in signals_of(found, evidence, [UNCOMPARED] * 3, best=best)
        ]
        for best in (3, 2)
    )

    assert of_all[0] > of_all[1] > of_all[2] == 0
    assert of_two[0] > of_two[1] == of_two[2] == 0
