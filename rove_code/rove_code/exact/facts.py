"""The scopes, imports and name uses of a file.

An expression is a *chain*: ``self.basket.total()`` is ``("self", "basket", "total", "()")``.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final, TypeAlias

from attrs import define, field, frozen

Chain: TypeAlias = tuple[str, ...]

#: The step of a chain that calls what is before it, one that takes an element of it, and one that
#: nobody can follow. ``#1`` is the second result of a call.
CALLED: Final = "()"
ELEMENT: Final = "[]"
UNKNOWN_STEP: Final = "?"


class UseKind(StrEnum):
    """The kind of a name's use."""

    CALL = "call"
    IMPORT = "import"
    BASE = "base"
    NAME = "name"


@frozen
class NameUse:
    """A place that uses a name.

    Attributes:
        chain: The expression, up to the name that is used.
        line: Where.
        scope: The number of the scope that it stands in.
        kind: How it is used.
    """

    chain: Chain
    line: int
    scope: int
    kind: UseKind

    @property
    def name(self) -> str:
        """The name that is used."""
        return self.chain[-1]


@frozen
class Binding:
    """A name that a file imports.

    Attributes:
        local: What it is called in the file; ``*`` for all names of the module.
        module: The module as it is written.
        name: The name in the module; empty for the module itself.
        line: Where.
    """

    local: str
    module: str
    name: str
    line: int


@frozen
class VariableType:
    """The type of a variable: its annotation and first value."""

    annotated: Chain | None = None
    value: Chain | None = None


@define
class Scope:
    """A module, a class or a function.

    Attributes:
        kind: ``module``, ``class`` or ``function``.
        name: Its name; empty for a module or a function without one.
        parent: The number of the scope that it stands in; -1 for a module.
        first: Its first line.
        last: Its last line.
        owner: The type that it belongs to, if it stands outside of that.
        is_property: Whether it is a property of an object, and no name of its own.
        elements: The type of the elements, if a class is a list.
        bases: What a class is built on.
        returns: The type of a function's result.
        results: The types of all results, if a function has several.
        returned: What it returns, if no type is given.
        constraints: What its type parameters are at least: ``T extends Basket``.
        variables: Its variables, parameters and attributes.
    """

    kind: str
    name: str
    parent: int
    first: int
    last: int
    owner: str = ""
    is_property: bool = False
    elements: Chain | None = None
    bases: list[Chain] = field(factory=list)
    returns: Chain | None = None
    results: tuple[Chain | None, ...] = ()
    returned: Chain | None = None
    constraints: dict[str, Chain] = field(factory=dict)
    variables: dict[str, VariableType] = field(factory=dict)


@define(slots=False)
class FileFacts:
    """A file's scopes, imports and name uses.

    Attributes:
        path: The file.
        language: What it is written in.
        scopes: The first one is the file itself.
        uses: In the order of the text.
        bindings: What it imports.
        exports: What it calls its own names elsewhere: ``default`` for a default export.
        lines: Its text.
    """

    path: str
    language: str
    scopes: list[Scope] = field(factory=list)
    uses: list[NameUse] = field(factory=list)
    bindings: list[Binding] = field(factory=list)
    exports: dict[str, str] = field(factory=dict)
    lines: Sequence[str] = ()

    @cached_property
    def members(self) -> Mapping[tuple[int, str], list[int]]:
        """The scopes by the number of their parent and their name."""
        found: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for number, scope in enumerate(self.scopes):
            if scope.name and not scope.owner and not scope.is_property:
                found[scope.parent, scope.name].append(number)
        return found

    @cached_property
    def owned(self) -> Mapping[tuple[str, str], list[int]]:
        """Return the scopes defined outside their type, by type and name."""
        found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for number, scope in enumerate(self.scopes):
            if scope.owner:
                found[scope.owner, scope.name].append(number)
        return found

    @cached_property
    def named(self) -> Mapping[str, list[int]]:
        """Return the named scopes by qualified name."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, scope in enumerate(self.scopes):
            if scope.name:
                found[self.path_of(number)].append(number)
        return found

    @cached_property
    def imported(self) -> Mapping[str, Binding]:
        """The imports by the names that they have in the file."""
        return {each.local: each for each in self.bindings if each.local != "*"}

    def path_of(self, number: int) -> str:
        """Return the qualified name of a scope: ``Outer.name``; empty for a file."""
        names: list[str] = []
        while number > 0:
            scope = self.scopes[number]
            if scope.name:
                names.append(scope.name)
            if scope.owner:
                names.append(scope.owner)
            number = scope.parent
        return ".".join(reversed(names))

    def around(self, number: int) -> Iterator[int]:
        """Yield a scope and its enclosing scopes, innermost first."""
        while number >= 0:
            yield number
            number = self.scopes[number].parent
