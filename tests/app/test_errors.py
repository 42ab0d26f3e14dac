"""Whatever goes wrong: one message with the next step, the right exit code, never a traceback."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations import OWN
from rove.reports import unforeseen

if TYPE_CHECKING:
    from tests.app.conftest import Rove

BROKEN_INPUT = [
    ["\x01"],
    ["../../etc/passwd"],
    ["-" * 5000],
    ["é😀\u202e"],
    ["--no-such-option"],
    ["--limit", "many"],
    ["--account", ""],
    ["a"] * 200,
    [],
]

#: A wrong settings file, what its message must hold, and the line it must name.
WRONG_SETTINGS = {
    "unknown key": ("[ai]\nmax_hop = 3\n", "max_hop", 2),
    "unknown table": ("[context]\n[contxt]\n", "contxt", 2),
    "wrong type": ('[ai]\nmax_hops = "three"\n', "three", 2),
    "wrong value": ("[ai]\n\nmax_hops = -1\n", "-1", 3),
    "bad duration": ('[scheduler]\nrefresh_interval = "soon"\n', "soon", 2),
    "bad TOML": ("[ai\nmax_hops = 3\n", "settings.toml", 1),
}


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("command", [*OWN, "sources add", "demo", "", "nonsense"])
@pytest.mark.parametrize(
    "broken", BROKEN_INPUT, ids=lambda broken: " ".join(broken)[:20] or "nothing"
)
def test_no_traceback(rove: "Rove", command: str, broken: list[str]) -> None:
    """A person never sees a traceback, whatever they type."""
    outcome = rove(*command.split(), *broken)

    assert "Traceback" not in outcome.err + outcome.out
    assert outcome.code in {0, 2, 3, 4, 7}


@pytest.mark.usefixtures("empty")
def test_a_mistyped_flag_is_guessed(rove: "Rove") -> None:
    """It is a flag of Rove's that was meant, not an option that Click knows."""
    outcome = rove("--tikcet", "TB-1")

    assert outcome.code == 2
    assert "no such option '--tikcet'; did you mean '--ticket'?" in outcome.err


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("command", [*OWN, "sources add", "", "nonsense"])
def test_bytes_that_are_no_text(rove: "Rove", command: str) -> None:
    """An argument that is no UTF-8 is an argument like any other."""
    outcome = rove(*command.split(), "\udcff")

    assert outcome.code in {0, 2, 3, 7}
    assert "BUG" not in outcome.err


@pytest.mark.parametrize("name", WRONG_SETTINGS)
def test_a_wrong_setting(rove: "Rove", empty: Path, name: str) -> None:
    """A wrong setting gets one message with file, line and value, the mend, and exit code 7."""
    text, value, line = WRONG_SETTINGS[name]
    (empty / ".rove").mkdir(mode=0o700)
    (empty / ".rove" / "settings.toml").write_text(text)

    outcome = rove("settings")
    message, mend = outcome.err.splitlines()

    assert (outcome.code, outcome.out) == (7, "")
    assert f".rove/settings.toml:{line}" in message
    assert value in message
    assert mend.strip()


def test_settings_that_cannot_be_read(rove: "Rove", empty: Path) -> None:
    """A settings file that is a folder is named, with exit code 7."""
    (empty / ".rove" / "settings.toml").mkdir(parents=True, mode=0o700)

    outcome = rove("settings")

    assert outcome.code == 7
    assert "settings.toml" in outcome.err


def test_settings_that_are_not_text(rove: "Rove", empty: Path) -> None:
    """A settings file that is no UTF-8 is named, with exit code 7."""
    (empty / ".rove").mkdir(mode=0o700)
    (empty / ".rove" / "settings.toml").write_bytes(b"[ai]\nmodel = '\xff'\n")

    outcome = rove("settings")

    assert outcome.code == 7
    assert "settings.toml" in outcome.err


@pytest.mark.parametrize("command", ["--status", "--find", "--search", "settings", ""])
def test_a_folder_that_is_a_link(rove: "Rove", empty: Path, tmp_path: Path, command: str) -> None:
    """A ``.rove`` that is a link is refused by every command, with exit code 7."""
    (tmp_path / "elsewhere").mkdir()
    (empty / ".rove").symlink_to(tmp_path / "elsewhere")

    value = ["x"] if command in {"--find", "--search"} else []
    outcome = rove(*command.split(), *value)

    assert outcome.code == 7
    assert ".rove is a link" in outcome.err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else(rove: "Rove", empty: Path) -> None:
    """A ``.rove`` of another user is refused with exit code 7."""
    (empty / ".rove").mkdir(mode=0o700)
    os.chown(empty / ".rove", 65534, 65534)

    assert rove("--status").code == 7


def test_an_index_that_is_damaged(rove: "Rove", project: Path) -> None:
    """A damaged index is named, with what to do."""
    (project / ".rove" / "index.db").write_bytes(b"not a database" * 100)

    outcome = rove("--status")

    assert outcome.code == 7
    assert "index.db" in outcome.err


def test_folder_where_a_file_belongs(rove: "Rove", project: Path) -> None:
    """It is named with what to do about it."""
    index = project / ".rove/index.db"
    index.unlink()
    index.mkdir()

    outcome = rove("list")

    assert outcome.code == 7
    assert str(index) in outcome.err
    assert "Free some space" not in outcome.err


def test_folder_in_place_of_a_private_file() -> None:
    """An error of the system about it says which one to move."""
    error = unforeseen(IsADirectoryError(21, "Is a directory", "/home/ann/marks.key"))

    assert error.message == "/home/ann/marks.key: Is a directory"
    assert "mv /home/ann/marks.key /home/ann/marks.key.old" in error.hint


