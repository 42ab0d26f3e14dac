"""Folders without git."""

from pathlib import Path

import pytest
from tests.code.developer import Developer

from rove_code.repositories import open_repository
from rove_core.errors import RevisionNotFound


@pytest.fixture
def folder(tmp_path: Path) -> Developer:
    """Make a folder without git."""
    (tmp_path / "plain").mkdir()
    return Developer(tmp_path / "plain")


def test_a_folder_is_read_as_it_is(folder: Developer) -> None:
    """All files count but hidden ones and what tools put there."""
    for path in (
        "main.py",
        "src/a b.py",
        ".env",
        ".idea/x.xml",
        "node_modules/x/i.js",
        "venv/x.py",
    ):
        folder.write(path, path)
    repository = open_repository(folder.folder)

    version = repository.version()

    assert dict(repository.read(version, version.files)) == {
        file: file.path.encode() for file in version.files
    }
    assert [file.path for file in version.files] == ["main.py", "src/a b.py"]
    assert {each.path: each.why for each in version.skipped} == {
        ".env": "hidden",
        ".idea": "hidden",
        "node_modules": "installed or built here, not written",
        "venv": "installed or built here, not written",
    }


def test_links_are_named_and_not_followed(folder: Developer, tmp_path: Path) -> None:
    """Neither a linked file nor a linked folder is read."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").touch()
    (folder.folder / "file.py").symlink_to(tmp_path / "outside" / "secret.py")
    (folder.folder / "folder").symlink_to(tmp_path / "outside")
    (folder.folder / "itself").symlink_to(folder.folder)

    version = open_repository(folder.folder).version()

    assert version.files == ()
    assert {each.path for each in version.skipped} == {"file.py", "folder", "itself"}


def test_a_name_that_is_no_text_is_told(folder: Developer) -> None:
    """A file whose name is not UTF-8 is named as well as can be, and skipped."""
    (folder.folder / "caf\udce9.py").touch()

    (skipped,) = open_repository(folder.folder).version().skipped

    assert (skipped.path, skipped.why) == ("caf\ufffd.py", "a name that is not UTF-8")


def test_an_endless_chain_of_folders_ends(folder: Developer) -> None:
    """Folders in folders are entered only so far."""
    folder.write("/".join(["deep"] * 120) + "/main.py")

    (skipped,) = open_repository(folder.folder).version().skipped

    assert skipped.why == "too deep"


def test_a_folder_has_only_a_workspace(folder: Developer) -> None:
    """The latest version is what is there; there are no others, and no history."""
    folder.write("main.py")
    repository = open_repository(folder.folder)

    version = repository.version("latest")

    assert [file.path for file in version.files] == ["main.py"]
    assert repository.ancestors(version, 10) == ()
    assert list(repository.commits([])) == []
    with pytest.raises(RevisionNotFound, match="v1"):
        repository.version("v1")


def test_without_git_a_repository_is_a_folder(
    ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine without git, the files are still there."""
    ann.write("main.py")
    ann.commit()
    monkeypatch.setenv("PATH", "")

    version = open_repository(ann.folder).version()

    assert (version.commit, [file.path for file in version.files]) == ("", ["main.py"])


def test_a_folder_in_a_repository_is_a_folder(ann: Developer) -> None:
    """What is asked for is a folder below a repository's: nothing above it is read."""
    ann.write("src/main.py")
    ann.write("other.py")
    ann.commit()

    version = open_repository(ann.folder / "src").version()

    assert [file.path for file in version.files] == ["main.py"]


def test_equal_content_has_an_equal_name(ann: Developer, folder: Developer) -> None:
    """A file of a folder is called as git calls it in a repository."""
    ann.write("main.py")
    ann.commit()
    folder.write("copy.py")

    (known,) = open_repository(ann.folder).version("HEAD").files
    (copy,) = open_repository(folder.folder).version().files

    assert known.blob == copy.blob
