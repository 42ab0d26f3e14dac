"""The plugin to copy is whole under any name."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a folder that is not there yet."""
    return tmp_path / "mine"


def _render(root: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # our own program, in a folder of our own
        [sys.executable, root / "template" / "render.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def test_nothing_keeps_the_old_name(root: Path, target: Path) -> None:
    """Neither a file's name nor its text speaks of the company of the template."""
    assert _render(root, "globex", target).returncode == 0

    assert [path for path in target.rglob("*") if "acme" in path.name.lower()] == []
    assert [file for file in _files(target) if "acme" in file.read_text("utf-8").lower()] == []


def test_the_new_name_is_everywhere(root: Path, target: Path) -> None:
    """Distribution, package, class and ids are called as was asked."""
    _render(root, "globex", target)
    source = (target / "rove_globex" / "source.py").read_text("utf-8")
    project = (target / "pyproject.toml").read_text("utf-8")

    assert "class GlobexSource(SourceHooks)" in source
    assert r"\bGLOBEX-[0-9]+\b" in source
    assert 'name = "rove-globex"' in project
    assert 'globex = "rove_globex"' in project


def test_what_is_rendered_is_python(root: Path, target: Path) -> None:
    """Every module of the copy compiles."""
    _render(root, "globex", target)
    modules = [file for file in _files(target) if file.suffix == ".py"]

    assert len(modules) == 5
    for module in modules:
        compile(module.read_text("utf-8"), module, "exec")


def test_the_copy_is_typed_and_licensed(root: Path, target: Path) -> None:
    """What a package has to bring is there."""
    _render(root, "globex", target)

    assert (target / "rove_globex" / "py.typed").is_file()
    assert (target / "LICENSE").read_bytes() == (root / "LICENSE").read_bytes()


@pytest.mark.parametrize("name", ["", "Globex", "1st", "my-wiki", "my_wiki", "../up", "wïki"])
def test_a_bad_name_is_refused(root: Path, target: Path, name: str) -> None:
    """What cannot be a package, an entry point and a class at once makes no folder."""
    done = _render(root, name, target)

    assert done.returncode == 1
    assert "is no name" in done.stderr
    assert not target.exists()


@pytest.mark.parametrize("name", ["jira", "core"])
def test_a_name_of_ours_is_refused(root: Path, target: Path, name: str) -> None:
    """Nobody's plugin hides a package of Rove."""
    done = _render(root, name, target)

    assert f"rove_{name} is a package of Rove's own" in done.stderr
    assert not target.exists()


def test_nothing_is_overwritten(root: Path, target: Path) -> None:
    """A folder in which something lies is left as it is."""
    target.mkdir()
    (target / "mine.txt").write_text("mine", "utf-8")

    assert "is already there" in _render(root, "globex", target).stderr
    assert [file.name for file in _files(target)] == ["mine.txt"]


def test_it_says_how_it_is_used(root: Path) -> None:
    """Without arguments the program explains itself."""
    done = _render(root)

    assert done.returncode == 1
    assert "render.py NAME TARGET" in done.stderr
