"""Rove at a terminal of 40 columns."""

import asyncio
import io
import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

import pytest
from tests.app.narrow_commands import AS_IT_IS, COMMANDS

from rove.__main__ import main
from rove.app_commands import APP
from rove.manifest import plugin_commands
from rove.operations import OWN
from rove_core.terminal.screen import PREFERENCES, Preferences, columns_of
from rove_sim import World, running, sample_company
from rove_sim.limits import Limiter

if TYPE_CHECKING:
    from tests.app.conftest import Terminal

_COLUMNS = 40
_ESCAPES = re.compile(r"\x1b\]8;;[^\x1b]*\x1b\\|\x1b\[[0-9;?]*[A-Za-z]")
_SHOP = '''class Basket:
    """A basket of wares that a customer collects before paying for them at the desk."""

    def total(self):
        return sum(self.prices)


def pay(basket):
    return Basket.total(basket)


class LargerBasket(Basket):
    def total(self):
        return 2 * super().total()
'''


@pytest.fixture(scope="module")
def vendors() -> Iterator[World]:
    """Run the sample company's simulators, once for all tests of this module."""
    started: Queue[World] = Queue()
    stop = threading.Event()

    async def serve() -> None:
        async with running(sample_company()) as world:
            started.put(world)
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    yield started.get(timeout=180)
    stop.set()
    thread.join()


@pytest.fixture(scope="module")
def office(vendors: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a home with four accounts and a project with two documents, once."""
    home = tmp_path_factory.mktemp("office")
    project = home / "project"
    project.mkdir()
    (project / "shop.py").write_text(_SHOP)
    (project / "briefs").mkdir()
    (project / "briefs" / "brief_of_the_migration_to_signed_tokens.md").write_text("# Tokens\n")
    _git(project, "init", "--quiet")
    _git(project, "add", "shop.py")
    _git(project, "commit", "--quiet", "--message", "Begin the shop")
    for kind, url in vendors.urls.items():
        login = ("--email", vendors.answers["email"]) if kind == "jira" else ()
        _rove(home, "sources", "add", kind, "--base-url", url, *login, typed=vendors.company.token)
    # What a user's own file says needs no trust in the folders that it is copied to.
    (home / "config").mkdir()
    (project / ".rove" / "settings.toml").rename(home / "config" / "settings.toml")
    _rove(home, "build", "TB-123", "TB-124")
    return home


@pytest.fixture
def narrow(
    office: Path,
    vendors: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    terminal: "Terminal",
) -> Callable[[str], str]:
    """Return what runs a command in a copy of the office, and returns what a terminal shows."""
    home = tmp_path / "home"
    shutil.copytree(office, home)
    for vendor in vendors.vendors.values():
        vendor.limiter = Limiter(vendor.clock)
    for name, value in _environment(home).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("rove.isolation._is_requested", False)
    monkeypatch.chdir(home / "project")

    def shown(command: str) -> str:
        terminal.seen = ""
        for name in Preferences.__annotations__:
            monkeypatch.setattr(PREFERENCES, name, getattr(Preferences, name))
        ended = threading.Event()
        reader = threading.Thread(target=_read, args=(terminal, ended))
        reader.start()
        with (
            monkeypatch.context() as streams,
            os.fdopen(os.dup(terminal.end), "w", encoding="utf-8") as screen,
        ):
            streams.setattr("sys.argv", ["rove", *shlex.split(command)])
            streams.setattr("sys.stdin", io.StringIO())
            streams.setattr("sys.stdout", screen)
            streams.setattr("sys.stderr", screen)
            main()
        ended.set()
        reader.join()
        return terminal.look()

    return shown


@pytest.mark.parametrize("subject", COMMANDS)
def test_no_line_is_wider_than_40_columns(subject: str, narrow: Callable[[str], str]) -> None:
    """Results, errors, hints and progress fit, but for paths and addresses."""
    wide = {command: _wide(narrow(command)) for command in COMMANDS[subject]}

    assert {command: lines for command, lines in wide.items() if lines} == {}


def test_every_command_is_tried() -> None:
    """Who adds a command adds it to the list, too."""
    tried = [command for commands in COMMANDS.values() for command in commands]
    left = {
        command
        for command in {*plugin_commands(), *OWN, *APP} - AS_IT_IS
        if not any(f"{each} ".startswith(f"{command} ") for each in tried)
    }

    assert left == set()


def _wide(shown: str) -> list[str]:
    """Return the lines that are wider than the terminal though they consist of several words."""
    lines = _ESCAPES.sub("", shown).splitlines()
    return [
        line for line in lines if columns_of(line) > _COLUMNS and len(line.strip("- ").split()) > 1
    ]


def _read(terminal: "Terminal", ended: threading.Event) -> None:
    """Read what is written, so that there is always room for more."""
    while not ended.is_set():
        terminal.look()
        select.select((), (), (), 0.01)


def _environment(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "ROVE_DATA_DIR": str(home / "data"),
        "ROVE_CONFIG_DIR": str(home / "config"),
        "ROVE_DAEMON": "0",
        "ROVE_ISOLATION": "0",
        "COLUMNS": str(_COLUMNS),
        "TERM": "xterm",
        "BROWSER": "true",
    }


def _rove(home: Path, *words: str, typed: str = "") -> None:
    subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-m", "rove", *words, *(["--token-stdin"] if typed else [])],
        cwd=home / "project",
        env={**os.environ, **_environment(home)},
        input=typed,
        text=True,
        capture_output=True,
        check=True,
    )


def _git(folder: Path, *words: str) -> None:
    person = ("-c", "user.name=Robin", "-c", "user.email=robin@northwind.example")
    subprocess.run(["git", "-C", str(folder), *person, *words], check=True)  # noqa: S603, S607  # fixed words
