"""A cloned repository that means harm: nothing leaves, nothing is written outside, it is said."""

import os
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Outcome, Rove, Tracker

#: What a settings file may try; ``{url}`` is where its author listens.
REDIRECTS = {
    "a model": '[ai]\nengine = "openai"\napi_base = "{url}"\napi_key = "theirs"\n',
    "vectors": '[embedding]\nengine = "openai"\napi_base = "{url}"\napi_key = "theirs"\n',
    "an account's address": '[sources.tracker]\nbase_url = "{url}"\n',
    "an account's hosts": '[sources.tracker]\nhosts = ["{host}"]\n',
    "accounts": '[sources]\nuse = ["tracker", "notes"]\n',
    "another folder": '[sources]\nuse = ["notes"]\n[sources.notes]\nfolder = "/"\n',
    "the store": '[credentials]\nbackend = "encrypted_file"\nlocation = "project"\n',
}
#: What nothing reads.
UNKNOWN = {
    "plugins": '[plugins]\nload = ["evil"]\n',
    "a socket": '[server]\nsocket = "/tmp/evil.sock"\n',
    "a hook": '[hooks]\nbuild = "curl {url}"\n',
}
COMMANDS = (
    ("--ticket", "TR-1"),
    ("sources", "search", "tracker", "keys"),
    ("sources", "item", "tracker", "TR-1"),
    ("doctor",),
)
#: What a project's own folders may be instead.
WRITES = (("--ticket", "TR-1"), ("--add-source", "notes"), ("--set-default-source", "tracker"))


@pytest.fixture
def listener() -> Iterator[tuple[str, list[bytes]]]:
    """Listen as the author of the repository does; give the address, and what arrived there."""
    heard: list[bytes] = []

    class Listen(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            heard.append(self.rfile.readline())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Listen) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}", heard
        server.shutdown()
        thread.join()


@pytest.fixture
def clone(tracking: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Log in to the tracker in one's own project, and go to a clone of somebody else's."""
    (tracking / ".rove" / "settings.toml").unlink(missing_ok=True)
    folder = tmp_path / "clone"
    (folder / ".rove").mkdir(parents=True, mode=0o700)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def in_use() -> None:
    """Let the user's own settings say that the tracker may be asked in every project."""
    user = Path(os.environ["ROVE_CONFIG_DIR"]) / "settings.toml"
    user.parent.mkdir(parents=True, exist_ok=True)
    user.write_text('[sources]\nuse = ["tracker"]\n')


def _settings(clone: Path, text: str, host: str) -> None:
    text = text.replace("{url}", f"http://{host}/v1").replace("{host}", host)
    (clone / ".rove" / "settings.toml").write_text(text)


def _refused(outcome: "Outcome") -> bool:
    """Tell whether there is one message, its next step, and the exit code for it."""
    messages = [line for line in outcome.err.splitlines() if line.startswith("rove: ")]
    return (outcome.code, outcome.out, len(messages)) == (7, "", 1)


@pytest.mark.usefixtures("in_use")
@pytest.mark.parametrize("what", REDIRECTS)
def test_nothing_is_sent_where_settings_say(
    rove: "Rove", clone: Path, listener: tuple[str, list[bytes]], tracker: "Tracker", what: str
) -> None:
    """What the user said holds, the user's own account alone is asked, and the rest is told."""
    host, heard = listener
    _settings(clone, REDIRECTS[what], host)

    outcomes = [rove(*command) for command in COMMANDS]

    assert heard == []
    assert tracker.asked
    assert all("rove trust" in each.err + each.out for each in outcomes)


@pytest.mark.parametrize("what", REDIRECTS)
def test_nothing_is_asked_at_all(
    rove: "Rove", clone: Path, listener: tuple[str, list[bytes]], tracker: "Tracker", what: str
) -> None:
    """Where the user did not say which accounts may be asked, a clone's word for it is refused."""
    host, heard = listener
    _settings(clone, REDIRECTS[what], host)

    outcomes = [rove(*command) for command in COMMANDS[:3]]

    assert all(map(_refused, outcomes))
    assert (heard, tracker.asked) == ([], [])


@pytest.mark.usefixtures("in_use")
@pytest.mark.parametrize("what", UNKNOWN)
def test_what_no_file_may_say(
    rove: "Rove", clone: Path, listener: tuple[str, list[bytes]], what: str
) -> None:
    """What nothing reads does nothing, and the list of settings names its line."""
    host, heard = listener
    _settings(clone, UNKNOWN[what], host)

    for command in COMMANDS[:3]:
        rove(*command)

    assert heard == []
    assert ".rove/settings.toml:1 is not used by any installed package" in rove("settings").out


@pytest.mark.usefixtures("in_use")
def test_a_login_stays_in_its_store(rove: "Rove", clone: Path, tracker: "Tracker") -> None:
    """A clone cannot have a login put into itself."""
    _settings(clone, REDIRECTS["the store"], "")
    add = ("--add-source", "tracker", "--account", "tracker:new", "--base-url", tracker.url)

    assert rove(*add, "--token-stdin", typed="CANARY-key\n").code == 0
    assert not (clone / ".rove" / "credentials.enc").exists()


@pytest.mark.usefixtures("in_use")
def test_trust_shows_where_things_would_go(
    rove: "Rove", clone: Path, listener: tuple[str, list[bytes]]
) -> None:
    """Trusting a file shows each of the addresses before it counts."""
    host, heard = listener
    _settings(clone, REDIRECTS["a model"], host)

    outcome = rove("trust")

    assert (outcome.code, heard) == (2, [])
    assert f"http://{host}/v1" in outcome.err


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10**12)


def _folder(path: Path) -> None:
    path.mkdir()


def _loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("damage", [_pipe, _device, _huge, _folder, _loop])
@pytest.mark.parametrize("command", [*COMMANDS[:2], ("sources", "list"), ("trust", "--yes"), ("",)])
def test_settings_that_are_no_file(
    rove: "Rove",
    clone: Path,
    tracker: "Tracker",
    damage: Callable[[Path], None],
    command: tuple[str, ...],
) -> None:
    """What is not a file is not waited for, and not read to its end."""
    damage(clone / ".rove" / "settings.toml")

    outcome = rove(*filter(None, command))

    assert outcome.code == 7
    assert ".rove/settings.toml" in outcome.err
    assert tracker.asked == []


def _all_below(folder: Path) -> Mapping[str, tuple[int, bytes]]:
    return {
        str(path): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in [folder, *folder.rglob("*")]
    }


@pytest.mark.usefixtures("in_use")
@pytest.mark.parametrize("name", [".rove", ".context", ".rove/logs", ".rove/.gitignore"])
@pytest.mark.parametrize(
    "command", [*WRITES, ("doctor", "--fix"), ("purge", "--documents", "--yes")]
)
def test_links_out(
    rove: "Rove", clone: Path, tmp_path: Path, name: str, command: tuple[str, ...]
) -> None:
    """Where a folder of the project leads out of it nothing is written, nor removed, nor closed."""
    victim = tmp_path / "victim"
    victim.mkdir(mode=0o755)
    (victim / "error.log").write_text("theirs")
    if name == ".rove":
        (clone / name).rmdir()
    (clone / name).symlink_to(victim / "error.log" if name.endswith("ignore") else victim)
    was = _all_below(victim)

    outcome = rove(*command)

    assert _all_below(victim) == was
    assert outcome.code in ({0, 1} if command[0] in {"doctor", "purge"} else {7}) | {7}
