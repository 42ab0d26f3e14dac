"""The form of modules: none is too long to be read at once, and none needs itself to be loaded."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

#: Lines that a module may have.
LONGEST = 450
#: Public modules that may lie flat in ``rove_core``: the contract. The rest is in folders.
MOST_FLAT = 12
#: Imports within functions that close a circle, and why each is there.
LATE = {
    ("rove.operation_call", "rove.operation_clients"): "few commands are doors themselves",
    ("rove_core.project.trust", "rove_core.project.settings"): "what has changed is asked rarely",
    ("rove_core.wire.parameters", "rove_core.wire.type_shapes"): "type shapes build on this module",
    ("rove_folder.summary.writers", "rove_folder.summary.model"): "most folders need no model",
}


def test_no_module_is_long(modules: Sequence[Path], root: Path) -> None:
    """A module has at most 450 lines."""
    lengths = {
        str(file.relative_to(root)): len(file.read_text("utf-8").splitlines()) for file in modules
    }

    assert {file: lines for file, lines in lengths.items() if lines > LONGEST} == {}


def test_the_contract_is_few_modules(root: Path) -> None:
    """At most 12 public modules lie flat in ``rove_core``: whoever opens it sees the contract."""
    flat = sorted(file.stem for file in (root / "rove_core" / "rove_core").glob("[!_]*.py"))

    assert len(flat) <= MOST_FLAT, flat


def test_no_import_needs_itself(trees: Mapping[Path, ast.Module], root: Path) -> None:
    """Modules can be loaded in one order: what they import when they are loaded forms no circle."""
    assert _circle(_imports(trees, root, late=False)) == []


def test_few_late_imports_need_themselves(trees: Mapping[Path, ast.Module], root: Path) -> None:
    """With what functions import when they run there are the known circles, and no other."""
    graph = _imports(trees, root, late=True)
    for one, other in LATE:
        below = {each for each in graph[one] if f"{each}.".startswith(f"{other}.")}
        assert below, f"{one} no longer imports {other}"
        graph[one].difference_update(below)

    assert _circle(graph) == []


def test_a_circle_would_be_found() -> None:
    """Modules that need each other are named."""
    assert set(_circle({"one": {"other"}, "other": {"one"}})) == {"one", "other"}


def _circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return modules of which each imports the one before it; none if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _imports(trees: Mapping[Path, ast.Module], root: Path, *, late: bool) -> Mapping[str, set[str]]:
    """Return what each module imports, but for types alone.

    Args:
        trees: The modules.
        root: Where they are.
        late: Whether the imports within functions count.
    """
    named = {_name(file, root): tree for file, tree in trees.items()}
    return {name: {*_loaded(name, tree, set(named), late=late)} for name, tree in named.items()}


def _loaded(name: str, tree: ast.Module, known: set[str], *, late: bool) -> Iterator[str]:
    """Yield the modules that a module loads, with the packages above them."""
    for node in _run(tree, late=late):
        match node:
            case ast.Import(names=names):
                wanted = [each.name for each in names]
            case ast.ImportFrom(module=str(module), level=0, names=names):
                wanted = [module, *(f"{module}.{each.name}" for each in names)]
            case _:
                continue
        for each in wanted:
            above = {each.rsplit(".", count)[0] for count in range(each.count(".") + 1)}
            # The packages above both are loaded before either.
            yield from (one for one in above & known if not f"{name}.".startswith(f"{one}."))


def _run(node: ast.AST, *, late: bool) -> Iterator[ast.AST]:
    """Yield what runs when a module is loaded, or later too; nothing that is for types alone."""
    for inner in ast.iter_child_nodes(node):
        match inner:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not late:
                continue
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=orelse):
                for each in orelse:
                    yield each
                    yield from _run(each, late=late)
            case _:
                yield inner
                yield from _run(inner, late=late)


def _name(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
