"""Where the encrypted file may lie, and where not."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rove_core.auth.credentials import EncryptedFileStore
from rove_core.errors import UnsafePlace
from rove_core.login import Credential


@pytest.fixture
def store(tmp_path: Path, credential: Credential) -> EncryptedFileStore:
    """Give a store with one login, its file in a project."""
    store = EncryptedFileStore(tmp_path / "data", project=tmp_path / "project")
    asyncio.run(store.set("jira", credential))
    return store


@pytest.fixture(params=["get", "set", "delete"])
def use(
    request: pytest.FixtureRequest, store: EncryptedFileStore, credential: Credential
) -> Callable[[], object]:
    """Give each thing that a store does, in turn."""
    calls: dict[str, Callable[[], object]] = {
        "get": lambda: asyncio.run(store.get("jira")),
        "set": lambda: asyncio.run(store.set("jira", credential)),
        "delete": lambda: asyncio.run(store.delete("jira")),
    }
    return calls[request.param]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610])
@pytest.mark.parametrize("file", ["project/.rove/credentials.enc", "data/master.key"])
def test_a_file_open_to_others_is_refused(
    tmp_path: Path, use: Callable[[], object], file: str, mode: int
) -> None:
    """Somebody may have read it; the error says how to close it."""
    path = tmp_path / file
    path.chmod(mode)

    with pytest.raises(UnsafePlace, match=f"{file} is open to other users") as caught:
        use()

    assert caught.value.hint.endswith(f"chmod 600 {path}")


@pytest.mark.parametrize(
    ("folder", "mode", "mend"),
    [
        ("data", 0o750, "700"),
        ("data", 0o701, "700"),
        ("data", 0o1777, "700"),
        ("project/.rove", 0o775, "755"),
        ("project/.rove", 0o757, "755"),
    ],
)
def test_a_folder_open_to_others_is_refused(
    tmp_path: Path, use: Callable[[], object], folder: str, mode: int, mend: str
) -> None:
    """Somebody could put another file there."""
    path = tmp_path / folder
    path.chmod(mode)

    with pytest.raises(UnsafePlace, match=f"{folder} is open to other users") as caught:
        use()

    assert "rove doctor --fix" in caught.value.hint
    assert caught.value.hint.endswith(f"chmod {mend} {path}")


def test_a_projects_folder_may_be_read_by_others(
    store: EncryptedFileStore, credential: Credential
) -> None:
    """It holds what a team shares, too."""
    store.path.parent.chmod(0o755)

    assert asyncio.run(store.get("jira")) == credential


@pytest.mark.parametrize(
    "place", ["data", "project/.rove", "data/master.key", "project/.rove/credentials.enc"]
)
def test_a_link_is_refused(tmp_path: Path, use: Callable[[], object], place: str) -> None:
    """Whoever made it decides what is read and written."""
    path = tmp_path / place
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(UnsafePlace, match=f"{place} is a link"):
        use()


@pytest.mark.parametrize("place", ["data/master.key", "project/.rove/credentials.enc"])
def test_a_pipe_is_refused(tmp_path: Path, use: Callable[[], object], place: str) -> None:
    """Nobody waits for what somebody may write into it."""
    path = tmp_path / place
    path.unlink()
    os.mkfifo(path, 0o600)

    with pytest.raises(UnsafePlace, match=f"{place} is a link or not a file"):
        use()


def test_what_belongs_to_another_user_is_refused(
    use: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not ours to trust; the error says how to take it over."""
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)

    with pytest.raises(UnsafePlace, match=f"belongs to user .*, not to {stranger}") as caught:
        use()

    assert f"sudo chown {stranger} " in caught.value.hint


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("place", ["data/master.key", "project/.rove/credentials.enc"])
def test_a_strangers_file_is_refused(tmp_path: Path, use: Callable[[], object], place: str) -> None:
    """Even root does not use what another user could have prepared."""
    os.chown(tmp_path / place, 65534, -1)

    with pytest.raises(UnsafePlace, match=f"{place} belongs to user 65534"):
        use()
