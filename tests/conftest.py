"""What every test of this checkout has: a home of its own, and no clock to race against."""

import os
import tomllib
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import settings

_COMPANY = Path(__file__).parents[1] / "rove_sim" / "rove_sim" / "sample" / "company.toml"

#: How long an example takes says something about the machine, not about Rove.
settings.register_profile("rove", deadline=None)
#: A check says the same of the same code each time; people and campaigns look for more.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "rove")


@pytest.fixture(autouse=True, scope="session")
def _canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """See, when all is done, that the sample company's token was written nowhere in any form.

    It is in every login of the tests of the app, the sources and the pages. What they write
    lies below one folder; only what a test itself hands over may hold it.
    """
    yield
    forms = _forms(tomllib.loads(_COMPANY.read_text("utf-8"))["token"].encode())
    files = [path for path in tmp_path_factory.getbasetemp().rglob("*") if _is_written(path)]

    found = [str(path) for path in files if any(form in path.read_bytes() for form in forms)]
    assert found == []


def _is_written(path: Path) -> bool:
    handed_over = path.suffix == ".token" or path.name == "company.toml"
    return not handed_over and not path.is_symlink() and path.is_file()


def _forms(token: bytes) -> list[bytes]:
    """Return a token as it is, in hex, and in the base64 of any text around it."""
    whole = [b64encode(bytes(before) + token + bytes(2)) for before in range(3)]
    cores = [text[4:-6].replace(b"=", b"") for text in whole]
    return [token, token.hex().encode(), quote(token).encode(), *cores]


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
