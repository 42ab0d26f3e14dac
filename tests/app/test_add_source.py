"""Connecting a source at a terminal, with a person at it."""

import http.client
import re
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

import pytest

from rove_core.plugins.loader import load_plugins
from rove_sim import Conduct, World

if TYPE_CHECKING:
    import subprocess

    from tests.app.conftest import Rove, Spawn, Terminal

Start: TypeAlias = Callable[..., "subprocess.Popen[str]"]

#: What a person with a browser does: looks at the page, and goes where it leads.
BROWSER = """\
import sys, urllib.request
urllib.request.urlopen(sys.argv[1]).read()
"""


@pytest.fixture(autouse=True)
def _no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no page open on the desktop of whoever runs the tests."""
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a browser whose person agrees at once."""
    program = tmp_path / "browser.py"
    program.write_text(BROWSER, "utf-8")
    monkeypatch.setenv("BROWSER", f"{sys.executable} {program} %s")


@pytest.fixture
def port() -> int:
    """Give a port of this machine that is free."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        number: int = found.getsockname()[1]
        return number


@pytest.fixture
def add(spawn: "Spawn", terminal: "Terminal", world: World, empty: Path, port: int) -> Start:  # noqa: ARG001  # it is where they are added
    """Return what begins to connect a simulated source at the terminal."""

    def call(kind: str, *options: str) -> "subprocess.Popen[str]":
        fixed = [] if kind == "github" else ["--set", f"redirect_port={port}"]
        where = ("--base-url", world.urls[kind], *fixed)
        end = terminal.end
        return spawn("--add-source", kind, *where, *options, stdin=end, stderr=end)

    return call


def _printed_page(terminal: "Terminal") -> str:
    """Return the page on which one agrees, once it is printed whole."""
    terminal.wait_for("page's address here")
    found = re.search(r"http://\S+[?&]state=\S+", terminal.seen)
    assert found
    return found[0]


def _where_it_leads(page: str) -> str:
    """Return where a browser ends that opens a page."""
    parts = urlsplit(page)
    connection = http.client.HTTPConnection(parts.netloc, timeout=180)
    connection.request("GET", f"{parts.path}?{parts.query}")
    location = connection.getresponse().getheader("Location", "")
    connection.close()
    return location


def test_a_person_is_asked(add: Start, terminal: "Terminal", world: World) -> None:
    """The ways are listed by number, Enter takes the first, and the token is typed unseen."""
    run = add("slack")
    terminal.wait_for("Number [1]")
    terminal.type("7")
    terminal.wait_for("type a number from 1 to 2")
    terminal.type("")
    terminal.wait_for("User token (xoxp-...)")
    terminal.type(world.company.token)
    out, _ = run.communicate(timeout=180)

    assert run.returncode == 0
    assert "How do you want to log in to Slack?\r\n  1  Token of an app" in terminal.seen
    assert "https://api.slack.com/apps" in terminal.seen
    assert world.company.token not in terminal.seen
    assert out.startswith("slack: you are robin\n  can read northwind.slack.com\n")
    assert out.splitlines()[-1].startswith('  a search for "test" works: it found ')


def test_a_token_pasted_at_a_number_is_hidden(
    add: Start, terminal: "Terminal", world: World
) -> None:
    """A token pasted where a number belongs is not shown, and the number is asked again."""
    run = add("slack")
    terminal.wait_for("Number [1]")
    terminal.type(f"{world.company.token}\n2\n")
    terminal.wait_for("type a number from 1 to 2; all else stays hidden here")
    terminal.wait_for("hidden here\r\nNumber [1]: ")
    terminal.type("1")
    terminal.wait_for("User token (xoxp-...)")
    terminal.type(world.company.token)
    run.communicate(timeout=180)

    assert run.returncode == 0
    assert world.company.token not in terminal.seen
    assert "Number [1]: 1\r\n" in terminal.seen


def test_a_number_is_corrected(add: Start, terminal: "Terminal", world: World) -> None:
    """Backspace takes back a digit at the terminal, too."""
    run = add("slack")
    terminal.wait_for("Number [1]")
    terminal.type("2\x7f1")
    terminal.wait_for("User token (xoxp-...)")
    terminal.type(world.company.token)
    run.communicate(timeout=180)

    assert run.returncode == 0
    assert "Number [1]: 2\b \b1\r\n" in terminal.seen


def test_a_search_that_fails_is_said(add: Start, terminal: "Terminal", world: World) -> None:
    """The login works and is kept; what does not work is told."""
    world.slack.fail_next(500, times=99, path="search")
    run = add("slack", "--way", "token")
    terminal.wait_for("User token (xoxp-...)")
    terminal.type(world.company.token)
    out, _ = run.communicate(timeout=180)

    assert run.returncode == 0
    assert '  a search for "test" failed: ' in out


def test_a_way_that_is_known_is_not_asked_for(
    add: Start, rove: "Rove", terminal: "Terminal", world: World
) -> None:
    """Whoever logs in again does so as last time."""
    url = world.urls["slack"]
    given = ("--base-url", url, "--token-stdin")
    rove("--add-source", "slack", *given, typed=f"{world.company.token}\n")
    run = add("slack")
    terminal.wait_for("User token (xoxp-...)")
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=180)

    assert "How do you want" not in terminal.seen


def test_an_address_is_pasted(add: Start, terminal: "Terminal", world: World) -> None:
    """Without a browser on this machine the page is printed, and its end is pasted."""
    run = add("linear", "--way", "oauth")
    terminal.wait_for("Client id of your app")
    terminal.type(world.linear.oauth.client_id)
    page = _printed_page(terminal)
    terminal.type("https://linear.app/elsewhere")
    terminal.wait_for("Not the right address")
    terminal.type(_where_it_leads(page))
    out, _ = run.communicate(timeout=180)

    assert run.returncode == 0
    assert out.startswith("linear: you are Robin Doe\n")


@pytest.mark.usefixtures("browser")
def test_a_browser_opens(add: Start, terminal: "Terminal", world: World) -> None:
    """Where there is a browser nobody has to paste; the client id may be a setting."""
    run = add("slack", "--way", "oauth", "--set", f"client_id={world.slack.oauth.client_id}")
    out, _ = run.communicate(timeout=180)

    assert (run.returncode, out.splitlines()[0]) == (0, "slack: you are robin"), terminal


@pytest.mark.usefixtures("browser")
def test_a_site_is_chosen(add: Start, terminal: "Terminal", rove: "Rove", world: World) -> None:
    """Of several sites a person picks one by its number; the login serves the next command."""
    world.jira.other_sites.append("https://acme.atlassian.net")
    run = add("jira", "--way", "oauth", "--set", f"client_id={world.jira.oauth.client_id}")
    terminal.wait_for("Its client secret")
    terminal.type(world.jira.oauth.client_secret)
    terminal.wait_for("Number [1]")
    terminal.type("1")
    out, _ = run.communicate(timeout=180)

    assert (run.returncode, out.splitlines()[0]) == (0, "jira: you are Robin Doe")
    assert "  2  acme.atlassian.net" in terminal.seen
    assert world.jira.oauth.client_secret not in terminal.seen
    assert rove("--ticket", "TB-123").code == 0


def test_a_code_is_typed(add: Start, terminal: "Terminal", world: World) -> None:
    """GitHub's code and its page are printed, and then it is waited for."""
    world.github.interval = 0
    run = add("github", "--way", "device")
    terminal.wait_for("Client id of your app")
    terminal.type(world.github.oauth.client_id)
    out, _ = run.communicate(timeout=180)

    assert run.returncode == 0
    assert re.search(r"Type [0-9A-F]{4}-[0-9A-F]{4} at http://\S+/login/device", terminal.look())
    assert out.startswith("github: you are robindoe\n")


