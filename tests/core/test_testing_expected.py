"""What is given of an expected item is compared, and what is not given is asked for."""

from datetime import UTC, datetime

import pytest

from rove_core import ContextItem, Facts, ItemRef
from rove_core.testing import ExpectedItem
from rove_core.testing.expected_item import differences, unexpected_values

AT = datetime(2025, 1, 7, tzinfo=UTC)


def _part(number: str, *, facts: Facts, thread: tuple[ContextItem, ...] = ()) -> ContextItem:
    return ContextItem(
        ref=ItemRef(account="notes", kind="note", id=number),
        source="notes",
        role="comment",
        title="",
        content="",
        timestamp=AT,
        facts=facts,
        thread=thread,
    )


@pytest.mark.parametrize("facts", [Facts(resolved=False), Facts(offset=0), Facts(estimate=0.0)])
def test_a_fact_that_is_no_or_zero_is_compared(facts: Facts) -> None:
    """An unresolved comment, the start of a recording and an estimate of nothing are facts."""
    wanted = ExpectedItem(facts=facts)

    assert [*differences(wanted, _part("1", facts=facts))] == []
    assert len([*differences(wanted, _part("1", facts=Facts()))]) == 1


def test_a_reply_to_a_reply_is_asked_for() -> None:
    """What a nested reply has and the expected one does not say is missing, at any depth."""
    below = _part("3", facts=Facts(resolved=False))
    item = _part("1", facts=Facts(), thread=(_part("2", facts=Facts(), thread=(below,)),))
    reply = ExpectedItem(timestamp=AT, thread=(ExpectedItem(timestamp=AT),))
    wanted = ExpectedItem(role="comment", timestamp=AT, thread=(reply,))
    without = ExpectedItem(role="comment", timestamp=AT, thread=(ExpectedItem(timestamp=AT),))

    assert [*unexpected_values(wanted, item)] == ["facts.resolved of thread[0] of thread[0]"]
    assert [*unexpected_values(without, item)] == ["thread of thread[0]"]
