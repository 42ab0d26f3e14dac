import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from rove_core.errors import DiskTrouble, Locked, UnsafePlace
from rove_core.store.files import FileLock, private_folder, read_file, write_atomic

_HOLD = """
import sys
from pathlib import Path
from rove_core.store.files import FileLock
with FileLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

_DIE_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from rove_core.store.files import write_atomic
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
write_atomic(Path(sys.argv[1]), b"new")
"""


def test_a_written_file_holds_the_data(tmp_path: Path) -> None:
    """All the bytes are there, and nothing else is in the folder."""
    target = tmp_path / "credentials.enc"

    write_atomic(target, b"new" * 100_000)

    assert target.read_bytes() == b"new" * 100_000
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_the_mode_is_exact(tmp_path: Path, mode: int) -> None:
    """The umask neither widens nor narrows it, nor does the old file's mode."""
    target = tmp_path / "f"
    target.touch(mode=0o666)

    write_atomic(target, b"", mode=mode)

    assert target.stat().st_mode & 0o777 == mode


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    """The error names the file and what the system says; no temporary file is left."""
    target = tmp_path / "f"
    write_atomic(target, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(DiskTrouble) as caught:
            write_atomic(target, b"new" * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert str(caught.value) == f"{target} (300 bytes) cannot be written: File too large"
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    """The folder is not made by the way."""
    with pytest.raises(DiskTrouble, match=os.strerror(errno.ENOENT)):
        write_atomic(tmp_path / "gone" / "f", b"new")


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    """What it left behind is removed by the next write of the same file."""
    target = tmp_path / "f"
    write_atomic(target, b"old")

    command = [sys.executable, "-c", _DIE_WHILE_WRITING, str(target)]
    subprocess.run(command, check=False)  # noqa: S603  # our own program, above

    assert target.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2

    write_atomic(target, b"new")

    assert target.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [target]


def test_only_leftovers_of_the_same_file_are_removed(tmp_path: Path) -> None:
    """Files that merely look alike are somebody's."""
    others = [tmp_path / ".f.swp", tmp_path / ".g.0123.rove-new", tmp_path / "f.0123.rove-new"]
    for other in others:
        other.touch()

    write_atomic(tmp_path / "f", b"new")

    assert sorted([tmp_path / "f", *others]) == sorted(tmp_path.iterdir())


def test_a_link_is_replaced_not_followed(tmp_path: Path) -> None:
    """Whoever planted the link does not get the data."""
    elsewhere = tmp_path / "elsewhere"
    target = tmp_path / "f"
    target.symlink_to(elsewhere)

    write_atomic(target, b"new")

    assert not elsewhere.exists()
    assert not target.is_symlink()


def test_a_private_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    """So are the folders above it that were not there."""
    folder = private_folder(tmp_path / "a" / "rove")

    assert [each.stat().st_mode & 0o777 for each in (folder, folder.parent)] == [0o700, 0o700]


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    """Nobody waits for somebody to write into it; a device is not a file either."""
    os.mkfifo(tmp_path / "pipe")

    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="Not a regular file"):
            read_file(path)
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path)


def test_a_private_folder_may_be_there(tmp_path: Path) -> None:
    """One that is there is taken as it is: a clone brings ``.rove`` with its settings."""
    assert private_folder(tmp_path) == tmp_path


def test_a_link_is_no_private_folder(tmp_path: Path) -> None:
    """A link would lead what is written to another place, even if it leads nowhere yet."""
    (tmp_path / "rove").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(UnsafePlace, match="is a link"):
        private_folder(tmp_path / "rove")


def test_a_file_is_no_private_folder(tmp_path: Path) -> None:
    """It is not removed either."""
    (tmp_path / "rove").touch()

    with pytest.raises(UnsafePlace, match="is not a folder"):
        private_folder(tmp_path / "rove")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_is_no_private_folder(tmp_path: Path) -> None:
    """Its owner could read and replace all that is in it."""
    os.chown(tmp_path, 12345, -1)

    with pytest.raises(UnsafePlace, match="belongs to user 12345") as caught:
        private_folder(tmp_path)

    assert "Remove" not in caught.value.hint


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    """The error names the folder."""
    (tmp_path / "file").touch()

    with pytest.raises(DiskTrouble, match="file/rove cannot be made: Not a directory"):
        private_folder(tmp_path / "file" / "rove")


def test_a_held_lock_is_not_given_twice(tmp_path: Path) -> None:
    """Who comes later is told which file is held."""
    path = tmp_path / "refresh.lock"

    with (
        FileLock(path),
        pytest.raises(Locked, match=r"refresh\.lock is locked"),
        FileLock(path, timeout=0),
    ):
        pass


def test_a_lock_given_back_is_free(tmp_path: Path) -> None:
    """It can be taken as often as it is given back."""
    lock = FileLock(tmp_path / "lock", timeout=0)
    with lock:
        pass

    assert lock.try_acquire()
    assert not FileLock(tmp_path / "lock").try_acquire()

    lock.release()

    assert FileLock(tmp_path / "lock").try_acquire()


def test_a_killed_holder_gives_its_lock_back(tmp_path: Path) -> None:
    """The kernel does it; nobody has to remove a file."""
    path = tmp_path / "lock"
    command = [sys.executable, "-c", _HOLD, str(path)]
    with subprocess.Popen(  # noqa: S603  # our own program, above
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        held = not FileLock(path).try_acquire()
        holder.kill()
        holder.wait()

    assert held
    assert FileLock(path).try_acquire()


def test_a_lock_below_a_missing_folder_is_told(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(DiskTrouble, match="cannot be locked"):
        FileLock(tmp_path / "gone" / "lock").try_acquire()