@pytest.mark.usefixtures("browser")
def test_a_person_declines(add: Start, terminal: "Terminal", world: World) -> None:
    """Nothing is remembered, and the next command is named, with the vendor's address."""
    world.slack.conduct = Conduct(agrees=False)
    run = add("slack", "--way", "oauth", "--set", f"client_id={world.slack.oauth.client_id}")
    run.communicate(timeout=180)

    assert run.returncode == 4
    assert "declined on the vendor's page: access_denied [ROVE-AUTH-002]" in terminal.look()
    again = f"rove --add-source slack --base-url {world.urls['slack']} --way oauth"
    assert again in " ".join(terminal.seen.split())


def test_a_port_that_is_taken(add: Start, terminal: "Terminal", world: World, port: int) -> None:
    """The port is named, and how to use another."""
    with socket.create_server(("127.0.0.1", port)):
        run = add("slack", "--way", "oauth", "--set", f"client_id={world.slack.oauth.client_id}")
        run.communicate(timeout=180)

    assert run.returncode == 6
    assert f"port {port} of this machine" in terminal.look()
    assert "--set redirect_port=PORT" in terminal.seen


def test_waiting_for_a_browser_is_interrupted(
    add: Start, terminal: "Terminal", world: World
) -> None:
    """Ctrl-C ends it at once, and nothing is remembered."""
    run = add("slack", "--way", "oauth", "--set", f"client_id={world.slack.oauth.client_id}")
    _printed_page(terminal)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=180)

    assert run.returncode == 130


