"""Builds that are killed, or whose disk fails, at any moment: the old document or the new one."""

import errno
import os
import re
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core import DiskTrouble, Locked
from rove_core.store.task_changes import add_task, claim_task
from rove_core.store.tasks import Task, TaskState, find_task
from rove_core.tasks.leases import LEASE

if TYPE_CHECKING:
    from tests.core.team import Team

_ROOT = Path(__file__).parents[2]


def test_a_slice_of_the_campaign() -> None:
    """Killed or failing at any system call that writes, a build leaves nothing half or doubled."""
    command = [sys.executable, "-m", "benchmarks.campaign", "--only", "build"]
    done = subprocess.run(  # noqa: S603  # our own program
        [*command, "--seconds", "5", "--seed", "3"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    points = re.search(r"(\d+) points in build", done.stdout)

    assert (done.returncode, done.stderr) == (0, "")
    assert points
    assert int(points[1]) >= 1  # A slow machine gets no further in that time.


class Killed(BaseException):
    """The end of a process, as far as one process can tell."""


def stop_at(monkeypatch: pytest.MonkeyPatch, name: str, nth: int, error: BaseException) -> None:
    """Let the nth call of a function of the system be the last, or fail."""
    real, calls = getattr(os, name), count(1)

    def stop(*args: object, **kwargs: object) -> object:
        if next(calls) == nth:
            raise error
        return real(*args, **kwargs)

    monkeypatch.setattr(os, name, stop)


@pytest.mark.anyio
@pytest.mark.parametrize("nth", [1, 2, 3])
@pytest.mark.parametrize("change", ["more", "other", "less"])
async def test_killed_between_two_files(
    team: "Team", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int, change: str
) -> None:
    """On the same day, too, when only what is new tells the two states of a document apart."""
    team.chat.reply("M-1", "We must agree on a prefix of the cookie.")
    path = (await team.build(tmp_path)).document.path
    if change == "more":
        team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")
    elif change == "other":
        team.chat.edit("M-1", 1, "The redirect must keep the session cookie for 60 seconds.")
    else:
        team.code.put("P-1", "Fixes T-1.", kind="pr", title="Set the cookie first")
    with monkeypatch.context() as patched:
        stop_at(patched, "replace", nth, Killed())
        with pytest.raises(Killed):
            await team.build(tmp_path)

    await team.build(tmp_path)
    text = path.read_text("utf-8")
    team.clock.advance(86_400)
    team.chat.reply("M-1", "Decided: the cookie is signed, too.")
    await team.build(tmp_path)

    assert (change == "more") == ("> Decided: the cookie lives 600 seconds" in text)
    assert (change == "other") == ("for 60 seconds" in text)
    assert (change == "less") == ("set before the redirect" not in text)
    told = [line for line in path.read_text("utf-8").splitlines() if line.startswith("> ")]
    assert sorted(set(told)) == sorted(told)
    assert "> Decided: the cookie is signed, too." in path.read_text("utf-8")


@pytest.mark.anyio
@pytest.mark.parametrize("nth", range(1, 5))
async def test_a_full_disk(
    team: "Team", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    """The error says so, the document is whole, and with room again the next build ends well."""
    path = (await team.build(tmp_path)).document.path
    before = path.read_text("utf-8")
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")
    with monkeypatch.context() as patched:
        stop_at(patched, "fsync", nth, OSError(errno.ENOSPC, "No space left on device"))
        with pytest.raises(DiskTrouble, match="No space left on device"):
            await team.build(tmp_path)
    meanwhile = path.read_text("utf-8")
    await team.build(tmp_path)

    # What was only not made durable is there all the same.
    assert (meanwhile == before) == (nth < 4)
    assert path.read_text("utf-8").count("> Decided: the cookie lives 600 seconds") == 1


@pytest.fixture
def dead() -> int:
    """Give the id of a process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


@pytest.mark.anyio
async def test_a_killed_build_holds_nobody_up(team: "Team", tmp_path: Path, dead: int) -> None:
    """What a dead process was busy with can be done again at once; a living one is waited for."""
    here = os.uname().nodename
    for owner, is_held in ((f"{here}/{dead}", False), (f"{here}/{os.getppid()}", True)):
        async with team.opened(tmp_path) as project:
            now = team.clock.now()
            asked = Task(
                operation="build",
                arguments={},
                key="document tickets T-1",
                created_at=now,
                due_at=now,
            )
            async with project.store.transaction() as db:
                task = await add_task(db, asked)
                await claim_task(db, owner, now=now, lease=LEASE, task_id=task.id)
            if is_held:
                with pytest.raises(Locked, match=f"pid {os.getppid()}"):
                    await project.build("T-1")
            else:
                await project.build("T-1")
            ended = await project.store.read(find_task, task.id)

        assert ended
        assert ended.state is (TaskState.RUNNING if is_held else TaskState.DONE)
