"""What every test of this checkout has: a home of its own, and no clock to race against."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

#: How long an example takes says something about the machine, not about Rove.
settings.register_profile("rove", deadline=None)
#: A check says the same of the same code each time; people and campaigns look for more.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "rove")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test away from the accounts, logins and settings of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in os.environ:
        if name.startswith(("ROVE_", "XDG_", "GH_", "GITHUB_", "SLACK_", "LINEAR_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ROVE_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(home / "config"))


@pytest.fixture(scope="session")
def specifications() -> Path:
    """Return the folder of the vendors' specifications, or skip with the reason."""
    folder = os.environ.get("ROVE_SPECS", "")
    if not Path(folder).is_dir() or not folder:
        pytest.skip("ROVE_SPECS names no folder of the vendors' specifications")
    return Path(folder)
