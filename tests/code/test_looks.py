"""Looking at a repository again: without git while nothing has changed, and missing nothing."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.code.developer import Developer

from rove_code.engine import CodeEngine
from rove_code.repositories import open_repository
from rove_code.skip_reasons import NESTED
from rove_core.clock import SYSTEM
from rove_core.testing import VirtualClock

#: A disk's clock is behind this one: nothing there is so new that its time is not believed.
_LATER = datetime(2200, 1, 1, tzinfo=UTC)
_SPY = """#!/bin/sh
echo "$@" >> "{log}"
exec "{git}" "$@"
"""


@pytest.fixture
def clock() -> VirtualClock:
    """Return a clock long after all files were written."""
    return VirtualClock(_LATER)


@pytest.fixture
def engine(tmp_path: Path, clock: VirtualClock) -> Iterator[CodeEngine]:
    """Open an engine."""
    with CodeEngine(tmp_path / ".rove", clock=clock) as opened:
        yield opened


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return what counts how often git was started."""
    log, folder = tmp_path / "calls", tmp_path / "bin"
    folder.mkdir()
    log.touch()
    git = next(
        str(found)
        for each in os.environ["PATH"].split(os.pathsep)
        if (found := Path(each, "git")).exists()
    )
    spy = folder / "git"
    spy.write_text(_SPY.format(log=log, git=git), "utf-8")
    spy.chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return lambda: len(log.read_text("utf-8").splitlines())


@pytest.fixture
def shop(ann: Developer) -> Developer:
    """Return somebody whose repository has files, ignored ones and empty folders."""
    ann.write("src/basket.py", "total = 1\n")
    ann.write("src/deep/er/till.py", "till = 1\n")
    ann.write(".gitignore", "*.log\nbuild/\n.hidden\n")
    ann.write("src/.gitignore", "ignored.py\n")
    ann.commit()
    ann.write("build/made.py", "made = 1\n")
    ann.write("logs/today.log", "noise\n")
    ann.write("src/ignored.py", "own = 1\n")
    ann.write("new/own.py", "own = 1\n")
    ann.write("ignoring/.gitignore", "*\n")
    ann.write("ignoring/made.py", "made = 1\n")
    (ann.folder / "empty/inner").mkdir(parents=True)
    (ann.folder / ".git/info").mkdir(exist_ok=True)
    return ann


def _look(engine: CodeEngine, ann: Developer) -> object:
    version = engine.view(ann.folder).version
    return version.commit, version.files, version.skipped


def _listed(ann: Developer) -> object:
    version = open_repository(ann.folder).version()
    return version.commit, version.files, version.skipped


def test_nothing_is_started_while_nothing_changes(
    shop: Developer, engine: CodeEngine, calls: Callable[[], int]
) -> None:
    """After the third look, git is not asked any more."""
    for _ in range(3):
        _look(engine, shop)
    before = calls()

    for _ in range(5):
        _look(engine, shop)

    assert before > 0
    assert calls() == before


def test_git_is_asked_again_after_a_minute(
    shop: Developer, engine: CodeEngine, clock: VirtualClock, calls: Callable[[], int]
) -> None:
    """Settings outside of the repository have no time stamp here."""
    for _ in range(3):
        _look(engine, shop)
    before = calls()
    clock.advance(61)
    _look(engine, shop)
    again = calls()
    _look(engine, shop)

    assert again > before
    assert calls() == again


def _branch(ann: Developer) -> None:
    ann.git("checkout", "--quiet", "-b", "other")
    ann.git("commit", "--quiet", "--allow-empty", "-m", "Elsewhere")


def _link(ann: Developer) -> None:
    (ann.folder / "src/basket.py").unlink()
    (ann.folder / "src/basket.py").symlink_to("deep/er/till.py")


def _link_folder(ann: Developer) -> None:
    (ann.folder / "src/deep").rename(ann.folder / "src/moved")
    (ann.folder / "src/deep").symlink_to("moved")


