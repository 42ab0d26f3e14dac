"""What a look at everything finds, and that nothing keeps it from looking on."""

import os
import socket
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.command_path import command_path
from rove_core.project.layout import ProjectPaths
from rove_core.store.connection import open_for_writing

if TYPE_CHECKING:
    from tests.core.conftest import FakeKeychain, Look

EVERYTHING = {
    *("python", "packages", "plugins", "project", "your folders", "leftovers", "disk (project)"),
    *(
        "command",
        "disk (yours)",
        "settings",
        "trust",
        "index",
        "stores",
        "socket",
        "logins",
        "accounts",
        "clock",
    ),
    "model",
}


def test_a_new_project(
    looked: "Look", places: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing was done yet all is well, and everything was looked at."""
    monkeypatch.setenv("PATH", str(command_path().parent))

    found = looked(places)

    assert set(found) >= EVERYTHING
    assert [each for many in found.values() for each in many if each.state != "ok"] == []


@pytest.mark.parametrize(
    ("other", "found"),
    [("", "rove is not on PATH"), ("bin/rove", "the rove on PATH is a different one")],
)
def test_a_shell_that_does_not_find_rove(
    looked: "Look",
    places: ProjectPaths,
    monkeypatch: pytest.MonkeyPatch,
    other: str,
    found: str,
) -> None:
    """Agents call it by its name: one that is not there, or another one, is a warning."""
    folder = places.root / "bin"
    folder.mkdir()
    if other:
        (places.root / other).write_text("#!/bin/sh\n", "utf-8")
        (places.root / other).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))

    (finding,) = looked(places)["command"]

    assert finding.state == "warning"
    assert found in finding.found


def test_looking_leaves_no_trace(looked: "Look", places: ProjectPaths) -> None:
    """To look changes nothing on the disk."""
    before = sorted(places.root.parent.rglob("*"))
    looked(places)

    assert sorted(places.root.parent.rglob("*")) == before


def _no_toml(places: ProjectPaths) -> None:
    places.settings_file.write_text("[ai\n")


def _settings_that_wait(places: ProjectPaths) -> None:
    os.mkfifo(places.settings_file)


def _damaged_index(places: ProjectPaths) -> None:
    places.index.write_bytes(b"no database at all" * 100)


def _folder_as_index(places: ProjectPaths) -> None:
    places.index.mkdir()


def _file_as_socket(places: ProjectPaths) -> None:
    places.socket.touch()


def _link_as_rove(places: ProjectPaths) -> None:
    places.rove.rename(places.root / "elsewhere")
    places.rove.symlink_to(places.root / "elsewhere")


def _linked_index(places: ProjectPaths) -> None:
    places.index.symlink_to("/dev/null")


def _index_without_a_version(places: ProjectPaths) -> None:
    with closing(sqlite3.connect(places.index)) as db:
        db.execute("CREATE TABLE other (x)")


def _pipe_beside_the_index(places: ProjectPaths) -> None:
    open_for_writing(places.index).close()
    os.mkfifo(f"{places.index}-wal")


def _emptied_index(places: ProjectPaths) -> None:
    places.index.touch(mode=0o600)
    places.context.mkdir()
    (places.context / "TB-1_x.md").touch()


def _damaged_cache(places: ProjectPaths) -> None:
    (places.rove / "code.db").write_bytes(b"no database at all" * 100)


def _damaged_memory(places: ProjectPaths) -> None:
    path = places.data_dir / "state" / "memory" / "memory.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all" * 100)


def _memory_without_a_version(places: ProjectPaths) -> None:
    path = places.data_dir / "state" / "memory" / "memory.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE memory (key TEXT)")


def _folder_as_key(places: ProjectPaths) -> None:
    (places.rove / "marks.key").mkdir()


def _damaged_accounts(places: ProjectPaths) -> None:
    places.data_dir.mkdir(mode=0o700)
    (places.data_dir / "accounts.toml").write_text("[accounts]\njira = 5\n")


def _damaged_choice(places: ProjectPaths) -> None:
    places.data_dir.mkdir(mode=0o700)
    (places.data_dir / "credential-store.json").write_text("{}")
    (places.data_dir / "credential-store.json").chmod(0o600)


@pytest.mark.parametrize(
    ("damage", "name", "said"),
    [
        (_no_toml, "settings", ".rove/settings.toml:1"),
        (_settings_that_wait, "settings", "is not a file"),
        (_damaged_index, "index", "is damaged: file is not a database"),
        (_folder_as_index, "index", "is a folder"),
        (_linked_index, "index", "is a link"),
        (_index_without_a_version, "index", "it has tables but no version"),
        (_pipe_beside_the_index, "index", "index.db-wal is a pipe"),
        (_emptied_index, "index", "is empty, and"),
        (_damaged_cache, "stores", "code.db is damaged: file is not a database"),
        (_damaged_memory, "stores", "memory.db is damaged: file is not a database"),
        (_memory_without_a_version, "stores", "memory.db is damaged: it has tables but no version"),
        (_folder_as_key, "stores", "marks.key is a folder"),
        (_file_as_socket, "socket", "is not a socket"),
        (_link_as_rove, "project", "is a link"),
        (_damaged_accounts, "accounts", "accounts.jira is not in Rove's format"),
        (_damaged_choice, "logins", "does not say which credential store was chosen"),
    ],
)
def test_what_is_broken_hides_nothing_else(
    looked: "Look",
    places: ProjectPaths,
    damage: Callable[[ProjectPaths], None],
    name: str,
    said: str,
) -> None:
    """What is wrong is said with the next step, and everything else is looked at all the same."""
    damage(places)
    found = looked(places)
    problems = [each for each in found[name] if each.state == "problem"]
    rest = EVERYTHING - {"settings", "trust", "index", "stores", "socket"}

    assert any(said in each.found and each.next for each in problems)
    assert set(found) >= rest


def test_a_wrong_line_is_told_once(looked: "Look", places: ProjectPaths) -> None:
    """What the settings say of a line the question of trust does not say again."""
    places.settings_file.write_text("[scheduler\n")
    told = [each for found in looked(places).values() for each in found if each.state == "problem"]

    assert [each.name for each in told] == ["settings"]


def test_no_home_at_all(looked: "Look", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a home folder the rest is looked at, too."""
    for name in ("HOME", "ROVE_DATA_DIR", "ROVE_CONFIG_DIR"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "getuid", lambda: 987_654_321)
    (home,) = looked(ProjectPaths.unchecked(tmp_path))["your folders"]

    assert (home.state, home.next[:8]) == ("problem", "Set HOME")


def test_a_home_in_which_nothing_can_be_made(
    looked: "Look", places: ProjectPaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is not there is a problem if it cannot be made."""
    file = tmp_path / "a-file"
    file.touch()
    monkeypatch.setenv("ROVE_DATA_DIR", str(file / "rove"))
    (home,) = looked(places)["your folders"]

    assert (home.state, home.found) == (
        "problem",
        f"{file / 'rove'} cannot be made: {file} cannot be written",
    )


def test_a_plugin_that_hangs(
    looked: "Look", places: ProjectPaths, install_plugin: Callable[..., None]
) -> None:
    """A plugin that never ends its import costs its deadline, and the accounts that need it."""
    looked(places)  # What is imported only once is not waited for a second time.
    release = threading.Event()
    threading.hanging_plugin = release  # type: ignore[attr-defined]  # how the plugin finds it
    install_plugin("hanging", text="import threading\nthreading.hanging_plugin.wait()\n")
    try:
        found = looked(places, patience=0.05)
    finally:
        release.set()

    assert "did not finish within 0.75 s" in found["plugins"][0].found
    assert found["accounts"][0].found == "skipped: the plugins are not loaded, see above"
    assert found["model"][0].state == "ok"


def test_a_broken_plugin(
    looked: "Look", places: ProjectPaths, install_plugin: Callable[..., None]
) -> None:
    """A broken plugin is named with the reason, and those that work are listed."""
    install_plugin("broken", text="raise RuntimeError('out of order')\n")
    found = looked(places)
    (broken,) = found["plugin broken"]

    assert "raises at import: RuntimeError: out of order" in broken.found
    assert "jira" in found["plugins"][0].found


def test_a_keychain_that_hangs(
    looked: "Look", places: ProjectPaths, keychain: "FakeKeychain", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keychain that does not answer is given up; what comes after it is looked at."""
    looked(places)  # What is imported only once is not waited for a second time.
    release = threading.Event()
    monkeypatch.setattr(type(keychain), "get_password", lambda *_: release.wait())
    try:
        found = looked(places, patience=0.1)
    finally:
        release.set()

    assert found["logins"][0].state == "problem"
    assert "did not finish within" in found["logins"][0].found
    assert found["model"][0].state == "ok"


def test_the_keychain_is_probed(
    looked: "Look", places: ProjectPaths, keychain: "FakeKeychain"
) -> None:
    """A keychain that works is named with the time that a probe took; none is left in it."""
    (found,) = looked(places)["logins"]

    assert (
        "keyring.backends.macOS.Keyring, which stored and returned a test entry in " in found.found
    )
    assert keychain.entries == {}


def test_an_encrypted_file(looked: "Look", places: ProjectPaths) -> None:
    """Where logins are in the file it is said which one, and why."""
    (found,) = looked(places)["logins"]

    assert "it would be in an encrypted file: this system has no keychain" in found.found


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_open_files_are_closed(looked: "Look", places: ProjectPaths) -> None:
    """What others could read is a problem, which --fix mends."""
    places.index.parent.chmod(0o755)
    (places.rove / "marks.key").write_bytes(b"k")
    (places.rove / "marks.key").chmod(0o644)
    (places.rove / "settings.toml").write_text("")
    (places.rove / "settings.toml").chmod(0o644)
    before = looked(places)["project"]
    fixed = looked(places, fix=True)["project"]

    assert [each.state for each in before] == ["ok", "problem"]
    assert "2 of its files and folders" in before[1].found
    assert [each.fixed for each in fixed] == [False, True]
    assert [_mode(places.rove), _mode(places.rove / "marks.key")] == [0o700, 0o600]
    assert _mode(places.rove / "settings.toml") == 0o644


def test_a_document_that_others_can_read(looked: "Look", places: ProjectPaths) -> None:
    """It is named, and --fix closes it; other files beside it are nobody's business."""
    places.context.mkdir(mode=0o700)
    document, other = places.context / "TB-1_x.md", places.context / "notes.md"
    document.write_text("# Context: TB-1 - x\n")
    other.write_text("mine\n")
    for path in (document, other):
        path.chmod(0o644)
    (before,) = (each for each in looked(places)["project"] if each.state != "ok")
    looked(places, fix=True)

    assert (before.state, "TB-1_x.md, are readable by others" in before.found) == ("warning", True)
    assert [_mode(document), _mode(other)] == [0o600, 0o644]


def test_links_are_not_followed(looked: "Look", places: ProjectPaths, tmp_path: Path) -> None:
    """What a link leads to keeps its permissions: --fix touches nothing elsewhere."""
    (tmp_path / "theirs").touch(mode=0o644)
    (tmp_path / "folder").mkdir(mode=0o755)
    (places.rove / "one").symlink_to(tmp_path / "theirs")
    (places.rove / "two").symlink_to(tmp_path / "folder")
    found = looked(places, fix=True)["project"]

    assert sum(each.found.endswith(" is a link") for each in found) == 2
    assert [_mode(tmp_path / "theirs"), _mode(tmp_path / "folder")] == [0o644, 0o755]


def test_git_is_told(looked: "Look", places: ProjectPaths) -> None:
    """A project whose .rove git would take is a warning; --fix writes what keeps it out."""
    (places.root / ".git").mkdir()
    before = looked(places)["project"][-1]
    looked(places, fix=True)

    assert "git would track Rove's data" in before.found
    assert (places.rove / ".gitignore").read_text() == "*\n!.gitignore\n!settings.toml\n"
    assert looked(places)["project"][-1].state == "ok"


def test_leftovers_are_removed(looked: "Look", places: ProjectPaths) -> None:
    """What a killed writer left behind is counted, and removed by --fix."""
    left = places.rove / ".marks.key.0123456789ab.rove-new"
    left.touch(mode=0o600)
    (before,) = looked(places)["leftovers"]
    (fixed,) = looked(places, fix=True)["leftovers"]

    assert (before.state, before.found) == ("warning", "1 file of writers that were killed")
    assert fixed.fixed
    assert not left.exists()


def test_a_stale_socket_is_removed(looked: "Look", places: ProjectPaths) -> None:
    """A socket at which nobody answers is told, and removed by --fix."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(places.socket))
    (before,) = looked(places)["socket"]
    looked(places, fix=True)

    assert (before.state, "no server is running" in before.found) == ("warning", True)
    assert not places.socket.exists()


def test_a_server_is_left_alone(looked: "Look", places: ProjectPaths) -> None:
    """A socket at which a server answers stays."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(places.socket))
        server.listen()
        (found,) = looked(places, fix=True)["socket"]

    assert (found.state, places.socket.exists()) == ("ok", True)


def test_a_long_path(looked: "Look", tmp_path: Path) -> None:
    """A project so deep that its socket cannot be named is told so."""
    root = tmp_path / ("x" * 100)
    root.mkdir()
    (found,) = looked(ProjectPaths.at(root))["socket"]

    assert (found.state, "systems allow at most 107" in found.found) == ("warning", True)


def test_a_damaged_index_is_put_aside(looked: "Look", places: ProjectPaths) -> None:
    """--fix keeps a damaged index under another name, with what belongs to it."""
    _damaged_index(places)
    (places.rove / "index.db-wal").write_bytes(b"also")
    (fixed,) = looked(places, fix=True)["index"]

    assert fixed.fixed
    assert not places.index.exists()
    assert (places.rove / "index.db.damaged-1").read_bytes().startswith(b"no database")
    assert (places.rove / "index.db.damaged-1-wal").read_bytes() == b"also"


def test_what_can_be_rebuilt_is_put_aside(looked: "Look", places: ProjectPaths) -> None:
    """--fix touches no memory: a person puts a copy back, or begins anew."""
    _damaged_cache(places)
    _damaged_memory(places)
    copy = places.data_dir / "state" / "memory" / "memory.db.before-3"
    copy.touch()
    kept, fixed = sorted(looked(places, fix=True)["stores"], key=lambda each: each.fixed)

    assert fixed.fixed
    assert (places.rove / "code.db.damaged-1").exists()
    assert (kept.state, f"cp {copy} " in kept.next) == ("problem", True)


def _newer(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE anything (key TEXT)")
        db.execute("PRAGMA user_version = 999")


@pytest.mark.parametrize(
    ("name", "distribution"),
    [
        ("data/state/memory/user/registry.db", "rove-memory"),
        ("data/state/memory/user/projects/p-1.db", "rove-memory"),
        ("data/state/folder/user/folder.db", "rove-folder"),
        ("rove/state/folder/text.db", "rove-folder"),
        ("rove/code.db", "rove-code"),
        ("rove/code-commentary.db", "rove-code"),
        ("rove/code-vectors.db", "rove-code"),
        ("mirrors/jira.db", "rove-core"),
    ],
)
def test_a_database_of_a_newer_package(
    looked: "Look", places: ProjectPaths, name: str, distribution: str
) -> None:
    """Each shipped package declares its databases: a newer one stays, and the update is named."""
    base, _, rest = name.partition("/")
    roots = {"data": places.data_dir, "rove": places.rove, "mirrors": places.mirrors}
    path = roots[base] / rest
    _newer(path)
    (found,) = looked(places, fix=True)["stores"]

    assert found.state == "problem"
    assert f"{path} was made by a newer {distribution}: its version is 999" in found.found
    assert found.next == f"pip install --upgrade {distribution}"
    assert path.exists()


@pytest.mark.parametrize(
    "name",
    ["rove/state/folder/text.db", "data/state/folder/user/folder.db", "rove/code-vectors.db"],
)
def test_a_damaged_database_of_a_package(looked: "Look", places: ProjectPaths, name: str) -> None:
    """It is named with a way out, wherever the package keeps it."""
    base, _, rest = name.partition("/")
    path = {"data": places.data_dir, "rove": places.rove}[base] / rest
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_bytes(b"no database at all" * 100)
    (found,) = looked(places)["stores"]

    assert (found.state, f"{path} is damaged" in found.found) == ("problem", True)
    assert found.next


def test_a_database_in_use_is_not_called_whole(looked: "Look", places: ProjectPaths) -> None:
    """Nobody can say how it is while another process has it to itself."""
    path = places.rove / "code.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 1")
        db.execute("BEGIN EXCLUSIVE")
        (found,) = looked(places)["stores"]

    assert (found.state, f"{path} was not checked" in found.found) == ("ok", True)


def test_an_index_of_a_newer_rove(looked: "Look", places: ProjectPaths) -> None:
    """An index that this Rove is too old for is not damaged, and stays."""
    with sqlite3.connect(places.index) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    (found,) = looked(places, fix=True)["index"]

    assert (found.state, "made by a newer Rove" in found.found) == ("problem", True)
    assert places.index.exists()
