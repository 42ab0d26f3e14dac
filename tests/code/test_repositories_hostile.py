"""Repositories that were made to run programs, or to be read beyond their own folder."""

import os
from pathlib import Path

import pytest
from tests.code.developer import Developer

from rove_code.repositories import open_repository
from rove_code.repositories.tree import Tree


def use_all(folder: Path) -> list[str]:
    """Do with a repository all that can be done, and return the paths of its files."""
    repository = open_repository(folder)
    paths = []
    for specifier in ("workspace", "HEAD"):
        version = repository.version(specifier)
        paths += [file.path for file, _ in repository.read(version, version.files)]
        list(repository.commits(repository.ancestors(version, 10)))
    return paths


@pytest.fixture
def trap(ann: Developer, tmp_path: Path) -> Path:
    """Make a repository whose settings run a program wherever git can be told to."""
    sprung = tmp_path / "sprung"
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\necho $0 $* >>{sprung}\ncat\n", "utf-8")
    program.chmod(0o755)
    ann.write(".gitattributes", "* filter=trap diff=trap\n")
    ann.write("basket.py", "one\n")
    ann.commit()
    ann.write("basket.py", "two\n")
    ann.write("new.py", "three\n")
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "diff.trap.command",
        "diff.trap.textconv",
        "filter.trap.clean",
        "filter.trap.process",
        "filter.trap.smudge",
        "gpg.program",
        "pager.log",
    ):
        ann.git("config", key, str(program))
    ann.git("config", "log.showSignature", "true")
    hooks = ann.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("fsmonitor-watchman", "post-checkout", "post-index-change", "pre-auto-gc"):
        (hooks / name).symlink_to(program)
    sprung.unlink(missing_ok=True)
    return sprung


def test_no_program_of_a_repository_runs(ann: Developer, trap: Path) -> None:
    """Neither filters, hooks, pagers nor helpers that a repository names are started."""
    paths = use_all(ann.folder)

    assert "basket.py" in paths
    assert not trap.exists()


def test_nothing_is_written_into_a_repository(ann: Developer) -> None:
    """Reading leaves git's folder as it was, its index too."""
    ann.write("basket.py")
    ann.commit()
    (ann.folder / "basket.py").touch()
    before = {path: path.stat().st_mtime_ns for path in (ann.folder / ".git").rglob("*")}

    use_all(ann.folder)

    assert {path: path.stat().st_mtime_ns for path in (ann.folder / ".git").rglob("*")} == before


def test_settings_cannot_move_the_working_tree(ann: Developer, tmp_path: Path) -> None:
    """A repository that says that its files are elsewhere is read where it is."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "key.py").write_text("key", "utf-8")
    ann.write("basket.py")
    ann.commit()
    ann.git("config", "core.worktree", str(tmp_path / "private"))

    assert use_all(ann.folder) == ["basket.py", "basket.py"]


@pytest.mark.parametrize("way", ["a file", "a link", "shared"])
def test_a_folder_that_points_at_a_repository_is_a_folder(
    ann: Developer, tmp_path: Path, way: str
) -> None:
    """What a folder says is its repository, and does not know it, is not read."""
    ann.write("private.py")
    ann.commit()
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / "main.py").write_text("1", "utf-8")
    target = ann.folder / ".git"
    if way == "a file":
        (archive / ".git").write_text(f"gitdir: {target}\n", "utf-8")
    elif way == "a link":
        (archive / ".git").symlink_to(target)
    else:
        Developer(archive).git("init", "--quiet")
        (archive / ".git" / "commondir").write_text(f"{target}\n", "utf-8")

    version = open_repository(archive).version()

    assert (version.commit, [file.path for file in version.files]) == ("", ["main.py"])


@pytest.mark.parametrize("path", ["../secret.py", "src/../../secret.py", "/etc/passwd", "out/x"])
def test_a_path_cannot_lead_outside(tmp_path: Path, path: str) -> None:
    """A path that a forged index or tree names is not followed upwards, nor through a link."""
    (tmp_path / "shop" / "src").mkdir(parents=True)
    (tmp_path / "secret.py").write_text("secret", "utf-8")
    (tmp_path / "x").write_text("secret", "utf-8")
    (tmp_path / "shop" / "out").symlink_to(tmp_path)

    with Tree(tmp_path / "shop") as tree:
        assert tree.read(path) is None
        assert tree.status(path) is None


def test_variables_of_another_repository_do_not_count(
    ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called from a hook of another repository, the one that was asked for is read."""
    ann.write("basket.py")
    ann.commit()
    other = ann.beside("other")
    other.folder.mkdir()
    other.git("init", "--quiet")
    other.write("other.py")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    monkeypatch.setenv("GIT_INDEX_FILE", os.devnull)

    assert use_all(ann.folder) == ["basket.py", "basket.py"]


def test_a_gitmodules_that_git_refuses_does_not_matter(ann: Developer) -> None:
    """The history is read although git refuses the settings of a submodule."""
    ann.write(".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ./x\n')
    first = ann.commit("Begin")
    ann.git("update-index", "--add", "--cacheinfo", f"160000,{first},x")
    ann.git("commit", "--quiet", "--message", "Link")
    ann.write(".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ./x\n\tupdate = !cmd\n')
    repository = open_repository(ann.folder)
    version = repository.version()

    messages = [each.message for each in repository.commits(repository.ancestors(version, 5))]

    assert messages == ["Link", "Begin"]
