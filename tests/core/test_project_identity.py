"""What a project is known by outside its folder."""

from pathlib import Path

import pytest
from attrs import evolve

from rove_core.project.identity import project_id
from rove_core.project.layout import ProjectPaths


def repository(folder: Path, *remotes: tuple[str, str]) -> Path:
    """Make a folder that is a repository with remotes."""
    (folder / ".git").mkdir(parents=True)
    sections = (f'[remote "{name}"]\n\turl = {url}\n\tfetch = +x:y\n' for name, url in remotes)
    (folder / ".git" / "config").write_text(f"[core]\n\tbare = false\n{''.join(sections)}")
    return folder


@pytest.mark.parametrize(
    "spelled",
    [
        "https://github.com/acme/api.git",
        "https://github.com/acme/api/",
        "https://robin:secret@github.com/acme/api",
        "ssh://git@GitHub.com:22/acme/api.git",
        "git@github.com:acme/api.git",
        "github.com:Acme/API",
        '"git@github.com:/acme/api.git"',
    ],
)
def test_a_remote_is_one_project(tmp_path: Path, spelled: str) -> None:
    """However the address of a repository is spelled, it is the same project."""
    one = repository(tmp_path / "one", ("origin", "https://github.com/acme/api"))
    other = repository(tmp_path / "other", ("origin", spelled))

    assert project_id(one) == project_id(other)


def test_another_remote_is_another_project(tmp_path: Path) -> None:
    """Two repositories are two projects."""
    one = repository(tmp_path / "one", ("origin", "git@github.com:acme/api.git"))
    other = repository(tmp_path / "other", ("origin", "git@github.com:acme/web.git"))

    assert project_id(one) != project_id(other)


def test_origin_counts(tmp_path: Path) -> None:
    """Of several remotes it is the one that was cloned."""
    plain = repository(tmp_path / "one", ("origin", "git@github.com:acme/api.git"))
    forked = repository(
        tmp_path / "other",
        ("mine", "git@github.com:robin/api.git"),
        ("origin", "git@github.com:acme/api.git"),
    )

    assert project_id(plain) == project_id(forked)


def test_a_folder_below_is_a_project_of_its_own(tmp_path: Path) -> None:
    """Two projects in one repository are told apart."""
    top = repository(tmp_path / "one", ("origin", "git@github.com:acme/api.git"))
    (top / "service").mkdir()

    assert project_id(top) != project_id(top / "service")


@pytest.mark.parametrize("url", ["/srv/git/api.git", "file:///srv/api", "../api", "http://[", ""])
def test_without_a_host_it_is_the_place(tmp_path: Path, url: str) -> None:
    """A repository that is nowhere but on this machine is known by where it lies."""
    plain = tmp_path / "one"
    plain.mkdir()
    before = project_id(plain)
    repository(plain, ("origin", url))

    assert before == project_id(plain)


def test_a_link_leads_to_the_same_project(tmp_path: Path) -> None:
    """Where a folder is reached over a link it is the same folder."""
    (tmp_path / "one").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "one")

    assert project_id(tmp_path / "one") == project_id(tmp_path / "link")


def test_bases_lie_with_what_cannot_be_rebuilt(places: ProjectPaths) -> None:
    """They are in the user's data directory, below the project's id."""
    assert places.bases.parent == places.data_dir / "documents" / project_id(places.root)


def test_bases_of_a_project_that_is_alone(places: ProjectPaths) -> None:
    """What a program wrote that needs nothing of the user's is found by all others there."""
    alone = evolve(places, is_alone=True)
    alone.bases.mkdir()

    assert alone.bases == places.bases == places.rove / "documents"
