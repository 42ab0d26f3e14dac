"""What people try because every other command line has it."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from rove import help_format
from rove.app_commands import APP
from rove.examples import EXAMPLES
from rove.manual import manual_pages
from rove.operations import OWN
from rove.root_command import root
from rove_core.terminal import tables
from rove_core.terminal.tables import entries

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Spawn, Terminal


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in the process of the tests."""
    monkeypatch.setenv("ROVE_ISOLATION", "0")


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("words", [("-h",), ("help",), ("--help",)])
def test_help_in_any_spelling(rove: "Rove", words: tuple[str, ...]) -> None:
    """All of them show the same page."""
    outcome = rove(*words)

    assert outcome == rove("--help")
    assert outcome.code == 0


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    "word", ["TB-123", "northwind/web#12", "https://acme.atlassian.net/browse/TB-1"]
)
def test_a_ticket_alone(rove: "Rove", word: str) -> None:
    """Who types an id and no command is shown the command."""
    assert f"rove --ticket {word}" in rove(word).err


def test_help_fits_a_narrow_terminal() -> None:
    """What is said of a name has most of the line, however long other names are."""
    page = click.Context(root(), info_name="rove", terminal_width=40).get_help()

    assert "  cancel    Cancel waiting or running" in page.splitlines()


def test_help_is_as_narrow_as_the_terminal(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch, empty: Path
) -> None:
    """No word of a page is cut or broken at 40 columns."""
    monkeypatch.chdir(empty)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(help_format, "terminal_width", lambda: 40)

    lines = rove("--help").out.splitlines()

    assert max(map(len, lines)) <= 40
    assert "  Give a coding agent what it cannot" in lines


def test_a_command_in_a_sentence_stays_on_one_line() -> None:
    """It is there to be pasted."""
    hint = "Connect one: rove --add-source jira; or see what there is: rove --source-plugins"

    assert tables.wrapped(hint, 40, indent="") == [
        "Connect one: rove --add-source jira; or",
        "see what there is: rove --source-plugins",
    ]
    assert tables.wrapped(hint, 30, indent="") == [
        "Connect one:",
        "rove --add-source jira; or see",
        "what there is:",
        "rove --source-plugins",
    ]


def test_sentences_keep_their_indent(monkeypatch: pytest.MonkeyPatch) -> None:
    """What belongs to a line above stays below it."""
    monkeypatch.setattr(tables, "width", lambda: 20)

    assert tables.sentences(["jira: you are Robin", "  can read TB Toolbox of all"]) == (
        "jira: you are Robin\n  can read TB\n    Toolbox of all"
    )


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (40, ["ok  disk    65174 MB are free", "ok  socket  none"]),
        (26, ["ok  disk", "    65174 MB are free", "ok  socket  none"]),
    ],
)
def test_entries_lose_no_word(
    monkeypatch: pytest.MonkeyPatch, columns: int, shown: list[str]
) -> None:
    """What has no room beside its name goes on below it."""
    monkeypatch.setattr(tables, "width", lambda: columns)
    told = [("ok", "disk", "65174 MB are free"), ("ok", "socket", "none")]

    assert [line for entry in entries(told) for line in entry] == shown


@pytest.mark.usefixtures("empty")
def test_help_of_a_command(rove: "Rove") -> None:
    """The words of the command follow, or stand before ``-h``."""
    assert rove("help", "sources", "add") == rove("sources", "add", "-h")
    # A server does this one, where one runs; its options are known all the same.
    assert "--unsure" in rove("help", "code", "callers").out


@pytest.mark.usefixtures("empty")
def test_several_words_without_quotes(rove: "Rove") -> None:
    """The second word is refused with the reason."""
    outcome = rove("search", "rotate", "keys")

    assert outcome.code == 2
    assert "Several words need quotes around them." in outcome.err


@pytest.mark.usefixtures("empty")
def test_an_account_where_none_is_expected(rove: "Rove") -> None:
    """Quotes do not help a command that takes no words: the option is named, if it has one."""
    update, status = rove("mirror", "update", "jira"), rove("mirror", "status", "jira")

    assert "Name an account with --account. See usage: rove mirror update --help" in update.err
    assert not any("quotes" in outcome.err for outcome in (update, status))


@pytest.mark.usefixtures("empty")
def test_a_missing_choice_is_one_line(rove: "Rove") -> None:
    """The choices follow the name of the argument, without signs of a list."""
    outcome = rove("sync", "resolve", "c-1")

    assert outcome.code == 2
    assert "argument 'RESOLUTION'. Choose from: keep_local, keep_remote, merge" in outcome.err


@pytest.mark.usefixtures("empty")
def test_help_of_an_error(rove: "Rove") -> None:
    """What it means and what to do, by the code that every error shows."""
    outcome = rove("help", "rove-auth-002")

    assert outcome.code == 0
    assert "The vendor rejected the login." in outcome.out
    assert "What to do: Log in again" in outcome.out


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("topic", ["nonsense", "ROVE-NONE-001"])
def test_help_of_nothing(rove: "Rove", topic: str) -> None:
    """What is neither a command nor an error is a wrong call."""
    assert rove("help", topic).code == 2


@pytest.mark.usefixtures("empty")
def test_version_as_a_word(rove: "Rove") -> None:
    """The same as the flag."""
    assert rove("version") == rove("--version")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("flag", ["-q", "--quiet"])
def test_quiet(rove: "Rove", flag: str) -> None:
    """Only results and errors are printed, wherever the flag stands."""
    assert rove(flag, "search", "zebra").err == rove("search", "zebra", flag).err == ""
    assert rove("find", "TB-999", flag).err


