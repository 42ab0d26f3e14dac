"""``rove plugins new``: the plugin it makes is whole under any name."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Rove

KINDS = ("file", "token", "oauth", "token --writes")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a folder that does not exist yet."""
    return tmp_path / "mine"


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


@pytest.mark.parametrize("kind", KINDS)
def test_the_new_name_is_everywhere(rove: "Rove", target: Path, kind: str) -> None:
    """No file's name and no text speaks of the example's company."""
    done = rove("plugins", "new", "globex", "--kind", *kind.split(), "--folder", str(target))

    assert (done.code, done.out) == (0, f"{target}\n")
    assert [path for path in target.rglob("*") if "acme" in path.name.lower()] == []
    assert [file for file in _files(target) if "acme" in file.read_text("utf-8").lower()] == []
    assert 'globex = "rove_globex"' in (target / "pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_made_is_python(rove: "Rove", target: Path, kind: str) -> None:
    """Every module compiles, and the package is typed and has a licence of its author's."""
    rove("plugins", "new", "globex", "--kind", *kind.split(), "--folder", str(target))
    for file in _files(target):
        if file.suffix == ".py":
            compile(file.read_text("utf-8"), file, "exec")

    assert (target / "rove_globex" / "py.typed").is_file()
    assert "The authors of rove-globex" in (target / "LICENSE").read_text("utf-8")


@pytest.mark.parametrize("name", ["Globex", "1st", "my-wiki", "my_wiki", "../up", "wïki"])
def test_a_bad_name_is_refused(rove: "Rove", target: Path, name: str) -> None:
    """What cannot be a package, an entry point and a class at once makes no folder."""
    done = rove("plugins", "new", name, "--folder", str(target))

    assert done.code == 2
    assert "not a plugin name" in done.err
    assert not target.exists()


@pytest.mark.parametrize("name", ["jira", "core"])
def test_a_name_of_ours_is_refused(rove: "Rove", target: Path, name: str) -> None:
    """Nobody's plugin hides a package of Rove."""
    done = rove("plugins", "new", name, "--folder", str(target))

    assert f"rove_{name} is a package of Rove itself" in done.err
    assert not target.exists()


def test_a_file_is_not_written(rove: "Rove", target: Path) -> None:
    """A plugin that reads a file has no work items: the refusal names the kind that does."""
    done = rove("plugins", "new", "globex", "--kind=file", "--writes", "--folder", str(target))

    assert done.code == 2
    assert "rove plugins new globex --kind token --writes" in done.err
    assert not target.exists()


def test_names_of_the_workspace_are_taken(rove: "Rove", target: Path) -> None:
    """Every package of this checkout is among the names that are refused."""
    for project in Path(__file__).parents[2].glob("rove_*/pyproject.toml"):
        name = project.parent.name.removeprefix("rove_")
        done = rove("plugins", "new", name, "--folder", str(target))
        assert done.code == 2, name


def test_nothing_is_overwritten(rove: "Rove", target: Path) -> None:
    """A folder in which something lies is left as it is."""
    target.mkdir()
    (target / "mine.txt").write_text("mine", "utf-8")
    done = rove("plugins", "new", "globex", "--folder", str(target))

    assert "is not empty" in done.err
    assert [file.name for file in _files(target)] == ["mine.txt"]
