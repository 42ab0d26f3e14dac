"""Tells in few words what was found in a sample of code."""

from itertools import groupby
from textwrap import dedent

import pytest

from rove_code.model import Base, Declaration, ParsedFile
from rove_code.parsing import parse


def sample(text: str, language: str) -> ParsedFile:
    """Take a sample apart; its grammar need not be there."""
    pytest.importorskip(f"tree_sitter_{_GRAMMARS.get(language, language)}")
    return parse(dedent(text).removeprefix("\n"), language)


def outline(parsed: ParsedFile) -> list[str]:
    """Tell of each declaration its lines, kind, path, bases and whether it is documented."""
    return [_line(declaration) for declaration in parsed.declarations]


def borders(parsed: ParsedFile) -> list[str]:
    """Tell of each chunk its lines and role."""
    return [f"{chunk.place.first}-{chunk.place.last} {chunk.role}" for chunk in parsed.chunks]


def named(parsed: ParsedFile, kind: str) -> list[str]:
    """Return the names that references of a kind have."""
    return [reference.name for reference in parsed.references if reference.kind == kind]


def _line(declaration: Declaration) -> str:
    place = declaration.place
    bases = (
        f"{relation} {' '.join(base.name for base in group)}"
        for relation, group in groupby(declaration.bases, _relation)
    )
    doc = ["documented"] if declaration.doc else []
    path = f"{place.first}-{place.last} {declaration.kind} {declaration.path}"
    return ", ".join([path, *bases, *doc])


def _relation(base: Base) -> str:
    return base.relation.value


_GRAMMARS = {"tsx": "typescript", "csharp": "c_sharp"}
