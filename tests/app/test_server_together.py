"""Several agents at work in one project: in worktrees of their own, or where they may only read."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.server.start import start, stop
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.project.layout import ProjectPaths

if TYPE_CHECKING:
    from tests.app.conftest import Daemon, Spawn

_PLUGIN = Path(__file__).parent / "plugins" / "wicked.py"
_NAMES = ("first", "second", "third")


@pytest.fixture
def worktrees(daemon: "Daemon", install_plugin: Callable[..., None]) -> list[Path]:
    """Make a repository with two more worktrees, in which one account is used."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git here")
    install_plugin("wicked", text=_PLUGIN.read_text("utf-8"))
    book = AccountStore(Path(os.environ["ROVE_DATA_DIR"]))
    book.add(AccountRecord(name="wicked:tame", kind="wicked"))
    root = daemon.places.root
    by = ["-c", "user.name=Robin", "-c", "user.email=robin@northwind.example"]
    for arguments in (
        ["init", "-q"],
        [*by, "commit", "-q", "--allow-empty", "-m", "First"],
        *(["worktree", "add", "-q", f"../{name}"] for name in _NAMES[1:]),
    ):
        subprocess.run([git, *arguments], cwd=root, check=True)  # noqa: S603  # as people do
    return [root, *(root.parent / name for name in _NAMES[1:])]


def test_worktrees_build_and_read(
    daemon: "Daemon", worktrees: list[Path], spawn: "Spawn", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three agents build at the same moment, by one server, and each finds what all have built."""
    monkeypatch.delenv("ROVE_DAEMON")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("ROVE_SOURCES_USE", "wicked:tame")
    tickets = [f"TAME-{number}" for number in range(1, 4)]

    def everywhere(word: str, order: list[str]) -> list[str]:
        runs = [
            spawn(word, ticket, line=f'cd {place} && exec "$@"')
            for place, ticket in zip(worktrees, order, strict=True)
        ]
        said = [run.communicate() for run in runs]
        assert [run.returncode for run in runs] == [0, 0, 0], said
        return [out for out, _ in said]

    built = everywhere("build", tickets)
    found = everywhere("--find", [*tickets[1:], tickets[0]])

    assert found == [*built[1:], built[0]]
    assert daemon.log.count(" listens at ") == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
@pytest.mark.parametrize("is_served", [True, False])
def test_where_one_may_only_read(project: Path, spawn: "Spawn", *, is_served: bool) -> None:
    """Documents are found, searched and told of, whether a server runs elsewhere or not."""
    places = ProjectPaths.at(project)
    spawn("reindex").communicate()  # The demonstration is a project of nobody's until then.
    start(places)
    if not is_served:
        stop(places)
    mounted = f'mount --bind -o ro {project} {project} && cd {project} && exec "$@"'
    line = f"exec unshare -m sh -c '{mounted}' sh \"$@\""
    outcomes = []
    for arguments in (["--find", "TB-123"], ["--search", "TB-123"], ["--status"]):
        run = spawn(*arguments, line=line)
        out, err = run.communicate()
        if "unshare" in err or "mount:" in err:
            pytest.skip(f"nothing can be mounted here: {err}")
        outcomes.append((run.returncode, "TB-123" in out or "1 document" in out, err))
    stop(places)

    assert outcomes == [(0, True, "")] * 3
