"""Where a project and the user's files are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rove_core.errors import DiskTrouble, UnsafePlace
from rove_core.project.layout import GITIGNORE, ProjectPaths, exclude_documents
from rove_core.project.paths import config_dir, data_dir, is_own_folder, project_root


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody, and return what it prints."""
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    done = subprocess.run(  # noqa: S603  # the arguments are this file's
        ["git", *identity, *arguments],  # noqa: S607  # whichever git there is
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a home folder, with no variable that names another place."""
    for name in ("ROVE_DATA_DIR", "ROVE_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def repository(home: Path) -> Path:
    """Make a repository with one commit."""
    folder = home / "main"
    folder.mkdir()
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "First")
    return folder


@pytest.mark.parametrize("marker", [".rove", ".git"])
def test_root_is_marked(home: Path, marker: str) -> None:
    """The root is the nearest folder, going up, that has a `.rove` or a `.git`."""
    below = home / "project" / "src" / "deep"
    below.mkdir(parents=True)
    (home / "project" / marker).mkdir()

    assert str(home / "project") == project_root(str(below))


def test_root_without_marker(home: Path) -> None:
    """A folder that nothing marks is its own root."""
    folder = home / "loose"
    folder.mkdir()

    assert str(folder) == project_root(str(folder))


def test_home_is_nobodys_root(home: Path) -> None:
    """A repository of the whole home folder is not the project of the folders in it."""
    (home / ".git").mkdir()
    (home / "project").mkdir()

    assert str(home / "project") == project_root(str(home / "project"))
    assert str(home) == project_root(str(home))


def test_home_may_be_a_link(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home folder that is reached over a link stops the search all the same."""
    (home / "real" / "project").mkdir(parents=True)
    (home / "real" / ".git").mkdir()
    (home / "linked").symlink_to(home / "real")
    monkeypatch.setenv("HOME", str(home / "linked"))

    assert str(home / "real" / "project") == project_root(str(home / "real" / "project"))


def test_worktree_uses_main(repository: Path, home: Path) -> None:
    """A worktree without its own `.rove` is served by the main worktree."""
    git(repository, "worktree", "add", "--quiet", str(home / "other"))
    (home / "other" / "src").mkdir()

    assert str(repository) == project_root(str(home / "other" / "src"))


def test_worktree_with_its_own(repository: Path, home: Path) -> None:
    """A worktree with its own `.rove` is a project of its own."""
    git(repository, "worktree", "add", "--quiet", str(home / "other"))
    (home / "other" / ".rove").mkdir()

    assert str(home / "other") == project_root(str(home / "other"))


def test_forged_worktree(repository: Path, home: Path) -> None:
    """A `.git` file that the repository does not point back at leads nowhere."""
    git(repository, "worktree", "add", "--quiet", str(home / "other"))
    (home / "forged").mkdir()
    (home / "forged" / ".git").write_text((home / "other" / ".git").read_text())

    assert str(home / "forged") == project_root(str(home / "forged"))


def test_submodule_is_a_project(repository: Path) -> None:
    """A submodule has a `.git` file too, and is a project of its own."""
    (repository / ".git" / "modules" / "sub").mkdir(parents=True)
    (repository / "sub").mkdir()
    (repository / "sub" / ".git").write_text("gitdir: ../.git/modules/sub\n")

    assert str(repository / "sub") == project_root(str(repository / "sub"))


def test_worktree_of_bare_repository(repository: Path, home: Path) -> None:
    """A worktree of a repository without a main one is its own root."""
    git(home, "clone", "--quiet", "--bare", str(repository), "bare.git")
    git(home / "bare.git", "worktree", "add", "--quiet", str(home / "tree"))

    assert str(home / "tree") == project_root(str(home / "tree"))


def test_fast_path_imports_little() -> None:
    """Finding the root imports nothing that the interpreter has not loaded anyway."""
    program = (
        "import sys; before = set(sys.modules); import rove_core.project.paths as places\n"
        "places.project_root('/'); print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(  # noqa: S603  # the program is this test's
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == [
        "rove_core",
        "rove_core._lazy",
        "rove_core.project",
        "rove_core.project.paths",
    ]


def test_own_folder(tmp_path: Path) -> None:
    """A folder is one's own; a link to it, a file or nothing is not."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "file").touch()
    found = {name: is_own_folder(str(tmp_path / name)) for name in ("folder", "link", "file", "no")}

    assert found == {"folder": True, "link": False, "file": False, "no": False}


def test_user_folders(home: Path) -> None:
    """Without variables the user's files lie where the system keeps such files."""
    assert data_dir() == f"{home}/.local/share/rove"
    assert config_dir() == f"{home}/.config/rove"


def test_user_folders_on_a_mac(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Mac data lies in the Library, settings do not."""
    monkeypatch.setattr(sys, "platform", "darwin")

    assert data_dir() == f"{home}/Library/Application Support/rove"
    assert config_dir() == f"{home}/.config/rove"


def test_variables_name_the_folders(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rove's own variable wins over the standard one, which must be absolute to count."""
    monkeypatch.setenv("ROVE_DATA_DIR", str(home / "own"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "standard"))
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")

    assert data_dir() == f"{home}/own"
    assert config_dir() == f"{home}/.config/rove"


def test_no_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no home folder can be found the message says what to set."""
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 987_654_321)

    with pytest.raises(DiskTrouble) as caught:
        ProjectPaths.find(home)

    assert "HOME" in caught.value.message
    assert "ROVE_DATA_DIR" in caught.value.hint


def test_find_creates_nothing(repository: Path) -> None:
    """Looking for a project leaves its folder as it is."""
    places = ProjectPaths.find(repository)

    assert places.index == repository / ".rove" / "index.db"
    assert not places.rove.exists()


def test_prepare(repository: Path) -> None:
    """A prepared `.rove` is private, and git sees at most its settings."""
    places = ProjectPaths.find(repository)
    places.prepare()
    places.prepare()
    places.index.touch()
    places.settings_file.touch()
    seen = git(repository, "status", "--porcelain", "--untracked-files=all")

    assert places.rove.stat().st_mode & 0o777 == 0o700
    assert seen.split() == ["??", ".rove/.gitignore", "??", ".rove/settings.toml"]


def test_prepare_closes_a_cloned_folder(places: ProjectPaths) -> None:
    """A `.rove` that came with a clone, readable by all, is closed."""
    places.rove.chmod(0o755)
    places.prepare()

    assert places.rove.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("name", [".rove", ".context"])
def test_links_are_refused(home: Path, name: str) -> None:
    """A `.rove` or `.context` that leads elsewhere is refused, even if it leads nowhere."""
    (home / "project" / ".git").mkdir(parents=True)
    (home / "project" / name).symlink_to(home / "elsewhere")

    with pytest.raises(UnsafePlace, match=rf"\{name}"):
        ProjectPaths.find(home / "project")


def test_links_inside_are_refused(places: ProjectPaths, tmp_path: Path) -> None:
    """A clone cannot make Rove write into another file of the user's."""
    (places.rove / "logs").mkdir()
    (places.rove / "logs" / "error.log").symlink_to(tmp_path / "bashrc")

    with pytest.raises(UnsafePlace, match=r"error\.log"):
        places.prepare()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_is_refused(home: Path) -> None:
    """A `.rove` of another user is refused."""
    (home / "project" / ".rove").mkdir(parents=True)
    os.chown(home / "project" / ".rove", 12345, 12345)

    with pytest.raises(UnsafePlace, match=r"\.rove"):
        ProjectPaths.find(home / "project")


def test_unwritable_root(tmp_path: Path) -> None:
    """Where nothing can be made the message names the path."""
    (tmp_path / "file").touch()
    places = ProjectPaths(root=tmp_path / "file", data_dir=tmp_path, config_dir=tmp_path)

    with pytest.raises(DiskTrouble, match=r"file/\.rove"):
        places.prepare()


def test_documents_are_excluded_once(repository: Path) -> None:
    """Git overlooks the documents after the first time, and the file keeps what it had."""
    exclude = repository / ".git" / "info" / "exclude"
    exclude.write_bytes(b"*.swp")
    told = [exclude_documents(repository), exclude_documents(repository)]

    assert told == [True, False]
    assert exclude.read_bytes() == b"*.swp\n.context/\n"


@pytest.mark.parametrize(
    "line", ["!.context/", "!/.context", "!.context/*.md", "!.*", "!**/.context"]
)
def test_documents_are_excluded_whatever_a_repository_wants(repository: Path, line: str) -> None:
    """A repository that shows the folder of documents to git does not get those of its user."""
    (repository / ".gitignore").write_text(f"*.log\n{line}\n")
    (repository / ".context").mkdir()
    (repository / ".context" / "TB-1.md").touch()
    exclude_documents(repository)

    assert ".context" not in git(repository, "status", "--porcelain", "--untracked-files=all")


@pytest.mark.parametrize("text", ["!*\n", "", "*\n!index.db\n"])
def test_a_list_that_shows_more_than_the_settings_is_written_anew(
    repository: Path, text: str
) -> None:
    """A list that came with a checkout does not show the index to git."""
    (repository / ".rove").mkdir()
    (repository / ".rove" / ".gitignore").write_text(text)
    ProjectPaths.at(repository).prepare()

    assert (repository / ".rove" / ".gitignore").read_bytes() == GITIGNORE


def test_documents_of_a_worktree_are_excluded(repository: Path, home: Path) -> None:
    """In a worktree the file that all worktrees share is the one that git reads."""
    git(repository, "worktree", "add", "--quiet", str(home / "other"))
    exclude_documents(home / "other")
    (home / "other" / ".context").mkdir()
    (home / "other" / ".context" / "TB-1.md").touch()
    seen = git(home / "other", "status", "--porcelain")

    assert seen == ""


def test_exclude_below_the_repository(repository: Path) -> None:
    """A project in a folder of a larger repository is excluded there."""
    (repository / "part").mkdir()

    assert exclude_documents(repository / "part")


def test_exclude_without_git(tmp_path: Path) -> None:
    """Without git there is nothing to do."""
    assert not exclude_documents(tmp_path)


def test_exclude_follows_no_link(repository: Path, home: Path) -> None:
    """An exclude file that is a link is left alone."""
    exclude = repository / ".git" / "info" / "exclude"
    exclude.unlink()
    exclude.symlink_to(home / "bashrc")

    assert not exclude_documents(repository)
    assert not (home / "bashrc").exists()