def test_no_progress(rove: "Rove", tmp_path: Path) -> None:
    """The result is printed, and not how it came about."""
    outcome = rove("build", "TB-1", "--no-progress")

    assert outcome.code != 0
    assert tmp_path.exists()
    assert "reading the ticket" not in outcome.err


@pytest.mark.usefixtures("project")
def test_color_when_asked_for(rove: "Rove") -> None:
    """A pipe gets none unless it is asked for."""
    assert "\x1b[" in rove("--color=always", "list").out
    assert "\x1b[" in rove("list", "--color", "always").out
    assert "\x1b[" not in rove("list").out


@pytest.mark.usefixtures("project")
def test_color_at_a_terminal(
    spawn: "Spawn", terminal: "Terminal", monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is some, unless NO_COLOR is set or --color=never."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORFGBG", raising=False)
    spawn("list", stdout=terminal.end).wait()
    assert "\x1b[1;36mTB-123" in terminal.look()

    terminal.seen = ""
    spawn("list", "--color=never", stdout=terminal.end).wait()
    monkeypatch.setenv("NO_COLOR", "1")
    spawn("list", stdout=terminal.end).wait()
    assert "\x1b[" not in terminal.look()


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("command", ["list", "explain TB-123", "search saml", "status"])
def test_no_line_is_wider_than_the_terminal(
    spawn: "Spawn",
    terminal: "Terminal",
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    columns: int,
) -> None:
    """Columns are shortened and left out; no word is broken over two lines."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    spawn(*command.split(), stdout=terminal.end).wait()

    lines = terminal.look().splitlines()
    assert [line for line in lines if len(line) > columns] == []


@pytest.mark.usefixtures("empty")
@pytest.mark.usefixtures("project")
def test_a_long_result_beside_plugins_reaches_the_pager(
    spawn: "Spawn", terminal: "Terminal"
) -> None:
    """Where plugins run in a process of their own, the pager still writes to the terminal."""
    line = 'PAGER=cat TERM=xterm ROVE_ISOLATION= exec "$@"'
    end = terminal.end
    process = spawn("settings", line=line, stdin=end, stdout=end, stderr=end)
    terminal.wait_for("context.max_tokens")

    assert process.wait(timeout=180) == 0


def test_a_color_that_is_none(rove: "Rove") -> None:
    """The values that there are, are named."""
    outcome = rove("--color=red", "list")

    assert outcome.code == 2
    assert "auto, always or never" in outcome.err


@pytest.mark.usefixtures("empty")
def test_what_stands_behind_two_dashes_is_no_option(rove: "Rove") -> None:
    """One may search for ``-q``."""
    assert "'-q'" in rove("search", "--", "-q").err


@pytest.mark.parametrize("command", [*OWN, *APP])
def test_every_command_has_examples_that_are_right(command: str) -> None:
    """Its help page ends with them, and they are understood."""
    for example in EXAMPLES[command]:
        words = shlex.split(example.partition(" | ")[0].removeprefix('eval "$(').removesuffix(')"'))
        assert words[: 1 + len(command.split())] == ["rove", *command.split()]
        found: click.Command = root()
        context = click.Context(found, info_name="rove")
        for word in command.split():
            assert isinstance(found, click.Group)
            below = found.get_command(context, word)
            assert below is not None
            found = below
        found.make_context(command, words[1 + len(command.split()) :])
        assert "Examples:" in found.get_help(click.Context(found))


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_of_each_shell(rove: "Rove", shell: str) -> None:
    """The script is printed."""
    assert f"{shell}_complete" in rove("completion", shell).out


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("rove show TB", ["TB-123"]),
        ("rove show tb-1", ["TB-123"]),
        ("rove setup cla", ["claude"]),
        ("rove sources add ji", ["jira"]),
    ],
)
def test_values_are_completed(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch, words: str, offered: list[str]
) -> None:
    """Tickets, accounts, agents and kinds of source are offered."""
    monkeypatch.setenv("_ROVE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))

    assert rove().out.split() == [f"plain,{word}" for word in offered]


@pytest.mark.usefixtures("empty")
def test_a_manual_page_for_each_command(rove: "Rove", tmp_path: Path) -> None:
    """They are written where ``man`` looks."""
    outcome = rove("man", "--output", str(tmp_path / "man1"))

    names = {path.name for path in (tmp_path / "man1").iterdir()}
    assert outcome.code == 0
    assert {"rove.1", "rove-build.1", "rove-sources-add.1"} <= names


def test_one_manual_page_is_the_one_that_is_written(rove: "Rove", tmp_path: Path) -> None:
    """``rove man COMMAND`` makes that page alone, and it is the same page."""
    rove("man", "--output", str(tmp_path / "man1"))

    shown = rove("man", "settings", "set")

    assert shown.out == (tmp_path / "man1" / "rove-settings-set.1").read_text()


def test_a_manual_page_of_no_command_is_refused(rove: "Rove") -> None:
    """The message names the command as it was typed."""
    refused = rove("man", "settings", "sett")

    assert refused.code == 2
    assert "no manual page for 'settings sett'" in refused.err


def test_manual_pages_are_roff() -> None:
    """Every line that begins with a dot is a request that man knows."""
    requests = {
        line.split()[0]
        for page in manual_pages(root()).values()
        for line in page.splitlines()
        if line.startswith(".")
    }

    assert requests <= {".TH", ".SH", ".B", ".TP", ".PP", ".nf", ".fi"}
