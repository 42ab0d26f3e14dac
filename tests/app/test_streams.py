"""Standard streams that are closed, full or read by nobody."""

import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Spawn

#: One command that answers before Click, one of Click's own, one that reads the index, a mistake.
COMMANDS = [("--find", "TB-123"), ("--help",), ("--status",), ("--find", "TB-999")]
CODES = [0, 0, 0, 3]
#: The variables of a locale that knows no letter but English ones.
PLAIN = "LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_nobody_wants_to_hear_it(spawn: "Spawn", closed: str) -> None:
    """A stream that is closed takes nothing and changes nothing; nor do messages nobody sees."""
    runs = [spawn(*command, line=f'exec "$@" {closed}') for command in COMMANDS]

    said = [run.communicate() for run in runs]

    assert [run.returncode for run in runs] == CODES
    assert not any("Error" in out + err for out, err in said)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", COMMANDS[:3], ids=" ".join)
def test_a_full_disk_is_told(spawn: "Spawn", command: tuple[str, ...]) -> None:
    """A result that cannot be written is an error with a next step."""
    run = spawn(*command, line='exec "$@" >/dev/full')

    _, err = run.communicate()

    assert run.returncode == 7
    assert err.splitlines()[0] == "rove: standard output: No space left on device [ROVE-SET-006]"
    assert err.count("\n") == 2


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", COMMANDS[:3], ids=" ".join)
def test_a_reader_that_has_gone(spawn: "Spawn", command: tuple[str, ...]) -> None:
    """Whoever stops reading, as ``head`` does, gets no complaint."""
    reader, writer = os.pipe()
    os.close(reader)
    run = spawn(*command, stdout=writer)
    os.close(writer)

    assert (run.communicate()[1], run.returncode) == ("", 1)


@pytest.mark.usefixtures("project")
def test_nobody_reads_the_messages(spawn: "Spawn") -> None:
    """A build goes on when nobody reads how far it is."""
    reader, writer = os.pipe()
    os.close(reader)
    run = spawn("--demo", "sample", stderr=writer)
    os.close(writer)

    assert run.communicate()[0].count("\n") == 1
    assert run.returncode == 0


@pytest.mark.usefixtures("project")
def test_results_are_utf_8_in_every_locale(spawn: "Spawn") -> None:
    """A locale that knows no letter but English ones stops nothing."""
    run = spawn("--demo", "s\xe4mple", line=f'exec env {PLAIN} "$@"')

    out, _ = run.communicate()

    assert run.returncode == 0
    assert "/s\xe4mple/.context/TB-123_" in out


def test_what_a_source_says_is_utf_8_in_every_locale(spawn: "Spawn", empty: Path) -> None:
    """Letters that the locale does not know are printed all the same."""
    (empty / "notes").mkdir()
    (empty / "notes" / "a.md").write_text("# Caf\xe9 \N{EM DASH} \u65e5\u672c", "utf-8")
    spawn("--add-source", "notes").communicate()

    run = spawn("sources", "item", "notes", "notes/a.md", line=f'exec env {PLAIN} "$@"')
    out, _ = run.communicate()

    assert out.startswith("notes/a.md: Caf\xe9 \N{EM DASH} \u65e5\u672c\n")


@pytest.mark.usefixtures("empty")
def test_a_path_that_is_no_utf_8_is_printed_as_it_is(spawn: "Spawn") -> None:
    """What is printed is the file's name, byte for byte, so that a shell can open it."""
    run = spawn("--demo", b"sample\xff")

    path = run.communicate()[0].removesuffix("\n")

    assert "/sample\udcff/.context/TB-123_" in path
    assert Path(path).is_file()


@pytest.mark.usefixtures("empty")
def test_what_is_needed_while_a_command_runs_is_printed_at_once(spawn: "Spawn") -> None:
    """The address of a server, with its token, comes when it listens, and is all it prints."""
    server = spawn("code", "serve")
    assert server.stdout
    first = server.stdout.readline()
    server.send_signal(signal.SIGINT)
    rest, _ = server.communicate()

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=\S{40,}\n", first)
    assert rest.strip() == ""
