"""The installed grammars, each loaded on first use."""

from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING

from attrs import frozen

from rove_code.parsing.languages import language_named

if TYPE_CHECKING:
    import tree_sitter


@frozen
class Grammar:
    """The grammar and query of a language.

    Attributes:
        language: The grammar itself.
        query: What is looked for in the tree.
    """

    language: "tree_sitter.Language"
    query: "tree_sitter.Query"


@cache
def grammar_of(language: str) -> Grammar | None:
    """Return a language's grammar; None if it has none, or it is not installed."""
    spec = language_named(language)
    if not spec.grammar:
        return None
    try:
        module = import_module(spec.grammar)
    except ModuleNotFoundError:
        return None
    import tree_sitter  # noqa: PLC0415  # who reads what was parsed before needs no parser

    grammar = tree_sitter.Language(getattr(module, spec.entry)())
    return Grammar(grammar, tree_sitter.Query(grammar, _source(spec.queries)))


def _source(queries: tuple[str, ...]) -> str:
    folder = files("rove_code.parsing") / "queries"
    return "\n".join((folder / f"{query}.scm").read_text("utf-8") for query in queries)
