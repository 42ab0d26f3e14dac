"""Plugins that block, end or fill their process: the document is written, and names them.

What there is to do wrong, and how a document is judged, is the campaign's: ``python -m benchmarks
isolation`` plays all of it.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from benchmarks.isolation.deeds import Misdeed
from benchmarks.isolation.run import Mode, install, judge

from rove_core import Credential
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.auth.credentials import EncryptedFileStore

#: Of each way to misbehave one, in different hooks.
SLICE = [
    Misdeed("rove_search", "block"),
    Misdeed("rove_search", "stop the loop"),
    Misdeed("rove_item_detail", "cancel all"),
    Misdeed("rove_item_detail", "deep thread"),
    Misdeed("rove_recognise", "exit"),
    Misdeed("rove_recognise", "flood"),
    Misdeed("rove_filter_item", "raise"),
    Misdeed("rove_sections", "many words"),
    Misdeed("rove_sections", "swallow"),
    Misdeed("rove_sections", "exit"),
    Misdeed("beside a filter", "exit"),
    Misdeed("import", "exit"),
    Misdeed("settings", "dict"),
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the campaign's two plugins are installed."""
    folder = tmp_path_factory.mktemp("isolation") / "site"
    install(folder)
    return folder


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("misdeed", SLICE, ids=lambda each: f"{each.hook}: {each.deed}")
def test_a_document_all_the_same(site: Path, tmp_path: Path, misdeed: Misdeed, mode: Mode) -> None:
    """It names the plugin, blames nobody else, and has what others said."""
    judged = judge(misdeed, mode, tmp_path / "run", site, seconds=3.0)

    assert judged.wrong == ""
    assert judged.told


def test_without_a_misdeed_nobody_is_blamed(site: Path, tmp_path: Path) -> None:
    """The plugin fails only when it is told to: so what a document says is about the misdeed."""
    judged = judge(Misdeed("", ""), "foreground", tmp_path / "run", site, seconds=30.0)

    assert judged.told == ""
    assert judged.wrong == "the culprit is not named"


@pytest.mark.parametrize("deed", ["descriptor", "child", "print", "write"])
def test_standard_output_is_for_results(site: Path, tmp_path: Path, deed: str) -> None:
    """It has the document's path and nothing else, whatever a plugin or its C code prints."""
    judged = judge(
        Misdeed("rove_item_detail", deed), "foreground", tmp_path / "run", site, seconds=30.0
    )

    assert judged.wrong == ""
    assert "prints; only results may be printed" in judged.told


@pytest.fixture
def exiting(install_plugin: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a plugin that ends the process that imports it."""
    install_plugin("exiting", text="import os\n\nos._exit(3)\n")
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", "exiting,jira")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.delenv("ROVE_ISOLATION", raising=False)


@pytest.mark.usefixtures("exiting", "empty")
@pytest.mark.parametrize("command", ["--source-plugins", "doctor"])
def test_a_plugin_that_ends_the_process_at_import(command: str) -> None:
    """It is named as broken, and the others are listed."""
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-m", "rove", command], capture_output=True, text=True, check=False
    )

    assert "exiting/exiting: its code ended its process (exit code 3)" in done.stdout
    assert "rove-jira" in done.stdout or "jira 0" in done.stdout


@pytest.mark.usefixtures("exiting", "empty")
def test_accounts_are_listed_all_the_same() -> None:
    """A plugin that ends the process costs nothing when nobody has listed the plugins yet."""
    data = Path(os.environ["ROVE_DATA_DIR"])
    AccountStore(data).add(AccountRecord(name="jira", kind="jira"))
    asyncio.run(EncryptedFileStore(data).set("jira", Credential(headers={}, hosts=())))

    done = subprocess.run(
        [sys.executable, "-m", "rove", "sources", "list", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, [each["login"] for each in json.loads(done.stdout)]) == (
        0,
        ["logged in"],
    )


@pytest.mark.usefixtures("exiting", "empty")
def test_isolation_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then a plugin runs in the process of the command, as a debugger needs it."""
    monkeypatch.setenv("ROVE_ISOLATION", "0")

    done = subprocess.run(  # our own program
        [sys.executable, "-m", "rove", "--source-plugins"], capture_output=True, check=False
    )

    assert (done.returncode, done.stdout) == (3, b"")
