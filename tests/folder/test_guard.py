"""Nothing outside of a linked folder is ever opened, whoever changes what meanwhile."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_folder.files import guard
from rove_folder.files.guard import AccessDeniedError, OpenedFile, open_below, open_root

OUTSIDE = b"OUTSIDE"
EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "300"))


@pytest.fixture(params=["openat2", "step by step"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use each way to open a file."""
    if request.param == "step by step":
        monkeypatch.setattr(guard, "has_openat2", lambda: False)
    elif not guard.has_openat2():
        pytest.skip("this kernel has no openat2")
    return str(request.param)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder beside which lies a file that is not to be read."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_bytes(OUTSIDE)
    root = tmp_path / "root"
    (root / "below").mkdir(parents=True)
    (root / "below" / "in.txt").write_bytes(b"inside")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "link.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (root / "in-link.txt").symlink_to("below/in.txt")
    (root / "in-link").symlink_to("below")
    (root / "proc").symlink_to("/proc/self/root")
    os.mkfifo(root / "pipe.txt")
    return root


@contextmanager
def _opened(root: Path, relative: str) -> Iterator[OpenedFile]:
    with open_root(root) as descriptor, open_below(descriptor, relative) as file:
        yield file


def _read(root: Path, relative: str) -> bytes:
    with _opened(root, relative) as file:
        return file.read(1_000)


@pytest.mark.usefixtures("way")
def test_reads_a_file_below(tree: Path) -> None:
    """A file in a folder below is read."""
    assert _read(tree, "below/in.txt") == b"inside"


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../outside/secret.txt",
        "below/../../outside/secret.txt",
        "below/../below/in.txt",
        "/etc/passwd",
        "//etc/passwd",
        "below//in.txt",
        "./below/in.txt",
        "below/in.txt/",
        "below/in.txt\0.png",
        "link.txt",
        "out/secret.txt",
        "in-link.txt",
        "in-link/in.txt",
        "proc/etc/passwd",
        "pipe.txt",
        "below",
        "\ud800.txt",
    ],
)
def test_denies_what_leads_elsewhere(tree: Path, path: str) -> None:
    """Paths out of the folder, links, pipes and folders are denied."""
    with pytest.raises(AccessDeniedError), _opened(tree, path):
        pass


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("path", ["gone.txt", "below/gone.txt", "below/in.txt/x", "n" * 256])
def test_says_what_is_missing(tree: Path, path: str) -> None:
    """What is not there is missing, and not denied."""
    with pytest.raises(FileNotFoundError), _opened(tree, path):
        pass


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "name", ["a\nb.txt", "a\u202eb.txt", "n" * 251 + ".txt", " .txt", "A.txt", "a.txt"]
)
def test_reads_odd_names(tree: Path, name: str) -> None:
    """Any name that a file system holds is read by exactly that name."""
    (tree / name).write_bytes(name.encode())

    assert _read(tree, name) == name.encode()


@pytest.mark.usefixtures("way")
@pytest.mark.usefixtures("ordinary_user")
def test_says_what_is_closed(tree: Path) -> None:
    """A file that the user may not read is neither missing nor denied."""
    (tree / "closed.txt").touch(mode=0)
    with pytest.raises(PermissionError), _opened(tree, "closed.txt"):
        pass


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.lists(
        st.sampled_from(["..", ".", "", "below", "out", "in-link", "proc", "secret.txt", "in.txt"])
        | st.text(max_size=8),
        max_size=6,
    ).map("/".join)
)
def test_no_path_leads_out(tree: Path, path: str) -> None:
    """Whatever the path, what is read is the file inside, or nothing."""
    try:
        assert _read(tree, path) == b"inside"
    except (AccessDeniedError, OSError):
        return


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("swapped", ["below", "below/in.txt"])
def test_swaps_between_check_and_use_gain_nothing(tree: Path, swapped: str) -> None:
    """While a folder and a link change places, only the file inside is ever read."""
    target, spare = tree / swapped, tree / "spare"
    aim = "../outside" if swapped == "below" else "../../outside/secret.txt"
    (tree.parent / "outside" / "in.txt").write_bytes(OUTSIDE)
    ended = threading.Event()

    def swap() -> None:
        while not ended.is_set():
            target.rename(spare)
            target.symlink_to(aim)
            target.unlink()
            spare.rename(target)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        seen = {_attempt(lambda: _read(tree, "below/in.txt")) for _ in range(10 * EXAMPLES)}
    finally:
        ended.set()
        swapper.join()

    assert seen <= {b"inside", None}


def _attempt(read: Callable[[], bytes]) -> bytes | None:
    try:
        return read()
    except (AccessDeniedError, OSError):
        return None


@pytest.mark.usefixtures("way")
def test_a_folder_that_became_a_link_is_closed(tree: Path, tmp_path: Path) -> None:
    """A link in place of the folder, or of one above it, is not followed."""
    below = tree / "below"
    assert _read(below, "in.txt") == b"inside"

    (tmp_path / "root").rename(tmp_path / "moved")
    (tmp_path / "root").symlink_to(tmp_path / "moved")
    for folder in (below, tmp_path / "root"):
        with pytest.raises(OSError, match=r"link|directory"), open_root(folder):
            pass
