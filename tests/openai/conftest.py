"""A project that nothing is known of."""

from pathlib import Path

import pytest

from rove_core.project.layout import ProjectPaths


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def places(tmp_path: Path) -> ProjectPaths:
    """Give a project and a user's folders that are not there yet."""
    return ProjectPaths(
        root=tmp_path / "ours", data_dir=tmp_path / "data", config_dir=tmp_path / "config"
    )