@pytest.mark.usefixtures("browser")
def test_a_folder_brings_no_browser(
    add: Start, world: World, empty: Path, terminal: "Terminal"
) -> None:
    """A module in a cloned project that is called like Python's own is not run."""
    (empty / "webbrowser.py").write_text("open('was-run', 'w').close()", "utf-8")
    run = add("slack", "--way", "oauth", "--set", f"client_id={world.slack.oauth.client_id}")
    run.communicate(timeout=180)

    assert run.returncode == 0, terminal.look()
    assert not (empty / "was-run").exists()


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_refused(rove: "Rove", world: World, name: str) -> None:
    """A script whose variable is unset connects no account under another name."""
    where = ("--base-url", world.urls["jira"], "--token-stdin")
    outcome = rove("--add-source", "jira", "--account", name, *where, typed="token\n")

    assert "--account: the value is empty" in outcome.err
    assert not world.vendors["jira"].exchanges


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(("kind", "way"), [("jira", "oauth"), ("github", "device")])
def test_nobody_is_waited_for(rove: "Rove", world: World, kind: str, way: str) -> None:
    """Without a terminal no page is opened and no code is waited for."""
    outcome = rove("--add-source", kind, "--base-url", world.urls[kind], "--way", way)

    assert outcome.code == 4
    assert f"by '{way}' needs a terminal" in outcome.err
    assert "--way token" in outcome.err
    assert not world.vendors[kind].exchanges


def test_variables_of_an_app_are_no_login(
    add: Start, rove: "Rove", terminal: "Terminal", world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What names an app answers when one logs in; a build uses the login that is stored."""
    given = ("--base-url", world.urls["slack"], "--token-stdin")
    rove("--add-source", "slack", *given, typed=f"{world.company.token}\n")
    monkeypatch.setenv("ROVE_SLACK_CLIENT_ID", world.slack.oauth.client_id)

    assert rove("sources", "test", "slack").code == 0
    run = add("slack", "--way", "oauth")
    _printed_page(terminal)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=180)
    assert "Client id of your app:" not in terminal.seen


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    "kind", sorted(name for name, kind in load_plugins().kinds.items() if kind.base_url)
)
def test_a_vendor_answers_at_its_own_address(rove: "Rove", kind: str) -> None:
    """Nobody has to say where that is: all that is missing is the token."""
    outcome = rove("sources", "add", kind)

    assert outcome.code == 4
    assert "missing token" in outcome.err
    assert f"ROVE_{kind.upper()}_TOKEN" in outcome.err
