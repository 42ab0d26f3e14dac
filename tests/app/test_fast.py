"""The answer before Click: the same bytes, and next to nothing loaded."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove import fast
from rove.cli import cli
from rove_core.store.connection import open_for_writing

if TYPE_CHECKING:
    from tests.app.conftest import Rove

HEAVY = {
    "attrs",
    "asyncio",
    "click",
    "httpx",
    "importlib_metadata",
    "json",
    "keyring",
    "openai",
    "pathlib",
    "pluggy",
    "re",
    "rich",
    "typing",
}
LOADED = """
import sys
from rove.__main__ import main
sys.argv[0] = "rove"
code = main()
print(*sorted({name.partition(".")[0] for name in sys.modules}))
sys.exit(code)
"""
ANSWERED = [
    ["--version"],
    ["--find", "TB-123"],
    ["--find=TB-123"],
    ["--api-find", "TB-123"],
    ["--api-find=TB-123"],
]
LEFT_TO_CLICK = [
    [],
    ["--find"],
    ["--find", ""],
    ["--find", "TB-999"],
    ["--find", "--json"],
    ["--find", "TB-123", "--json"],
    ["--help"],
    ["find", "TB-123"],
    ["--find=../../etc/passwd"],
]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("arguments", ANSWERED, ids=" ".join)
def test_the_same_bytes(capsysbinary: pytest.CaptureFixture[bytes], arguments: list[str]) -> None:
    """What is answered at once is what Click would have answered."""
    answer = fast.answer(arguments)

    code = cli(arguments)

    assert (0, answer) == (code, capsysbinary.readouterr().out)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("arguments", LEFT_TO_CLICK, ids=" ".join)
def test_it_may_only_say_yes(arguments: list[str]) -> None:
    """Whatever is not exactly one found document is left to Click."""
    assert fast.answer(arguments) is None


@pytest.mark.usefixtures("project")
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                "--find",
                "--api-find",
                "--version",
                "TB-123",
                "tb-123",
                "--find=TB-123",
                "--",
                "-x",
                "",
            ]
        )
        | st.text(max_size=6),
        max_size=3,
    )
)
def test_it_never_contradicts(
    capsysbinary: pytest.CaptureFixture[bytes], arguments: list[str]
) -> None:
    """Whatever the arguments, an answer before Click is the answer of Click."""
    answer = fast.answer(arguments)
    if answer is None:
        return

    capsysbinary.readouterr()
    code = cli(arguments)

    assert (0, answer) == (code, capsysbinary.readouterr().out)


def test_an_index_of_another_version(project: Path) -> None:
    """An index this module does not know is left to Click."""
    db = open_for_writing(project / ".rove" / "index.db")
    db.execute("PRAGMA user_version = 99")
    db.close()

    assert fast.answer(["--find", "TB-123"]) is None


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "arguments", [["--version"], ["--find", "TB-123"], ["--api-find", "TB-123"]]
)
def test_nothing_heavy_is_loaded(arguments: list[str]) -> None:
    """The hot questions load neither Click nor anything else that takes its time."""
    program = f"import sys; sys.path[:0] = {sys.path!r}\n{LOADED}"
    run = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-I", "-S", "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = set(run.stdout.splitlines()[-1].split())

    assert set() == loaded & HEAVY


SEVERAL = """
import sys
from contextlib import redirect_stdout, suppress
from rove.cli import cli
for line in sys.argv[1].splitlines():
    with redirect_stdout(sys.stderr), suppress(SystemExit):
        cli(line.split())
print(*sorted(sys.modules))
"""
#: What only commands need that ask a vendor, or wait for something.
WAITING = {
    "asyncio",
    "httpx",
    "keyring",
    "rove_core.http.client",
    "rove_core.plugins.loader",
    "rove_core.project.project",
    "rove_code.operations",
}


#: Commands that only read what lies here.
OFFLINE = """list
show TB-123
explain TB-123
open TB-123 --no-browser
search rate
status
settings
mirror status
cancel --all"""
#: Those of them that show lines of what lies here, and none of the items themselves.
LINES = """list
explain TB-123
open TB-123 --no-browser
search rate
status
mirror status
cancel --all"""
#: What only items, and changes of what lies here, need.
WHOLE = {
    "rove_core.items",
    "rove_core.mirror.mirror_writer",
    "rove_core.project.settings.writer",
    "rove_core.project.toml.editor",
    "rove_core.store.store",
}
#: Commands that look at logins, or run an operation of a plugin.
CLOSED = """sources list
ready
memory list
plan list
prime"""


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("commands", "unneeded"),
    [
        (
            OFFLINE,
            WAITING | {"rove_memory.operations", "rove_folder.operation_list"},
        ),
        (LINES, WHOLE),
        (
            CLOSED,
            WAITING - {"asyncio"} | {"rove_memory.operations", "rove_folder.operation_list"},
        ),
    ],
    ids=["offline", "lines", "closed"],
)
def test_only_what_a_command_needs_is_loaded(
    rove: "Rove", commands: str, unneeded: set[str]
) -> None:
    """Commands that ask no vendor load no HTTP client, and no plugin but their own."""
    rove("--help")  # It lists what the plugins bring.
    program = f"import sys; sys.path[:] = {sys.path!r}\n{SEVERAL}"
    run = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-c", program, commands], capture_output=True, text=True, check=True
    )

    loaded = set(run.stdout.splitlines()[-1].split())

    assert set() == loaded & unneeded


@pytest.mark.usefixtures("project")
def test_completion_is_left_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the shell asks for completions, Click answers."""
    monkeypatch.setenv("_ROVE_COMPLETE", "bash_complete")

    assert fast.answer(["--version"]) is None
