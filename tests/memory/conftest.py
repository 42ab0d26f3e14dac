"""Projects with a memory, in folders of their own."""

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import pytest

from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.store import ProjectStore

Checkout: TypeAlias = Callable[..., Path]
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock that stands still on a Monday morning."""
    return VirtualClock(START)


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what belongs to the user in a folder of the test."""
    folder = tmp_path / "data"
    monkeypatch.setenv("ROVE_DATA_DIR", str(folder))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Make a repository with these remotes: ``checkout("api", origin="git@host:a/b")``."""

    def make(name: str, **remotes: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", folder], check=True)  # noqa: S603, S607  # a repository of the test
        for remote, url in remotes.items():
            subprocess.run(  # noqa: S603  # as above
                ["git", "-C", folder, "remote", "add", remote, url],  # noqa: S607  # as above
                check=True,
            )
        return folder

    return make


@pytest.fixture
def store(tmp_path: Path, clock: VirtualClock) -> ProjectStore:
    """Give the store of a folder without a repository."""
    folder = tmp_path / "project"
    (folder / ".rove").mkdir(parents=True)
    return ProjectStore.of(LocalProject.at(folder, clock))


@pytest.fixture
def rove(tmp_path: Path, clock: VirtualClock) -> LocalProject:
    """Give a project in a folder without a repository."""
    (tmp_path / "project" / ".rove").mkdir(parents=True, exist_ok=True)
    return LocalProject.at(tmp_path / "project", clock)
