"""The checkout, as the tests of its packages read it; none of them imports what it checks."""

import ast
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(file.parent.name for file in ROOT.glob("rove*/pyproject.toml"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a package once for each."""
    if "package" in metafunc.fixturenames:
        metafunc.parametrize("package", PACKAGES)


@pytest.fixture
def root() -> Path:
    """Return the folder of the checkout."""
    return ROOT


@pytest.fixture
def packages() -> list[str]:
    """Return the folders of all packages; each has the name of its import package."""
    return PACKAGES


@pytest.fixture(scope="session")
def modules() -> Sequence[Path]:
    """Return the modules of all packages, but for those that a new plugin is made of."""
    files = (file for name in PACKAGES for file in sorted((ROOT / name / name).rglob("*.py")))
    return [file for file in files if "plugin_templates" not in file.parts]


@pytest.fixture(scope="session")
def trees(modules: Sequence[Path]) -> Mapping[Path, ast.Module]:
    """Return what stands in each module, parsed."""
    return {file: ast.parse(file.read_text("utf-8")) for file in modules}


@pytest.fixture
def workspace() -> dict[str, Any]:
    """Return the root's pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture
def projects() -> dict[str, dict[str, Any]]:
    """Return each package's ``[project]`` table."""
    files = {name: ROOT / name / "pyproject.toml" for name in PACKAGES}
    return {name: tomllib.loads(file.read_text("utf-8"))["project"] for name, file in files.items()}


@pytest.fixture
def project(package: str, projects: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the ``[project]`` table of the package under test."""
    return projects[package]
