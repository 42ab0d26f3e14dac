"""One shape for all sources: who knows one finds their way in the others."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

#: Where a name of the contract is used, in every source: see CONTRIBUTING.md, "A source".
HOMES = {
    "CommonSettings": {"settings"},
    "browser_login": {"login"},
    "device_login": {"login"},
    "oauth_fault": {"errors", "login"},
    "UpdateCursor": {"listing"},
    "merge_listings": {"listing"},
}
#: Other words for the modules that every source may have.
SYNONYMS = {
    "auth": "login",
    "oauth": "login",
    "config": "settings",
    "client": "api",
    "endpoints": "api",
    "exceptions": "errors",
    "faults": "errors",
    "changed": "listing",
    "ids": "references",
    "permalinks": "references",
    "mentions": "references",
}


def test_a_source_has_its_settings_and_its_hooks_in_their_modules(
    trees: Mapping[Path, ast.Module], root: Path
) -> None:
    """Each package that brings sources has ``settings`` and ``source``."""
    found = {
        package: {"settings", "source"} - {*_modules(trees, root, package)}
        for package in _sources(trees, root)
    }

    assert {package: lacking for package, lacking in found.items() if lacking} == {}


def test_modules_of_sources_have_one_name_for_one_thing(
    trees: Mapping[Path, ast.Module], root: Path
) -> None:
    """A login is in ``login``, not in ``oauth`` here and in ``auth`` there."""
    found = {
        f"{package}/{name}": SYNONYMS[name]
        for package in _sources(trees, root)
        for name in _modules(trees, root, package)
        if name in SYNONYMS
    }

    assert found == {}


def test_sources_use_the_contract_in_the_same_modules(
    trees: Mapping[Path, ast.Module], root: Path
) -> None:
    """Settings, logins and listings are made in the module of that name."""
    misplaced = [
        f"{file.relative_to(root)}: {each.name}"
        for package in _sources(trees, root)
        for file, tree in trees.items()
        if file.is_relative_to(root / package)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("rove_core")
        for each in node.names
        if file.stem not in HOMES.get(each.name, {file.stem})
    ]

    assert misplaced == []


def _sources(trees: Mapping[Path, ast.Module], root: Path) -> Iterator[str]:
    """Yield the packages that bring sources."""
    for file, tree in trees.items():
        package, *place = file.relative_to(root).parts
        names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        if place == [package, "__init__.py"] and "rove_sources" in names:
            yield package


def _modules(trees: Mapping[Path, ast.Module], root: Path, package: str) -> Iterator[str]:
    """Yield the modules that make a package's source: its own, or those in a folder for it."""
    above = root / package / package
    for file in trees:
        if file.parent in {above, above / "source"}:
            yield file.stem
