"""Callers and callees of a declaration."""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from rove_code.exact.codebase import Codebase
from rove_code.exact.facts import FileFacts, NameUse, UseKind
from rove_code.exact.meanings import Elsewhere, Meaning, Module, ResolvedDeclaration, Target
from rove_code.exact.results import Sure

#: Methods are called without their object there.
_IMPLICIT: Final = frozenset({"java", "cpp", "c"})
_OPEN: Final = frozenset({"javascript", "typescript", "tsx"})
#: What a module exports without a name: importers name it.
_UNNAMED: Final = "export default"
#: A declaration is followed by so many names.
_MOST_ALIASES: Final = 8
_CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "constructor"})


@frozen
class DeclarationUse:
    """A place that uses a declaration.

    Attributes:
        path: The file.
        line: The line.
        inside: The declaration that it stands in; empty for none.
        sure: How sure it is that this declaration is meant.
        kind: How it is used.
    """

    path: str
    line: int
    inside: str
    sure: Sure
    kind: UseKind


def uses_of(codebase: Codebase, target: Target) -> Iterator[DeclarationUse]:
    """Yield all places that use a declaration, or may use it by name."""
    name = target.name.rpartition(".")[2]
    is_constructor = name in _CONSTRUCTORS and "." in target.name
    meant: tuple[Target, ...] = (target,)
    if is_constructor:
        target = Target(target.path, target.name.rpartition(".")[0])
        name = target.name.rpartition(".")[2]
        meant = (target, *meant)
    aliases = {name: False}
    waiting = [name]
    seen: set[tuple[str, int]] = set()
    while waiting:
        word = waiting.pop()
        for facts in _files_naming(codebase, word, target):
            names = _names_there(facts, word)
            for number, use in enumerate(facts.uses):
                if use.name not in names or (facts.path, number) in seen:
                    continue
                sure = (
                    None
                    if _is_declaration(use, facts, name)
                    else _sure(codebase, use, facts, meant)
                )
                if sure and (sure is not Sure.NAME or not aliases[word]):
                    seen.add((facts.path, number))
                    yield DeclarationUse(
                        facts.path, use.line, facts.path_of(use.scope), sure, use.kind
                    )
            for alias in _published(codebase, facts, names, meant):
                if alias not in aliases and len(aliases) < _MOST_ALIASES:
                    aliases[alias] = True
                    waiting.append(alias)


def _files_naming(codebase: Codebase, word: str, target: Target) -> Iterator[FileFacts]:
    """Yield the files in which a declaration may be called a word."""
    spelling = word
    if word == _UNNAMED:
        # It is called anything there, but its file is named.
        folder, _, file = target.path.rpartition("/")
        stem = file.partition(".")[0]
        spelling = folder.rpartition("/")[2] if stem == "index" else stem
    for path in codebase.having(spelling) if spelling else ():
        if facts := codebase.facts(path):
            yield facts


def _names_there(facts: FileFacts, word: str) -> set[str]:
    """Return the local names in a file of an exported declaration."""
    if word == _UNNAMED:
        return {each.local for each in facts.bindings if each.name in {"", "default"}}
    imported = {each.local for each in facts.bindings if each.name == word}
    return {word, *imported}


def _published(
    codebase: Codebase, facts: FileFacts, names: set[str], meant: tuple[Target, ...]
) -> Iterator[str]:
    """Yield the other names that a file gives a declaration for all files."""
    is_package = facts.path.endswith("__init__.py")
    found = {other: local for other, local in facts.exports.items() if local in names}
    # In an order that is the same in each process: only the first aliases are followed.
    found |= {name: name for name in sorted(names) if is_package and name in facts.imported}
    for other, local in found.items():
        meaning = codebase.resolver.chain((local,), facts, 0)
        if isinstance(meaning, ResolvedDeclaration) and meaning.target in meant:
            yield _UNNAMED if other == "default" else other