_CHANGES: dict[str, Callable[[Developer], object]] = {
    "edited": lambda ann: (ann.folder / "src/basket.py").write_text("total = 2\n", "utf-8"),
    "edited deep down": lambda ann: ann.write("src/deep/er/till.py", "till = 2\n"),
    "edited and never committed": lambda ann: ann.write("new/own.py", "own = 2\n"),
    "new": lambda ann: ann.write("till.py"),
    "new in a folder": lambda ann: ann.write("src/deep/till.py"),
    "new in a new folder": lambda ann: ann.write("fresh/inner/till.py"),
    "new in an empty folder": lambda ann: ann.write("empty/inner/till.py"),
    "new beside ignored ones": lambda ann: ann.write("logs/till.py"),
    "removed": lambda ann: (ann.folder / "src/basket.py").unlink(),
    "renamed": lambda ann: (ann.folder / "src/basket.py").rename(ann.folder / "src/bag.py"),
    "another in its place": lambda ann: (ann.folder / "new/own.py").replace(
        ann.folder / "src/basket.py"
    ),
    "ignored": lambda ann: ann.write(".gitignore", "*.log\nown.py\n"),
    "no longer ignored": lambda ann: ann.write("src/.gitignore", "\n"),
    "no longer ignored by an ignored list": lambda ann: ann.write(
        "ignoring/.gitignore", ".gitignore\n"
    ),
    "ignored by another list": lambda ann: ann.write("new/.gitignore", "own.py\n"),
    "ignored by git's own list": lambda ann: ann.write(".git/info/exclude", "own.py\n"),
    "committed": lambda ann: ann.commit(),
    "nothing committed": lambda ann: ann.git("commit", "--quiet", "--allow-empty", "-m", "No"),
    "another branch": _branch,
    "packed": lambda ann: (ann.commit(), ann.git("pack-refs", "--all"), ann.commit()),
    "a repository in it": lambda ann: ann.git("init", "--quiet", "new"),
    "a link in its place": _link,
    "a link to a folder": _link_folder,
    "large": lambda ann: ann.write("src/basket.py", "#" * (1 << 20) + "\n"),
}


@pytest.mark.parametrize("change", _CHANGES.values(), ids=_CHANGES)
def test_each_change_is_seen_at_once(
    shop: Developer, engine: CodeEngine, change: Callable[[Developer], object]
) -> None:
    """Whatever changes, the next look has what git lists then."""
    for _ in range(4):
        before = _look(engine, shop)
    change(shop)

    assert _look(engine, shop) == _listed(shop)
    assert _look(engine, shop) != before
    for _ in range(4):
        assert _look(engine, shop) == _listed(shop)


def test_what_was_just_written_is_listed_each_time(ann: Developer, tmp_path: Path) -> None:
    """Within a moment a file can change without another time on it."""
    file = ann.write("basket.py", "total = 1\n")
    with CodeEngine(tmp_path / ".rove", clock=VirtualClock(SYSTEM.now())) as engine:
        for number in range(6):
            status = file.stat()
            file.write_text(f"total = {number}\n", "utf-8")
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

            assert _look(engine, ann) == _listed(ann)


def test_worktrees_branches_and_commits_are_looked_at_by_themselves(
    shop: Developer, engine: CodeEngine
) -> None:
    """A commit in one of them is no change of another."""
    shop.git("worktree", "add", "--quiet", "-b", "other", "../other")
    other = shop.beside("other")
    for _ in range(4):
        before, there = _look(engine, shop), _look(engine, other)
        newest = engine.view(shop.folder, "latest").version
    other.write("src/basket.py", "total = 3\n")
    other.commit()

    assert _look(engine, shop) == before
    assert _look(engine, other) == _listed(other) != there
    assert engine.view(shop.folder, "latest").version == newest
    shop.commit()
    assert engine.view(shop.folder, "latest").version != newest
    assert engine.view(shop.folder, "other").version == open_repository(shop.folder).version(
        "other"
    )


def test_a_nested_repository_stays_named(shop: Developer, engine: CodeEngine) -> None:
    """What happens in a repository inside is no change of the one around it."""
    shop.git("init", "--quiet", "inner")
    for _ in range(4):
        before = _look(engine, shop)
    shop.write("inner/deep/new.py")

    assert _look(engine, shop) == before == _listed(shop)
    assert {each.why for each in engine.view(shop.folder).version.skipped} >= {NESTED}
