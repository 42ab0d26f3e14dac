"""Copies of repositories that a server has."""

import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.code.developer import Developer
from tests.code.git_server import GitServer, git_server

from rove_code.repositories import checkout, open_repository
from rove_core.errors import Unavailable

_PASSWORD = "CANARY-in-an-address"  # noqa: S105  # made up
_LOGIN = f"ann:{_PASSWORD}"


@pytest.fixture
def server(ann: Developer) -> Iterator[GitServer]:
    """Serve Ann's repository."""
    ann.write("basket.py", "basket = 1\n" * 999)
    ann.commit()
    with git_server(ann.folder.parent) as server:
        yield server


def files_in(copy: Path) -> list[str]:
    """Return the paths of a copy's files."""
    return [file.path for file in open_repository(copy).version("latest").files]


def test_a_repository_is_cloned_and_kept_up_to_date(
    server: GitServer, ann: Developer, tmp_path: Path
) -> None:
    """What is committed there later is there at the next look."""
    first = files_in(checkout(server.address(), tmp_path / "copies"))
    ann.write("till.py")
    ann.commit()

    assert first == ["basket.py"]
    assert files_in(checkout(server.address(), tmp_path / "copies")) == ["basket.py", "till.py"]


def test_a_login_is_used_and_left_nowhere(server: GitServer, tmp_path: Path) -> None:
    """It goes to the server, but into no file, no command line and no file's name."""
    server.login = _LOGIN
    copy = checkout(server.address(_LOGIN), tmp_path / "copies")
    kept = b"".join(file.read_bytes() for file in copy.rglob("*") if file.is_file())
    written = re.compile(f"{_PASSWORD}|{b64encode(_LOGIN.encode()).decode()}")

    assert files_in(copy) == ["basket.py"]
    assert set(server.logins) == {server.wanted}
    assert any("git" in command for command in server.commands)
    assert not written.search("\n".join((*server.commands, str(copy), kept.decode("latin-1"))))


@pytest.mark.parametrize("login", ["", "ann:wrong", "bob:" + _PASSWORD])
def test_without_the_right_login_there_is_no_copy(
    server: GitServer, tmp_path: Path, login: str
) -> None:
    """Not even where somebody else with a login has made one."""
    server.login = _LOGIN
    checkout(server.address(_LOGIN), tmp_path / "copies")

    with pytest.raises(Unavailable) as error:
        checkout(server.address(login), tmp_path / "copies")

    assert _PASSWORD not in f"{error.value.message}{error.value.hint}"


def test_a_login_may_be_a_token_alone(server: GitServer, tmp_path: Path) -> None:
    """Vendors take a token in the place of a name."""
    server.login = f"{_PASSWORD}:"

    assert files_in(checkout(server.address(_PASSWORD), tmp_path / "copies")) == ["basket.py"]


@pytest.mark.parametrize("is_first", [True, False])
def test_after_a_server_died_in_the_middle_the_next_call_works(
    server: GitServer, ann: Developer, tmp_path: Path, *, is_first: bool
) -> None:
    """Neither a first copy nor an update is left half done."""
    if not is_first:
        checkout(server.address(), tmp_path / "copies")
    ann.write("till.py", "till = 1\n" * 999)
    ann.commit()
    server.fault = "cut"

    with pytest.raises(Unavailable):
        checkout(server.address(), tmp_path / "copies")
    server.fault = ""

    assert files_in(checkout(server.address(), tmp_path / "copies")) == ["basket.py", "till.py"]


@pytest.mark.parametrize("login", ["", f"{_LOGIN}@"])
def test_nobody_is_followed_to_another_server(
    server: GitServer, tmp_path: Path, login: str
) -> None:
    """A host that nobody has allowed is not asked, and no login is shown to it."""
    with git_server(tmp_path) as other:
        server.sends_on = f"http://localhost:{other.port}"

        with pytest.raises(Unavailable, match="302"):
            checkout(server.address(login.removesuffix("@")), tmp_path / "copies")

        assert other.logins == []


def test_an_answer_without_an_end_is_given_up(server: GitServer, tmp_path: Path) -> None:
    """No disk is filled, and nothing of it is left."""
    server.fault = "endless"

    with pytest.raises(Unavailable, match="more than 1 MB"):
        checkout(server.address(), tmp_path / "copies", most=1 << 20)

    assert [path.suffix for path in (tmp_path / "copies").iterdir()] == [".lock"]
