"""Commands of plugins that a running server does."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rove.server.commands import commands_route
from rove.server.project_operations import operations_of
from rove_core import JSON, HttpRequest, MemoryStore, WrongCall, open_project
from rove_core.errors import NoCodeFound

_TYPE = {"content-type": "application/json"}
BASKET = "class Basket:\n    def total(self):\n        return 1\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a file of code, and stand in it."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "basket.py").write_text(BASKET, "utf-8")
    (folder / ".rove").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("ROVE_DAEMON", raising=False)
    return folder


async def done(folder: Path, command: str, *arguments: str, **more: JSON) -> Any:  # noqa: ANN401  # JSON
    """Return what the server answers to a command."""
    body = {"command": command, "arguments": list(arguments), **more}
    async with open_project(folder, accounts=[], credentials=MemoryStore()) as rove:
        route = commands_route(operations_of(rove))
        request = HttpRequest("POST", "/commands", "", _TYPE, json.dumps(body).encode())
        return json.loads((await route.answer(request, rove)).body)


@pytest.mark.anyio
async def test_a_command_is_printed_as_at_a_terminal(shop: Path) -> None:
    """The arguments are parsed as there, and what is printed is returned."""
    reply = await done(shop, "code symbol", "Basket.total")

    assert reply["text"].startswith("basket.py:2 method Basket.total")
    assert (reply["exit_code"], reply["is_json"]) == (0, False)


@pytest.mark.anyio
async def test_json_is_printed_if_it_is_asked_for(shop: Path) -> None:
    """``--json`` is an option as any other."""
    reply = await done(shop, "code symbol", "Basket.total", "--json")

    assert reply["is_json"]
    assert json.loads(reply["text"])["symbols"][0]["path"] == "basket.py"


@pytest.mark.anyio
async def test_standard_input_is_taken_along(shop: Path) -> None:
    """A question of ``-`` is what standard input held."""
    reply = await done(shop, "code query", "-", stdin="total of a basket")

    assert "def total(self):" in reply["text"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("code symbol",), WrongCall, "missing argument"),
        (("code symbol", "x", "--bogus"), WrongCall, "no such option"),
        (("code symbol", "nowhere"), NoCodeFound, "no declaration of 'nowhere'"),
        (("code symbol", "x", "--repo", "/etc"), WrongCall, "can only be used at a terminal"),
        (("code serve",), WrongCall, "no command 'code serve' that a server does"),
    ],
)
async def test_what_is_wrong_is_told(
    shop: Path, arguments: tuple[str, ...], error: type[Exception], message: str
) -> None:
    """Mistakes are errors, and what only a person may give is refused."""
    with pytest.raises(error, match=message):
        await done(shop, *arguments)


def rove(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command."""
    command = [sys.executable, "-m", "rove", *arguments]
    return subprocess.run(  # noqa: S603  # the arguments are the tests own
        command, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture
def _server(shop: Path) -> Iterator[None]:
    """Run the project's server."""
    started = rove("server", "start")
    assert started.returncode == 0, started.stderr
    yield
    rove("server", "stop")
    assert shop.is_dir()


@pytest.mark.usefixtures("_server")
def test_the_command_line_prints_the_same_with_a_server() -> None:
    """What a server does looks as if it were done here, errors and exit codes included."""
    for arguments in (
        ("code", "symbol", "Basket.total"),
        ("code", "symbol", "nowhere"),
        ("code", "symbol", "nowhere", "--bogus"),
    ):
        served = rove(*arguments)
        os.environ["ROVE_DAEMON"] = "0"
        try:
            here = rove(*arguments)
        finally:
            del os.environ["ROVE_DAEMON"]
        assert (served.stdout, served.returncode) == (here.stdout, here.returncode)
        assert served.stderr == here.stderr