def test_unsafe_settings_of_a_clone(rove: "Rove", empty: Path) -> None:
    """What a cloned settings file may not set is ignored with a word."""
    (empty / ".rove").mkdir(mode=0o700)
    (empty / ".rove" / "settings.toml").write_text('[ai]\napi_base = "https://evil.example"\n')

    outcome = rove("settings", "--json")
    shown = json.loads(outcome.out)
    held = {setting["key"]: setting["value"] for setting in shown["settings"]}

    assert held["ai.api_base"] != "https://evil.example"
    assert ".rove/settings.toml:2" in shown["notes"][0]


@pytest.mark.usefixtures("project")
def test_errors_as_json(rove: "Rove") -> None:
    """With ``--json`` an error is JSON too, with a code, a hint and a page."""
    error = json.loads(rove("find", "TB-999", "--json").err)

    assert error["code"] == "ROVE-ITEM-002"
    assert error["hint"] == "Build it with: rove --ticket TB-999"
    assert error["docs"] == "rove help ROVE-ITEM-002"


@pytest.mark.usefixtures("project")
def test_wrong_usage_as_json(rove: "Rove") -> None:
    """With ``--json`` a wrong call is JSON as well."""
    outcome = rove("find", "--limit", "1", "--json")

    assert outcome.code == 2
    assert json.loads(outcome.err)["hint"] == "See usage: rove find --help"


@pytest.mark.parametrize("command", ["--find", "--search", "--ticket", "--demo", "sources schema"])
def test_an_argument_of_ten_megabytes(rove: "Rove", empty: Path, command: str) -> None:
    """However long an argument is, the message stays short."""
    assert empty.exists()

    outcome = rove(*command.split(), "x" * 10_000_000)

    assert outcome.code in {0, 2, 3, 7}
    assert len(outcome.err) < 3000


@pytest.mark.parametrize("name", WRONG_SETTINGS)
def test_alone_with_wrong_settings(rove: "Rove", empty: Path, name: str) -> None:
    """Rove alone still says what it is, and then what is wrong."""
    (empty / ".rove").mkdir(mode=0o700)
    (empty / ".rove" / "settings.toml").write_text(WRONG_SETTINGS[name][0])

    outcome = rove()

    assert outcome.code == 7
    assert outcome.out.startswith("Rove gives your coding agent ")
    assert outcome.err.count("\n") == 2


def test_a_bug_is_one_line(rove: "Rove", project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error nobody foresaw is one line with a code; its trace goes to the log."""
    monkeypatch.setattr("rove_core.store.tasks.json_value", None)

    outcome = rove("--status")

    assert outcome.code == 1
    assert "ROVE-BUG-001" in outcome.err
    assert "Traceback" not in outcome.err
    assert "TypeError: " in (project / ".rove" / "logs" / "error.log").read_text()


@pytest.mark.usefixtures("project")
def test_a_bug_is_shown_on_request(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``ROVE_DEBUG`` the error comes with its trace."""
    monkeypatch.setattr("rove_core.store.tasks.json_value", None)
    monkeypatch.setenv("ROVE_DEBUG", "1")

    with pytest.raises(TypeError):
        rove("--status")


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("command", ["nonsense", "find", "find X", "--help", ""])
def test_whoever_looks_for_bugs_sees_errors_as_ever(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """``ROVE_DEBUG`` changes nothing about what is no bug."""
    told = rove(*command.split())
    monkeypatch.setenv("ROVE_DEBUG", "1")

    assert rove(*command.split()) == told


@pytest.mark.usefixtures("empty")
def test_a_mistyped_command(rove: "Rove") -> None:
    """A mistyped command is guessed."""
    assert "status" in rove("statis").err


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("setup nobody", "setup"),
        ("server start x", "server start"),
        ("--ticket TB-1 --max-tokens 1", "build"),
        ("nonsense", ""),
    ],
)
def test_wrong_call_names_the_help_page(rove: "Rove", given: str, named: str) -> None:
    """Whoever calls a command wrongly is told which page says how it is called."""
    outcome = rove(*given.split())

    assert outcome.code == 2
    assert f"See usage: {' '.join(['rove', *named.split(), '--help'])}\n" in outcome.err


@pytest.mark.usefixtures("empty")
def test_help_tells_the_exit_codes(rove: "Rove") -> None:
    """A program that reads nothing but the help page knows what an exit code means."""
    assert "3 not found, 4 login needed, 5 partial" in " ".join(rove("--help").out.split())


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("acme.example", "acme.example"),
        ("https://a b", "https://a b"),
        ("https://robin:CANARY-password@acme.example", "https://acme.example"),
        ("javascript:alert(1)", "javascript:alert(1)"),
    ],
)
def test_address_that_is_none(rove: "Rove", address: str, shown: str) -> None:
    """An address at which no vendor can be is refused, without the password that it may hold."""
    outcome = rove(
        "--add-source", "jira", "--base-url", address, "--email", "a@b", "--token-stdin", typed="t"
    )

    assert outcome.code == 2
    assert f"rove: {shown} is not a valid service URL" in outcome.err


@pytest.mark.usefixtures("empty")
def test_no_source_no_task(rove: "Rove", empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no source is connected nothing is queued, no server starts, and the hint says how."""
    monkeypatch.setenv("ROVE_DAEMON", "1")

    outcome = rove("--ticket", "TB-123")

    assert outcome.code == 7
    assert "no source is connected in this project" in outcome.err
    assert "rove --add-source jira" in outcome.err
    assert not (empty / ".rove").exists()
