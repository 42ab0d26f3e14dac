"""What may lie where a server listens, how long the way there may be, and who may call."""

import os
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.server.address import connect, open_folder
from rove.server.client import call
from rove.server.peers import peer_of
from rove.server.start import running, start, stop
from rove_core.errors import ServerTrouble, UnsafePlace
from rove_core.project.layout import ProjectPaths

if TYPE_CHECKING:
    from tests.app.conftest import Daemon

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture
def path(daemon: "Daemon") -> Path:
    """Make the project's folder, and return where the socket will be."""
    daemon.places.prepare()
    return daemon.places.socket


@pytest.fixture
def listening(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Let another program listen there."""
    monkeypatch.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path.name)
        listener.listen()
        yield listener


def refused(daemon: "Daemon", reason: str) -> None:
    """See that no server starts, for a reason."""
    with pytest.raises(ServerTrouble, match=reason):
        daemon.start()


def test_a_socket_that_is_left_over(daemon: "Daemon", listening: socket.socket) -> None:
    """Where nobody listens any more, it is replaced."""
    listening.close()
    assert stat.S_ISSOCK(daemon.places.socket.stat().st_mode)

    daemon.start()

    assert daemon.get("/health")[0] == 200


@pytest.mark.usefixtures("listening")
def test_another_program(daemon: "Daemon") -> None:
    """Whoever answers there goes on doing so."""
    refused(daemon, f"another program answers at {daemon.places.socket}")

    assert daemon.places.socket.is_socket()


def test_another_kind_of_socket(daemon: "Daemon", path: Path) -> None:
    """What cannot be called is nothing of Rove's."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        os.chdir(path.parent)
        other.bind(path.name)
        refused(daemon, "is not a socket of Rove's")

    assert path.is_socket()


def test_a_file(daemon: "Daemon", path: Path) -> None:
    """A file that lies there is somebody's."""
    path.write_text("mine")
    refused(daemon, f"{path} is a file, not a socket")

    assert path.read_text() == "mine"


def test_a_folder(daemon: "Daemon", path: Path) -> None:
    """So is a folder."""
    path.mkdir()
    refused(daemon, f"{path} is a folder, not a socket")

    assert path.is_dir()


def test_a_link(daemon: "Daemon", path: Path, tmp_path: Path) -> None:
    """A link is not followed, and what it leads to is left alone."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    path.symlink_to(victim)
    with pytest.raises(UnsafePlace, match=f"{path} is a link"):
        daemon.start()

    assert path.is_symlink()
    assert victim.read_text() == "mine"


@needs_root
def test_the_socket_of_another_user(daemon: "Daemon", path: Path, listening: socket.socket) -> None:
    """It may be left over: it is not ours to remove."""
    listening.close()
    os.chown(path, NOBODY, NOBODY)
    refused(daemon, f"{path} belongs to user {NOBODY}")

    assert path.is_socket()


@pytest.mark.parametrize("length", [90, 107, 108, 150, 200, 240])
def test_a_long_way(tmp_path: Path, length: int) -> None:
    """The path of the socket may be longer than systems allow: it is never used as a whole."""
    room = length - len(str(tmp_path / "x/.rove/api.sock"))
    if room < 1:
        pytest.skip("the folder for tests is deeper than that")
    root = tmp_path / ("x" * min(room, 100)) / ("y" * max(1, room - 101))
    root.mkdir(parents=True)
    places = ProjectPaths.at(root)
    start(places)
    try:
        assert call(places, "GET", "/health")[0] == 200
    finally:
        stop(places)


def test_the_peer_is_known(daemon: "Daemon") -> None:
    """The kernel says whose the other end is, and which process listens."""
    server = daemon.start()
    with closing(connect(open_folder(daemon.places.rove))) as connection:
        peer = peer_of(connection)

    assert (peer.uid, peer.pid) == (os.geteuid(), server.pid)


#: Becomes another user, calls a socket below the current folder, and prints what comes back.
_STRANGER = f"""
import os, socket
with socket.socket(socket.AF_UNIX) as caller:
    os.setuid({NOBODY})
    caller.connect("api.sock")
    try:
        caller.sendall(b"GET /health HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
        print(caller.recv(1000))
    except OSError as error:
        print(type(error).__name__)
"""


@needs_root
def test_another_user_is_not_let_in(daemon: "Daemon") -> None:
    """Even if the socket were opened to all, no other user has an answer."""
    daemon.start()
    daemon.places.rove.chmod(0o777)
    daemon.places.socket.chmod(0o777)
    said = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-c", _STRANGER],
        cwd=daemon.places.rove,
        capture_output=True,
        text=True,
        check=False,
    )

    assert said.stdout in {"b''\n", "BrokenPipeError\n", "ConnectionResetError\n"}, said.stderr
    assert f"refused a connection of user {NOBODY}" in daemon.log
    assert daemon.get("/health")[0] == 200


#: Becomes another user, and answers at a socket below the current folder.
_IMPOSTOR = f"""
import os, socket
os.setgid({NOBODY})
os.setuid({NOBODY})
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind("api.sock")
    listener.listen()
    print("ready", flush=True)
    while True:
        caller, _ = listener.accept()
        caller.sendall(b"HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{{}}")
        caller.close()
"""


@needs_root
def test_the_server_of_another_user_is_not_asked(daemon: "Daemon", path: Path) -> None:
    """Whoever could put a socket there could answer anything: nobody listens to it."""
    path.parent.chmod(0o777)
    command = [sys.executable, "-c", _IMPOSTOR]
    with subprocess.Popen(command, cwd=path.parent, stdout=subprocess.PIPE) as impostor:  # noqa: S603  # our own
        assert impostor.stdout
        assert impostor.stdout.readline() == b"ready\n"
        with pytest.raises(PermissionError, match=f"served by user {NOBODY}"):
            daemon.get("/health")
        there = running(daemon.places)
        impostor.kill()

    assert there is None


def test_worktrees_share_a_server(daemon: "Daemon", monkeypatch: pytest.MonkeyPatch) -> None:
    """All worktrees of a repository have one ``.rove``, and one server."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git here")
    root = daemon.places.root
    by = ["-c", "user.name=Robin", "-c", "user.email=robin@northwind.example"]
    for arguments in (
        ["init", "-q"],
        [*by, "commit", "-q", "--allow-empty", "-m", "First"],
        ["worktree", "add", "-q", "../second"],
        ["worktree", "add", "-q", "../third"],
    ):
        subprocess.run([git, *arguments], cwd=root, check=True)  # noqa: S603  # as people do
    first = daemon.start()
    found = []
    for name in ("second", "third"):
        monkeypatch.chdir(root.parent / name)
        found.append(start(ProjectPaths.find(Path.cwd())))

    assert [(each.is_new, each.server.pid) for each in found] == [(False, first.pid)] * 2
