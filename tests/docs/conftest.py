"""The pages of docs/, the examples they show, and a place to run these in."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from docs_src.generate import shipped
from rove_sim import World, running, sample_company

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
#: The folders of examples with something to run, step by step.
RUN = sorted({step.parent for step in (ROOT / "docs_src").glob("*/[0-9][0-9]_*")})

#: What the pages call the places where the sandbox has others.
_HOME = "/home/you"
_VENDORS = {
    "https://northwind.atlassian.net": "jira",
    "https://partner.atlassian.net": "jira",
}
_DAY = r"\b20\d\d-\d\d-\d\d"
_END = "-- end of a step --"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a page, or for a folder of steps, once for each."""
    if "page" in metafunc.fixturenames:
        names = [str(page.relative_to(ROOT / "docs")) for page in PAGES]
        metafunc.parametrize("page", PAGES, ids=names)
    if "steps" in metafunc.fixturenames:
        metafunc.parametrize("steps", RUN, ids=[folder.name for folder in RUN])


@pytest.fixture
def root() -> Path:
    """Return the folder of the checkout."""
    return ROOT


@pytest.fixture
def pages() -> list[Path]:
    """Return every page."""
    return PAGES


@pytest.fixture
def reference() -> Callable[[str], str]:
    """Return the text of a page of the reference."""
    return lambda name: (ROOT / "docs" / "reference" / name).read_text("utf-8")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no plugin count that is not of this checkout, and no file of the user's."""
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", ",".join(shipped()))
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    """Run the sample company's vendors in a thread of their own."""
    loop, stack = asyncio.new_event_loop(), AsyncExitStack()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    open_world = stack.enter_async_context(running(sample_company()))
    yield asyncio.run_coroutine_threadsafe(open_world, loop).result()
    asyncio.run_coroutine_threadsafe(stack.aclose(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


class Sandbox:
    """A home, a project and the vendors on this machine: where a page's steps are run."""

    def __init__(self, home: Path, world: World) -> None:
        self.home = home
        self.project = home / "project"
        self._world = world
        self._site = home / "site"
        self.project.mkdir(parents=True)
        for kind in world.urls:
            (self.project / f"{kind}.token").write_text(world.company.token)

    def run(self, script: str) -> str:
        """Run a shell script in the project and return what it prints."""
        done = subprocess.run(  # noqa: S603  # our own words
            ["/bin/bash", "-e", "-o", "pipefail", "-c", self._here(script)],
            cwd=self.project,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return self._as_shown(done.stdout)

    def run_steps(self, folder: Path) -> dict[str, str]:
        """Run the steps of a page in one shell, and return what each prints, by its file's name."""
        shutil.copytree(folder, self.project, dirs_exist_ok=True)
        files = sorted(folder.glob("[0-9][0-9]_*.[ps][yh]"))
        script = f"echo '{_END}'\n".join(map(_step, files)) + f"echo '{_END}'\n"
        printed = self.run(script).split(f"{_END}\n")
        return {file.name: text for file, text in zip(files, printed, strict=False)}

    def connect(self) -> None:
        """Add an account of each vendor, logged in, for every project of this home."""
        adding = [
            f"rove --add-source {kind} --base-url {url} --email robin@northwind.example"
            f" --token-stdin < {kind}.token"
            for kind, url in self._world.urls.items()
        ]
        self.run("\n".join(adding))
        config = self.home / ".config" / "rove"
        config.mkdir(parents=True)
        (self.project / ".rove" / "settings.toml").rename(config / "settings.toml")
        shutil.rmtree(self.project / ".rove")

    def _environment(self) -> dict[str, str]:
        """Return what a new user's shell has, and what keeps pip off the network."""
        path = [Path(sys.executable).parent, self._site / "bin", "/usr/local/bin", "/usr/bin", "/bin"]
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(map(str, path)),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_TARGET": str(self._site),
            "PYTHONPATH": str(self._site),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def _here(self, script: str) -> str:
        """Let the vendors be those of the sandbox."""
        for url, kind in _VENDORS.items():
            script = script.replace(url, self._world.urls[kind])
        for kind in ("slack", "github", "linear"):
            own = f"--add-source {kind} --base-url {self._world.urls[kind]}"
            script = re.sub(rf"--add-source {kind}(?! --base-url)", own, script)
        return script

    def _as_shown(self, text: str) -> str:
        """Let paths, addresses and days be those of the pages."""
        for url, kind in _VENDORS.items():
            text = text.replace(self._world.urls[kind], url)
        text = text.replace(str(self.home), _HOME)
        text = re.sub(rf"{_DAY}T[\d:.]+(?:Z|\+00:00)", "2026-01-01T12:00:00Z", text)
        return re.sub(_DAY, "2026-01-01", text)


def _step(file: Path) -> str:
    return file.read_text("utf-8") if file.suffix == ".sh" else f"python {file.name}\n"


@pytest.fixture
def sandbox(tmp_path: Path, world: World) -> Sandbox:
    """Return a home in which Rove was never used."""
    return Sandbox(tmp_path / "home", world)
