"""Operations that the server runs by itself, in its worker processes."""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Daemon, Rove

_PLUGIN = '''
from pathlib import Path
from rove_core import Operation, Project, hookimpl

async def tick(rove: Project) -> int:
    """Leave a mark."""
    with (rove.places.root / "ticks").open("a") as file:
        file.write("tick\\n")
    return 1

@hookimpl
def rove_operations():
    return [Operation(tick, every="2s", changes=True)]
'''


def test_an_operation_runs_by_itself(
    daemon: "Daemon",
    rove: "Rove",
    install_plugin: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    eventually: Callable[..., None],
) -> None:
    """A server that nobody asks anything runs it every two seconds, and status says so."""
    install_plugin("ticker", text=_PLUGIN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    daemon.start()
    ticks = daemon.places.root / "ticks"
    eventually(lambda: ticks.exists() and len(ticks.read_text("utf-8").split()) >= 3, 60)

    recurring = json.loads(rove("status", "--json").out)["recurring"]
    (shown,) = (each for each in recurring if each["operation"] == "tick")
    assert (shown["operation"], shown["every"], shown["state"]) == ("tick", "2s", "done")
    assert re.search(r"^rove tick +every 2s +next ", rove("status").out, re.MULTILINE)
    assert Path(daemon.places.schedule_file).is_file()


def test_a_folder_in_place_of_the_schedule_stops_nothing(
    daemon: "Daemon",
    install_plugin: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    eventually: Callable[..., None],
) -> None:
    """What the worker says of its operations cannot be kept, and they run all the same."""
    install_plugin("ticker", text=_PLUGIN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    daemon.places.schedule_file.mkdir(parents=True)
    daemon.start()

    eventually((daemon.places.root / "ticks").exists, 60)
    assert "cannot store when operations run" in daemon.log
