"""Copies of repositories that are elsewhere."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.code.developer import Developer

from rove_code.repositories import checkout, open_repository
from rove_core.errors import Unavailable, WrongCall

_TOKEN = "CANARY-in-an-address"  # noqa: S105  # made up


@pytest.fixture
def copied(ann: Developer, tmp_path: Path) -> Callable[[], Path]:
    """Return what copies Ann's repository into a folder of copies."""
    ann.write("basket.py", "one\n")
    ann.commit()
    return lambda: checkout(ann.folder.as_uri(), tmp_path / "copies", allow_files=True)


def test_a_copy_has_branches_and_tags(ann: Developer, copied: Callable[[], Path]) -> None:
    """All that has a name at the origin has it in the copy."""
    ann.git("tag", "v1")
    ann.git("branch", "slow")
    repository = open_repository(copied())

    for specifier in ("workspace", "latest", "main", "v1", "slow"):
        version = repository.version(specifier)

        assert [data for _, data in repository.read(version, version.files)] == [b"one\n"]


def test_a_copy_is_brought_up_to_date(ann: Developer, copied: Callable[[], Path]) -> None:
    """New commits come, removed branches go, and the branch that is latest may be another."""
    ann.git("branch", "old")
    folder = copied()
    ann.git("branch", "--delete", "old")
    ann.git("checkout", "--quiet", "-b", "trunk")
    commit = ann.commit("Go on")

    assert copied() == folder
    assert open_repository(folder).version("latest").commit == commit
    assert "old" not in Developer(folder).git("branch")


def test_a_copy_can_be_used_as_it_is(ann: Developer, tmp_path: Path) -> None:
    """Without an update, nobody is asked for anything."""
    commit = ann.commit()
    address, copies = ann.folder.as_uri(), tmp_path / "copies"
    folder = checkout(address, copies, allow_files=True)
    ann.folder.rename(tmp_path / "away")

    assert checkout(address, copies, allow_files=True, update=False) == folder
    assert open_repository(folder).version().commit == commit
    with pytest.raises(Unavailable, match="shop"):
        checkout(address, copies, allow_files=True)


def test_what_a_killed_process_left_is_in_nobodys_way(copied: Callable[[], Path]) -> None:
    """Half a copy is made anew, and a lock of git's that nobody holds is removed."""
    folder = copied()
    (folder / "packed-refs.lock").touch()
    (folder / "refs" / "heads" / "main.lock").touch()
    folder.rename(folder.with_name(f".{folder.name}.new"))

    assert open_repository(copied()).version().files != ()
    (folder / "packed-refs.lock").touch()
    (folder / "refs" / "heads" / "main.lock").touch()
    assert copied() == folder


def test_a_copy_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """There is no copy of what is not there."""
    with pytest.raises(Unavailable, match="nothing"):
        checkout((tmp_path / "nothing").as_uri(), tmp_path / "copies", allow_files=True)

    assert [path.suffix for path in (tmp_path / "copies").iterdir()] == [".lock"]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "file:///srv/shop.git",
        "ext::sh -c touch% /tmp/x",
        "git://example.com/shop",
        "ftp://example.com/shop",
        "/srv/shop.git",
        "-oProxyCommand=x@host:shop",
        "ssh://-oProxyCommand=x/shop",
        "https://example.com/shop?token=CANARY-in-a-query",
        "https://exa mple.com/",
        "https://example.com/\n",
        "https:///shop",
        "https://[::1/shop",
    ],
)
def test_an_address_of_another_kind_is_refused(tmp_path: Path, address: str) -> None:
    """Nothing is started for what is not an address, or not one of an allowed kind."""
    with pytest.raises(WrongCall) as error:
        checkout(address, tmp_path / "copies")

    assert "CANARY" not in error.value.message
    assert not (tmp_path / "copies").exists()


class _Vendor(BaseHTTPRequestHandler):
    """Wants a login, and has nothing."""

    seen: list[str]

    def do_GET(self) -> None:
        """Write down what came, and refuse it."""
        self.seen.append(self.headers.get("Authorization", ""))
        self.send_response(404 if self.seen[-1] else 401)
        self.send_header("WWW-Authenticate", "Basic")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[tuple[int, list[str]]]:
    """Give the port of a vendor, and what logins it has seen."""
    seen: list[str] = []
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), type("Vendor", (_Vendor,), {"seen": seen})
    ) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], seen
        server.shutdown()


def test_a_login_is_sent_and_shown_to_nobody(tmp_path: Path) -> None:
    """A login in an address reaches the vendor, but no message, file or command line."""
    with serving() as (port, seen), pytest.raises(Unavailable) as error:
        checkout(f"http://ann:{_TOKEN}@127.0.0.1:{port}/shop.git", tmp_path / "copies")

    assert set(seen) == {f"Basic {b64encode(f'ann:{_TOKEN}'.encode()).decode()}"}
    assert _TOKEN not in f"{error.value.message}{error.value.hint}"
    assert not any(_TOKEN in path.name for path in (tmp_path / "copies").rglob("*"))


def test_nobody_is_asked_for_a_login(tmp_path: Path) -> None:
    """Where a login is needed and there is none, it fails at once."""
    with serving() as (port, _), pytest.raises(Unavailable, match="cannot fetch http"):
        checkout(f"http://127.0.0.1:{port}/shop.git", tmp_path / "copies")


def test_each_login_has_a_copy_of_its_own(tmp_path: Path) -> None:
    """Who names no login does not get what another's login fetched."""
    copies = tmp_path / "copies"
    with serving() as (port, _):
        for login in ("", f"ann:{_TOKEN}@", f"bob:{_TOKEN}@"):
            with pytest.raises(Unavailable):
                checkout(f"http://{login}127.0.0.1:{port}/shop.git", copies)

    assert len(list(copies.iterdir())) == 3
