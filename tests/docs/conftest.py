"""The pages of docs/, and a place to run what they show."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from docs_src.generate import DOCS, shipped
from docs_src.outputs import STEPS
from docs_src.sandbox import Sandbox, vendors

from rove_sim import World

PAGES = sorted(DOCS.rglob("*.md"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a page, or for a folder of steps, once for each."""
    if "page" in metafunc.fixturenames:
        metafunc.parametrize("page", PAGES, ids=[str(page.relative_to(DOCS)) for page in PAGES])
    if "steps" in metafunc.fixturenames:
        metafunc.parametrize("steps", STEPS, ids=[folder.name for folder in STEPS])


@pytest.fixture
def pages() -> list[Path]:
    """Return every page."""
    return PAGES


@pytest.fixture
def reference() -> Callable[[str], str]:
    """Return what reads a page of the reference."""
    return lambda name: (DOCS / "reference" / name).read_text("utf-8")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no plugin count that is not of this checkout, and no file of the user's."""
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", ",".join(shipped()))
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    """Run the sample company's vendors, once for all."""
    with vendors() as opened:
        yield opened


@pytest.fixture(scope="session")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the first example that needs accounts leaves its home, for the others."""
    return tmp_path_factory.mktemp("homes") / "connected"


@pytest.fixture
def sandbox(tmp_path: Path, world: World) -> Sandbox:
    """Return a home in which Rove was never used."""
    return Sandbox(tmp_path / "home", world)
