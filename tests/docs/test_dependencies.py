import re
import tomllib
from pathlib import Path

from docs_src.generate import DOCS, ROOT

PAGE = (DOCS / "explanation" / "dependencies.md").read_text("utf-8")


def test_every_requirement_is_explained() -> None:
    """Whatever a package, its extras, its build or our own work asks for has a row."""
    assert _required() - _rows().keys() == set()


def test_nothing_else_is_explained() -> None:
    """No row is left of something that nobody asks for any more."""
    assert _rows().keys() - _required() == set()


def test_each_row_names_the_packages_that_need_it() -> None:
    """The row of a requirement says whose it is."""
    wanted = {
        (package, name)
        for package in ("rove", "rove_core", "rove_sim")
        for name in _of_package(ROOT / package / "pyproject.toml")
    }
    said = {
        (package, name)
        for package, name in wanted
        if f"`{package.replace('_', '-')}`" in _rows()[name] or "all packages" in _rows()[name]
    }

    assert wanted - said == set()


def _rows() -> dict[str, str]:
    """Return what each row says first of a requirement, by its name."""
    return dict(re.findall(r"^\| `([\w-]+)` \| ([^|]+) \|", PAGE, re.MULTILINE))


def _required() -> set[str]:
    names: set[str] = set()
    for file in [ROOT / "pyproject.toml", *ROOT.glob("rove*/pyproject.toml")]:
        project = tomllib.loads(file.read_text("utf-8"))
        lists = [project["build-system"]["requires"], project["project"].get("dependencies", [])]
        lists += project["project"].get("optional-dependencies", {}).values()
        lists += project.get("dependency-groups", {}).values()
        names |= {_name(each) for wanted in lists for each in wanted if isinstance(each, str)}
    return {name for name in names if not name.startswith("rove")}


def _of_package(file: Path) -> set[str]:
    wanted = tomllib.loads(file.read_text("utf-8"))["project"]["dependencies"]
    return {_name(each) for each in wanted if not each.startswith("rove")}


def _name(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement, maxsplit=1)[0]
