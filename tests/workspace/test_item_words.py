"""What a vendor calls a thing is its source's own: the core and the app read roles and facts."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

#: Where ``metadata`` is carried along: checked, made harmless, stored. Nothing there reads a key.
CARRIERS = {
    "rove_core/rove_core/plugins/item_validation.py",
    "rove_core/rove_core/safety/sanitise.py",
    "rove_core/rove_core/store/items.py",
    "rove_core/rove_core/project/settings/declarations.py",
    # The metadata of a field of attrs, and of no item.
    "rove_core/rove_core/wire/json_types.py",
}


@pytest.mark.parametrize("reader", ["rove_core", "rove"])
def test_nobody_reads_metadata(root: Path, reader: str) -> None:
    """A source keeps there what it likes, and no key of it means anything to others."""
    found = [
        f"{path}:{node.lineno}"
        for path, node in _nodes(root, reader)
        if isinstance(node, ast.Attribute) and node.attr == "metadata" and path not in CARRIERS
    ]

    assert found == []


@pytest.mark.parametrize("reader", ["rove_core", "rove"])
def test_nobody_asks_what_a_vendor_calls_a_thing(root: Path, reader: str) -> None:
    """``kind`` is told on and shown, and nothing depends on it."""
    found = [
        f"{path}:{node.lineno}"
        for path, node in _nodes(root, reader)
        if isinstance(node, ast.Compare | ast.Subscript | ast.Match)
        and any(_is_kind(part) for part in _operands(node))
        and "/testing/" not in path
    ]

    assert found == []


def _nodes(root: Path, package: str) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted((root / package / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            yield path.relative_to(root).as_posix(), node


def _operands(node: ast.Compare | ast.Subscript | ast.Match) -> list[ast.expr]:
    match node:
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Match():
            return [node.subject]
    return [node.slice]


def _is_kind(node: ast.expr) -> bool:
    if not isinstance(node, ast.Attribute):
        return False
    owner = node.value.attr if isinstance(node.value, ast.Attribute) else ""
    owner = node.value.id if isinstance(node.value, ast.Name) else owner
    return node.attr == "item_type" or (node.attr == "kind" and owner in {"ref", "link", "origin"})
