"""Names of classes and modules: one class for one name, and nouns."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

#: Participles and gerunds, which say what happened to a thing and not what it is.
VERBAL = re.compile(
    r"_?(\w*(ed|ing)|built|chosen|drawn|found|given|held|here|kept|known|made|meant|said|seen|shown"
    r"|sought|spoken|taken|told|who|whole|written)",
    re.IGNORECASE,
)
#: Nouns, though they end like a participle, and why they are the word that people search for.
NOUNS = {
    "Anything": "a pronoun",
    "Binding": "what compilers call an imported name",
    "Embedding": "what models call a vector of a text",
    "Finding": "what a check reports",
    "Heading": "a part of a page",
    "Locked": "an error, named for what is wrong like all of Rove's",
    "Ranking": "a list in order",
    "Refused": "an answer, raised like an error",
    "listing": "the list of an account's changes",
    "paging": "the usual word for reading a result page by page",
    "packing": "a stage of code retrieval, next to parsing and ranking",
    "parsing": "the usual word for it",
    "ranking": "a stage of code retrieval",
    "testing": "where Python packages keep what tests import",
}


def test_no_class_name_stands_twice(trees: Mapping[Path, ast.Module], root: Path) -> None:
    """One name means one class in everything that is shipped."""
    homes = defaultdict(list)
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(f"{file.relative_to(root)}:{node.lineno}")

    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_templates_take_no_class_name(trees: Mapping[Path, ast.Module], root: Path) -> None:
    """What a new plugin is made of has names of its own; only one of its kinds gets each file."""
    templates = root / "rove" / "rove" / "plugin_templates"
    shipped = {name for tree in trees.values() for name in _class_names(tree)}

    assert [
        f"{file.relative_to(root)} {name}"
        for file in sorted(templates.rglob("*.py"))
        for name in _class_names(ast.parse(file.read_text("utf-8")))
        if name in shipped
    ] == []


def test_classes_are_named_by_nouns(trees: Mapping[Path, ast.Module], root: Path) -> None:
    """No class is called by a participle alone: ``ReviewThread``, not ``Said``."""
    verbal = [
        f"{file.relative_to(root)}:{node.lineno} {node.name}"
        for file, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and _is_verbal(node.name)
    ]

    assert verbal == []


def test_modules_are_named_by_nouns(modules: Sequence[Path], root: Path) -> None:
    """No module is called by a participle or gerund alone: ``builder``, not ``making``."""
    parts = {
        (file.relative_to(root).parts[0], part)
        for file in modules
        for part in file.relative_to(root).with_suffix("").parts[2:]
    }

    assert [name for name in sorted(parts) if _is_verbal(name[1])] == []


def _class_names(tree: ast.Module) -> Iterator[str]:
    return (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _is_verbal(name: str) -> bool:
    """Return whether a name is one word, and that word a participle or gerund."""
    is_one_word = re.fullmatch(r"_?([A-Z]?[a-z]+)", name)
    return bool(is_one_word and VERBAL.fullmatch(name)) and name.strip("_") not in NOUNS
