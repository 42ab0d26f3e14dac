"""A decision that people state again in other words is one decision."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from rove_core.build.compose.claims import Claims
from rove_core.build.compose.outline import StandingDecision, Statement
from rove_core.build.compose.repetitions import put_together
from rove_core.items import ContextItem, ItemRef

AT = datetime(2025, 1, 6, 9, 30, tzinfo=UTC)


def _said(text: str, day: int = 0) -> Statement:
    """Return what somebody said on a day."""
    item = ContextItem(
        ref=ItemRef(account="jira", kind="comment", id=text),
        source="jira",
        role="comment",
        title="",
        content=text,
        timestamp=AT + timedelta(days=day),
    )
    return Statement(part=item, whole=item, text=text, score=0.8)


#: What else a document says: which words are rare depends on it.
OTHERS = [
    _said(text)
    for text in (
        "Families of tokens go to Postgres, partitioned by month.",
        "Who writes the guide for administrators?",
        "The load test took two hours on Friday.",
        "Lena is on leave until the end of the month.",
        "Please review the first change before noon.",
        "Handhelds lose their connection in the tunnel.",
    )
]


def _together(*decisions: Sequence[Statement]) -> list[list[str]]:
    """Return decisions, each with what it replaced, as they are listed: with the repetitions."""
    claims = Claims([*(each for statements in decisions for each in statements), *OTHERS])
    found = put_together(
        [StandingDecision(statement=now, replaced=tuple(before)) for now, *before in decisions],
        claims,
    )
    return [[each.text for each in (one.statement, *one.repeated, *one.replaced)] for one in found]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (
            "15 minutes stays the default lifetime of a session.",
            "Agreed with security: the lifetime of sessions stays 15 minutes.",
        ),
        (
            "Decision: SAML is out of scope for the pilot.",
            "We agreed that for the pilot SAML is out of scope.",
        ),
    ],
)
def test_a_decision_in_other_words_is_listed_once(first: str, again: str) -> None:
    """Both sentences are quoted, the more important one first."""
    assert _together([_said(first)], [_said(again, 2)]) == [[first, again]]


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (
            "15 minutes stays the default lifetime of a session.",
            "30 minutes stays the default lifetime of a session.",
        ),
        ("SAML is out of scope for the pilot.", "LDAP is out of scope for the pilot."),
        ("enterprise_login is off by default.", "device_login is off by default."),
        ("The audit log is on by default.", "The audit log is never on by default."),
        ("The audit log is on by default.", "The audit log is off by default."),
        ("The pilot starts with Globex.", "The pilot ends with Globex."),
        ("Mails to the owner go out after 15 minutes.", "A session of the pilot lasts 15 minutes."),
    ],
)
def test_decisions_that_only_look_alike_are_two(first: str, other: str) -> None:
    """They differ in a number, a name, a negation, the side or the subject."""
    assert _together([_said(first)], [_said(other)]) == [[first], [other]]


IN = "SAML is in scope for the pilot from now on, Globex asked for it."
REOPENED = "From now on SAML is in scope for the pilot."
BEFORE = "No, SAML is out of scope for the pilot."
OUT = "Meeting of Monday: SAML is out of scope for the pilot again."


def test_a_repetition_of_what_was_replaced_does_not_hold() -> None:
    """Two people said that it is in; the decision that it is out again has replaced both."""
    decided, reopened = [_said(OUT, 5), _said(IN, 1)], [_said(REOPENED, 1), _said(BEFORE)]

    assert _together(decided, reopened) == [[OUT, IN, REOPENED, BEFORE]]
    assert _together(reopened, decided) == [[OUT, IN, REOPENED, BEFORE]]


def test_what_only_looks_like_what_was_replaced_holds() -> None:
    """Another window has the old length, and keeps it."""
    before = _said("A grace window of 30 seconds.")
    grace = [_said("The grace window becomes 60 seconds.", 5), before]
    retry = "Keep the retry window of uploads at 30 seconds."

    assert _together(grace, [_said(retry, 1)])[1:] == [[retry]]


def test_a_decision_that_comes_back_holds() -> None:
    """Nothing that was decided later is replaced by what was decided before it."""
    found = _together([_said(OUT, 5), _said(IN, 1)], [_said(REOPENED, 9)])

    assert [each[0] for each in found] == [OUT, REOPENED]


def test_a_sentence_that_is_not_quoted_is_compared_with_nothing() -> None:
    """How rare its words are in the document is not known."""
    both = [StandingDecision(statement=_said(each)) for each in (IN, REOPENED)]

    assert put_together(both, Claims([])) == both
