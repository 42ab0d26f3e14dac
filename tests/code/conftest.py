"""What the tests of code retrieval share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.code.developer import Developer

from rove_code.engines import close_engines


@pytest.fixture(autouse=True)
def _own_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep git away from the settings of whoever runs the tests, and from where they run."""
    for name in os.environ:
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture(autouse=True)
def _own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Keep away from the settings of whoever runs the tests, and leave no engine open."""
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    yield
    close_engines()


@pytest.fixture
def write_settings(tmp_path: Path) -> Callable[[str], None]:
    """Return what writes the user's own settings."""

    def write(text: str) -> None:
        (tmp_path / "config").mkdir(exist_ok=True)
        (tmp_path / "config" / "settings.toml").write_text(text, "utf-8")

    return write


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def ann(tmp_path: Path) -> Developer:
    """Let somebody begin to work in an empty repository."""
    developer = Developer(tmp_path / "shop")
    developer.folder.mkdir()
    developer.git("init", "--quiet", "--initial-branch=main")
    return developer
