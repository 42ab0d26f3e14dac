"""Who may import whom: read from the source, so that lazy imports count too."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

#: Every package may import rove_core and nothing else of ours, but for these.
ALLOWED = {"rove_core": set[str](), "rove": {"rove_core", "rove_sim"}}
#: The app is not a plugin but the other half of the core, of one version with it: it runs the
#: core's worker processes, examines and repairs its files, and shows how a build came about.
INSIDERS = {"rove_core", "rove"}
#: Folders of docs_src that make the pages.
TOOLS = {"blocks", "pictures"}
#: What a source may need beside the core: data classes. A vendor is spoken to over HTTP.
OF_A_SOURCE = {"attrs", "rove-core"}
#: What is loaded by the name of the language at hand: no import names it.
BY_NAME = "tree-sitter-"
#: A text that names a distribution, a package or a place in one.
PLACE = re.compile(r"rove[-_]\w+([.:][\w.]+)?")


class Found(NamedTuple):
    """A package named in a file, by an import or by a text (``"rove_jira:commands"``)."""

    name: str
    file: Path
    line: int
    imported: bool = True

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}"


def test_imports_no_sibling_but_the_core(package: str, packages: list[str], root: Path) -> None:
    """Packages know the core, not each other: neither imported nor named in a text."""
    allowed = ALLOWED.get(package, {"rove_core"}) | {package}
    siblings = set(packages) - allowed

    assert [str(found) for found in _named(root, package) if found.name in siblings] == []


def test_only_the_demonstration_imports_the_simulators(root: Path) -> None:
    """The app works without the simulated vendors, but for ``rove --demo``."""
    files = {found.file for found in _imports(root, "rove") if found.name == "rove_sim"}

    assert {Path("rove/rove/demo.py")} == files


def test_only_one_place_speaks_http(package: str, root: Path) -> None:
    """Deadlines, limits and redaction cannot be gone round."""
    files = {found.file for found in _imports(root, package) if found.name == "httpx"}

    assert [
        str(file) for file in files if file.parts[:3] != ("rove_core", "rove_core", "http")
    ] == []


def test_imports_only_what_the_reference_offers(package: str, root: Path) -> None:
    """Shipped packages use the core as anybody can: by the names that are documented."""
    if package in INSIDERS:
        pytest.skip("it is no plugin")
    offered = _offered(root / "docs" / "reference" / "python-api.md")

    assert [
        f"{file}:{line} from {module} import {name}"
        for file, line, module, name in _names_of_the_core(
            root, sorted((root / package / package).rglob("*.py"))
        )
        if name not in offered.get(module, ())
    ] == []


def test_examples_import_only_what_the_reference_offers(root: Path) -> None:
    """What the pages and the templates show to authors can be done with documented names."""
    offered = _offered(root / "docs" / "reference" / "python-api.md")
    shown = [
        *(root / "docs_src").glob("*/*.py"),
        *(root / "rove" / "rove" / "plugin_templates").rglob("*.py"),
    ]

    assert [
        f"{file}:{line} from {module} import {name}"
        for file, line, module, name in _names_of_the_core(root, shown)
        if name not in offered.get(module, ()) and file.parts[1] not in TOOLS
    ] == []


def test_declares_what_it_imports(package: str, project: dict[str, Any], root: Path) -> None:
    """A package depends on each distribution that it imports, and on no other."""
    extras = dict(project.get("optional-dependencies", {}))
    extras.pop("all", None)
    declared = {
        name
        for name in _names(project["dependencies"], *extras.values())
        if not name.startswith(BY_NAME)
    }

    assert declared == _distributions(_imports(root, package), but=package)


def test_the_testing_extra_is_for_testing_alone(
    projects: dict[str, dict[str, Any]], root: Path
) -> None:
    """Without ``rove-core[testing]`` everything but rove_core.testing works."""
    core = projects["rove_core"]
    testing = root / "rove_core" / "rove_core" / "testing"
    outside = (
        found
        for found in _imports(root, "rove_core")
        if not (root / found.file).is_relative_to(testing)
    )

    extra = _names(core["optional-dependencies"]["testing"]) - _names(core["dependencies"])
    assert not extra & _distributions(outside, but="rove_core")


def test_a_source_needs_the_core_alone(project: dict[str, Any]) -> None:
    """No source depends on a vendor's own client."""
    if "rove" not in project.get("entry-points", {}):
        pytest.skip("it brings no source")
    if project["name"] == "rove-code":
        pytest.skip("it asks no vendor: it takes files apart itself")
    if project["name"] == "rove-folder":
        pytest.skip("it asks no vendor: it reads files of many formats")
    if project["name"] == "rove-openai":
        pytest.skip("it brings a model's engine, and this is what that is made of")

    if project["name"] == "rove-mcp":
        pytest.skip("it is a server, too, and this is what that is made of")

    assert _names(project["dependencies"]) <= OF_A_SOURCE


def _imports(root: Path, package: str) -> Iterator[Found]:
    return (found for found in _named(root, package) if found.imported)


def _named(root: Path, package: str) -> Iterator[Found]:
    for file in sorted((root / package / package).rglob("*.py")):
        place = file.relative_to(root)
        if "plugin_templates" in place.parts:
            continue  # the code of plugins that are made of it
        for node in ast.walk(_tree(file)):
            match node:
                case ast.Import(names=names, lineno=line):
                    yield from (Found(_top(alias.name), place, line) for alias in names)
                case ast.ImportFrom(module=str(module), level=0, lineno=line):
                    yield Found(_top(module), place, line)
                case ast.Constant(value=str(text), lineno=line) if PLACE.fullmatch(text):
                    yield Found(_top(text).replace("-", "_"), place, line, imported=False)


def _names_of_the_core(root: Path, files: Iterable[Path]) -> Iterator[tuple[Path, int, str, str]]:
    """Yield what files import of rove_core: file, line, module and name."""
    for file in files:
        for node in ast.walk(_tree(file)):
            place = file.relative_to(root)
            match node:
                case ast.ImportFrom(module=str(module), level=0) if _top(module) == "rove_core":
                    yield from ((place, node.lineno, module, each.name) for each in node.names)
                case ast.Import(names=names):
                    for each in names:
                        if _top(each.name) == "rove_core":
                            yield place, node.lineno, each.name, ""


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def _offered(page: Path) -> dict[str, set[str]]:
    """Return the names that the reference lists, by the module to import them from."""
    offered: dict[str, set[str]] = defaultdict(set)
    module = "rove_core"
    for line in page.read_text("utf-8").splitlines():
        if heading := re.fullmatch(r"## (rove_core[.\w]+)", line):
            module = heading[1]
        elif row := re.match(r"\| `(\w+)` \|", line):
            offered[module].add(row[1])
        elif line.startswith("It also has "):
            offered[module].update(re.findall(r"`(\w+)`", line))
    return offered


def _top(name: str) -> str:
    return re.split(r"[.:]", name, maxsplit=1)[0]


def _distributions(imports: Iterable[Found], *, but: str) -> set[str]:
    """Name what has to be installed for imports of a package, beside itself."""
    names = {found.name for found in imports} - sys.stdlib_module_names - {but}
    return {_OTHERWISE.get(name, name.replace("_", "-")) for name in names}


#: Distributions that are not called as what they bring.
_OTHERWISE = {"graphql": "graphql-core", "markdown_it": "markdown-it-py", "Stemmer": "pystemmer"}


def _names(*requirements: Iterable[str]) -> set[str]:
    """Take the names out of requirements."""
    return {re.split(r"[^\w-]", text, maxsplit=1)[0] for texts in requirements for text in texts}