def calls_in(codebase: Codebase, target: Target) -> Iterator[tuple[NameUse, ResolvedDeclaration]]:
    """Yield the calls inside a declaration, with the declarations they resolve to."""
    facts = codebase.facts(target.path)
    if facts is None:
        return
    inside = {
        number
        for number in range(len(facts.scopes))
        if f"{facts.path_of(number)}.".startswith(f"{target.name}.")
        or any(facts.path_of(each) == target.name for each in facts.around(number))
    }
    for use in facts.uses:
        if use.kind is UseKind.CALL and use.scope in inside:
            meaning = codebase.resolver.meaning(use, facts)
            if isinstance(meaning, ResolvedDeclaration):
                yield use, meaning


def subtypes(codebase: Codebase, target: Target) -> Iterator[tuple[Target, DeclarationUse]]:
    """Yield the direct subclasses of a class, and the place of each inheritance."""
    for edge in uses_of(codebase, target):
        facts = codebase.facts(edge.path)
        if edge.kind is not UseKind.BASE or facts is None:
            continue
        for number, scope in enumerate(facts.scopes):
            is_base = any(base[-1] == target.name.rpartition(".")[2] for base in scope.bases)
            if is_base and scope.first <= edge.line <= scope.last and scope.parent >= 0:
                name = facts.path_of(number)
                if scope.parent == _scope_at(facts, edge):
                    yield Target(edge.path, name), edge


def _scope_at(facts: FileFacts, edge: DeclarationUse) -> int:
    return next(
        (use.scope for use in facts.uses if use.line == edge.line and use.kind is UseKind.BASE), 0
    )


def _is_declaration(use: NameUse, facts: FileFacts, name: str) -> bool:
    """Return whether a use is the declaration itself."""
    if use.kind is not UseKind.NAME or len(use.chain) > 1:
        return False
    return any(
        scope.name == name
        and scope.first <= use.line <= scope.first + 1
        and scope.parent == use.scope
        for scope in facts.scopes
    )


def _sure(
    codebase: Codebase, use: NameUse, facts: FileFacts, meant: tuple[Target, ...]
) -> Sure | None:
    if use.kind is UseKind.IMPORT:
        return _imported(codebase, use, facts, meant)
    meaning = codebase.resolver.meaning(use, facts)
    if isinstance(meaning, ResolvedDeclaration) and meaning.target in meant:
        return meaning.sure
    if meaning is None and _may_mean(use, facts, meant[0]):
        return Sure.NAME
    return None


def _imported(
    codebase: Codebase, use: NameUse, facts: FileFacts, meant: tuple[Target, ...]
) -> Sure | None:
    found = (each for each in facts.bindings if each.name == use.name and each.line == use.line)
    for binding in found:
        meaning: Meaning = codebase.resolver.chain((binding.local,), facts, 0)
        if isinstance(meaning, ResolvedDeclaration) and meaning.target in meant:
            return Sure.IMPORT
        if isinstance(meaning, (Elsewhere, Module, ResolvedDeclaration)):
            return None
    return Sure.NAME


def _may_mean(use: NameUse, facts: FileFacts, target: Target) -> bool:
    """Return whether a use of unknown meaning can mean a declaration, by its form."""
    is_member = "." in target.name
    if is_member:
        return len(use.chain) > 1 or facts.language in _IMPLICIT
    return len(use.chain) == 1 or facts.language in _OPEN | {"cpp"}


def scopes_named(codebase: Codebase, name: str, paths: Sequence[str]) -> Iterator[Target]:
    """Yield the declarations of a name in files: of ``Outer.name`` those that end so."""
    last = name.rpartition(".")[2]
    for path in paths:
        facts = codebase.facts(path)
        seen: set[str] = set()
        for number, scope in enumerate(facts.scopes if facts else ()):
            found = facts.path_of(number) if facts else ""
            if scope.name == last and f".{found}".endswith(f".{name}") and found not in seen:
                seen.add(found)
                yield Target(path, found)
        for number, scope in enumerate(facts.scopes if facts else ()):
            if facts and scope.kind in {"module", "class"} and last in scope.variables:
                found = ".".join(filter(None, (facts.path_of(number), last)))
                if f".{found}".endswith(f".{name}") and found not in seen:
                    seen.add(found)
                    yield Target(path, found)
