"""What commands say of updates that failed or did not come to their end."""

from collections.abc import Callable

import pytest
from attrs import evolve

from rove.operations.mirror_progress import update_failure, update_note
from rove_core import RateLimited, RoveError, Unavailable
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.state import CopiedContainer, MirrorState
from rove_core.mirror.update import MirrorUpdated
from rove_core.testing import VirtualClock

TOKEN = "ghp_" + "x7Kq2ZtB9mW4" * 3  # nobody's
STATE = MirrorState(
    scope=MirrorScope(containers=("DOC",)), containers=(CopiedContainer(name="DOC", title="Docs"),)
)
#: The state of a copy that is whole.
WHOLE = evolve(STATE, containers=(evolve(STATE.containers[0], copied_at=VirtualClock().now()),))


def noted(error: RoveError) -> str:
    """Return what is said of a copy that is not whole."""
    return update_note("wiki", STATE, MirrorUpdated(failure=error), "running")


def failed(error: RoveError) -> str:
    """Return what is said of a failed update."""
    failure = update_failure("wiki", error, None)
    return f"{failure.message} {failure.hint}"


@pytest.mark.parametrize("said", [noted, failed])
def test_no_secret_is_printed(said: Callable[[RoveError], str]) -> None:
    """A vendor may repeat a token, or say something that controls a terminal."""
    error = RateLimited(f"slow down, {TOKEN}\x1b[2J", hint=f"renew {TOKEN}", account="wiki")

    assert "slow down, " in said(error)
    assert not any(each in said(error) for each in (TOKEN, "\x1b"))


def test_a_failure_names_its_account_once() -> None:
    """Whether or not its message does."""
    errors = [Unavailable(each, account="wiki") for each in ("no answer", "wiki is away")]
    messages = [update_failure("wiki", each, None).message for each in errors]

    assert messages == ["wiki: no answer", "wiki is away"]


def test_an_update_says_that_another_is_under_way() -> None:
    """It did nothing then, and the copy may be older than it seems."""
    note = update_note("wiki", WHOLE, MirrorUpdated(busy=True), "running")

    assert note == "Another process is updating wiki just now"


def test_an_update_without_trouble_says_nothing() -> None:
    """Its account's line says how old the copy is."""
    assert update_note("wiki", WHOLE, MirrorUpdated(), "running") == ""
