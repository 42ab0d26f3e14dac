"""Hits that were checked before: the same hit is taken as it is, anything else is checked anew."""

from datetime import UTC, datetime

from attrs import evolve

from rove_core import ContextItem, ItemRef, Secret
from rove_core.plugins.checked_hits import CheckedHits

_GIVEN = ContextItem(
    ref=ItemRef(account="jira", kind="ticket", id="TB-1"),
    source="jira",
    role="ticket",
    title="Login",
    content="The pilot\u200b starts on Monday.",
    timestamp=datetime(2026, 1, 1, tzinfo=UTC),
)
_HARMLESS = evolve(_GIVEN, content="The pilot starts on Monday.")


def checked() -> CheckedHits:
    """Return hits of which one was checked."""
    hits = CheckedHits()
    hits.keep(_GIVEN, _HARMLESS)
    return hits


def test_the_same_hit_is_checked_once() -> None:
    """An equal item of a later search has the harmless form of the first one."""
    known = checked().get("jira", "rove_search", evolve(_GIVEN))

    assert known is _HARMLESS


def test_a_hit_with_other_words_is_checked_again() -> None:
    """What changed since may contain anything."""
    assert checked().get("jira", "rove_search", evolve(_GIVEN, content="hunter2")) is None


def test_a_hit_of_another_account_is_checked_again() -> None:
    """A source that returns the item of somebody else's account is still blamed for it."""
    assert checked().get("jira:work", "rove_search", _GIVEN) is None


def test_a_hit_is_checked_again_for_a_later_login() -> None:
    """A token that this process learned meanwhile may stand in a text that was checked before."""
    hits = checked()
    token = Secret("starts on Monday")

    assert hits.get("jira", "rove_search", _GIVEN) is None

    del token


def test_what_cannot_be_compared_is_left_to_the_validation() -> None:
    """A reference without a hash is no error here: the validation names it."""
    given = evolve(_GIVEN)
    object.__setattr__(given, "ref", [])

    assert checked().get("jira", "rove_search", given) is None


def test_the_oldest_hits_are_forgotten() -> None:
    """Memory stays bounded, however many hits a process sees."""
    hits = checked()
    for number in range(2_000):
        other = evolve(_GIVEN, ref=evolve(_GIVEN.ref, id=f"TB-{number + 2}"))
        hits.keep(other, other)

    assert hits.get("jira", "rove_search", _GIVEN) is None
