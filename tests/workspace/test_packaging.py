"""Every package of the workspace is released together and installs alone."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rove_core.plugins.shipped_packages import SHIPPED

NO_SOURCES = {"rove", "rove_core", "rove_sim"}
NEW = "9.8.7"


def test_there_is_one_version(root: Path, projects: dict[str, dict[str, Any]]) -> None:
    """All packages carry the version that ``rove --version`` prints."""
    versions = {project["version"] for project in projects.values()}

    assert versions == set(_shown_versions(root))


def test_names_agree(package: str, project: dict[str, Any], root: Path) -> None:
    """Folder, import package and distribution have one name."""
    assert package.replace("_", "-") == project["name"]
    assert (root / package / package / "__init__.py").is_file()


def test_the_core_knows_what_is_shipped(projects: dict[str, dict[str, Any]]) -> None:
    """Nobody else's package takes a name from these."""
    assert {project["name"] for project in projects.values()} == {"rove", *SHIPPED}


def test_is_typed(package: str, root: Path) -> None:
    """Type checkers may read every package."""
    assert (root / package / package / "py.typed").is_file()


def test_has_a_readme(package: str, project: dict[str, Any], root: Path) -> None:
    """The page of every package on the index opens with its name."""
    text = (root / package / project["readme"]).read_text("utf-8")

    assert text.startswith(f"# {project['name']}\n")


def test_has_the_licence(package: str, root: Path) -> None:
    """Every package brings the same licence."""
    assert (root / "LICENSE").read_bytes() == (root / package / "LICENSE").read_bytes()


@pytest.mark.parametrize("field", ["classifiers", "license", "license-files", "requires-python"])
def test_says_what_the_core_says(
    package: str, field: str, projects: dict[str, dict[str, Any]]
) -> None:
    """All packages support the same Pythons under the same terms."""
    assert projects["rove_core"][field] == projects[package][field]


def test_siblings_are_pinned_compatibly(project: dict[str, Any]) -> None:
    """A sibling is required as compatible with the version that all share."""
    siblings = [text for text in _requirements(project) if text.startswith("rove")]

    assert [f"{_name(text)}~={project['version']}" for text in siblings] == siblings


def test_all_means_every_source(packages: list[str], projects: dict[str, dict[str, Any]]) -> None:
    """``rove[all]`` brings each source, and nothing that is none."""
    brought = projects["rove"]["optional-dependencies"]["all"]

    assert sorted(set(packages) - NO_SOURCES) == [_name(text).replace("-", "_") for text in brought]


def test_a_source_registers_itself(package: str, project: dict[str, Any]) -> None:
    """A source is found by an entry point of its own name; other packages bring none."""
    expected = {} if package in NO_SOURCES else {package.removeprefix("rove_"): package}

    assert expected == project.get("entry-points", {}).get("rove", {})


def test_uv_takes_every_package_from_here(
    workspace: dict[str, Any], projects: dict[str, dict[str, Any]]
) -> None:
    """No package of the workspace is asked of the index."""
    here = {project["name"]: {"workspace": True} for project in projects.values()}

    assert here == workspace["tool"]["uv"]["sources"]


def test_mypy_knows_every_package(workspace: dict[str, Any], packages: list[str]) -> None:
    """Each package is checked under the name it is imported by."""
    assert packages == workspace["tool"]["mypy"]["mypy_path"]


def test_the_development_install_is_complete(
    root: Path, workspace: dict[str, Any], packages: list[str]
) -> None:
    """requirements-dev.txt holds every package and what every dependency group asks for."""
    lines = (root / "requirements-dev.txt").read_text("utf-8").splitlines()[1:]
    groups = workspace["dependency-groups"].values()
    tools = {entry for group in groups for entry in group if isinstance(entry, str)}

    assert {f"-e ./{name}" for name in packages} | tools == {line.split("[")[0] for line in lines}


def test_the_sample_company_is_small(root: Path) -> None:
    """Whoever installs the app gets six simulators and the sample, in about a megabyte."""
    assert _size(root / "rove_sim") < 1_100_000


def test_the_app_is_small(root: Path) -> None:
    """The app stays thin, with all operations, the doctor and the set-up of agents in it."""
    assert _size(root / "rove") < 700_000


def test_bump_changes_every_version_and_nothing_else(
    root: Path, projects: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """A bump rewrites versions and pins; taking them back gives the old text."""
    old = projects["rove"]["version"]
    for folder in root.glob("rove*/"):
        shutil.copytree(folder, tmp_path / folder.name)

    done = _bump(root, tmp_path, NEW)

    changed = [Path(line) for line in done.stdout.splitlines()]
    texts = {file: (tmp_path / file).read_text("utf-8") for file in changed}
    assert {NEW} == set(_shown_versions(tmp_path))
    assert sorted(f"{name}/pyproject.toml" for name in projects) == sorted(
        str(file) for file in changed if file.name == "pyproject.toml"
    )
    assert not [file for file, text in texts.items() if f'"{old}"' in text or f"~={old}" in text]
    assert texts.keys() == {
        file for file in texts if texts[file].replace(NEW, old) == (root / file).read_text("utf-8")
    }


@pytest.mark.parametrize("version", ["", "v1", "1.2", "1.2.3.dev4"])
def test_bump_refuses_what_is_no_release(root: Path, tmp_path: Path, version: str) -> None:
    """Only a release's version is written into the packages."""
    assert "name the new version" in _bump(root, tmp_path, version).stderr


def test_news_are_sentences_of_a_known_type(root: Path) -> None:
    """Each news fragment is named as towncrier expects and holds whole sentences."""
    fragments = [file for file in (root / "changelog").iterdir() if file.name != "README.md"]
    known = re.compile(r"(\d+|\+[\w-]+)\.(feature|bugfix|doc|removal|misc)\.md")

    assert [file.name for file in fragments if not known.fullmatch(file.name)] == []
    assert [file.name for file in fragments if not file.read_text("utf-8").endswith(".\n")] == []


def _requirements(project: dict[str, Any]) -> Iterator[str]:
    yield from project["dependencies"]
    for extra in project.get("optional-dependencies", {}).values():
        yield from extra


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement.replace("~", " "), maxsplit=1)[0]


def _shown_versions(root: Path) -> Iterator[str]:
    for file in root.glob("rove*/rove*/__init__.py"):
        yield from re.findall(r'(?m)^__version__ = "(.+)"', file.read_text("utf-8"))


def _size(folder: Path) -> int:
    files = (file for file in folder.rglob("*") if "__pycache__" not in file.parts)
    return sum(file.stat().st_size for file in files if file.is_file())


def _bump(root: Path, place: Path, version: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # our own program, in a folder of our own
        [sys.executable, root / ".ci" / "bump.py", version],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
