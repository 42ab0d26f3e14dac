"""What commands say of updates that failed or did not come to their end."""

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from tests.core.mirrored import Wiki
from tests.core.test_mirror_builds import chosen, copied, in_project

from rove.operations.mirror_progress import copying_server, update_failure, update_note
from rove_core import Project, RateLimited, RoveError, Unavailable
from rove_core.mirror.copied_containers import CopiedContainer
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.state import MirrorState
from rove_core.mirror.update import MirrorUpdated
from rove_core.store.files import FileLock
from rove_core.store.tasks import due_tasks
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


def test_a_server_with_another_environment_does_not_go_on() -> None:
    """It has other logins; the note names the command that goes on, and the one that restarts."""
    note = update_note("wiki", STATE, MirrorUpdated(), "other")

    assert "The running server has another environment" in note
    assert "rove mirror update --account wiki; or" in note
    assert "rove server stop && rove server start" in note


@pytest.mark.parametrize(("is_whole", "planned"), [(False, ["mirror_update"]), (True, [])])
def test_a_server_goes_on_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_whole: bool, planned: list[str]
) -> None:
    """With a copy that is not whole, instead of in its next round, which is minutes away."""
    monkeypatch.delenv("ROVE_DAEMON", raising=False)

    async def work(project: Project) -> list[str]:
        await (copied(project) if is_whole else chosen(project, "DOC"))
        with FileLock(project.places.rove / "daemon.lock"):
            assert await copying_server(project, ["wiki"], starts=False) == "running"
        due = await project.store.read(due_tasks, now=project.clock.now())
        return [each.operation for each in due]

    assert in_project(tmp_path, Wiki(), work) == planned
