"""What a GraphQL document says, read into plain data."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import frozen


@frozen
class NamedType:
    """A type by its name."""

    name: str

    def __str__(self) -> str:
        return self.name


@frozen
class ListOf:
    """A list of a type."""

    of: "TypeRef"

    def __str__(self) -> str:
        return f"[{self.of}]"


@frozen
class NonNull:
    """A type that is never null."""

    of: "NamedType | ListOf"

    def __str__(self) -> str:
        return f"{self.of}!"


TypeRef: TypeAlias = NamedType | ListOf | NonNull


@frozen
class Variable:
    """The use of a variable."""

    name: str


@frozen
class EnumName:
    """A bare word as a value."""

    name: str


@frozen
class ObjectValue:
    """An input object as it is written: names may stand twice, which a check refuses."""

    pairs: tuple[tuple[str, "Value"], ...]


Value: TypeAlias = (
    Variable | EnumName | ObjectValue | str | int | float | bool | tuple["Value", ...] | None
)


@frozen
class Argument:
    """An argument of a field or directive, as it is given."""

    name: str
    value: Value


@frozen
class Directive:
    """A directive, as it is given."""

    name: str
    arguments: tuple[Argument, ...] = ()


@frozen(kw_only=True)
class Field:
    """A field that is asked for."""

    name: str
    alias: str = ""
    arguments: tuple[Argument, ...] = ()
    directives: tuple[Directive, ...] = ()
    selections: tuple["Selection", ...] = ()

    @property
    def key(self) -> str:
        """Return its name in the reply."""
        return self.alias or self.name


@frozen(kw_only=True)
class Spread:
    """A fragment that is asked for by its name."""

    name: str
    directives: tuple[Directive, ...] = ()


@frozen(kw_only=True)
class Inline:
    """A fragment in its place; without a type it is of the type around it."""

    on: str | None
    directives: tuple[Directive, ...] = ()
    selections: tuple["Selection", ...]


Selection: TypeAlias = Field | Spread | Inline


@frozen(kw_only=True)
class VariableDefinition:
    """A variable of an operation; the default is a one-tuple when there is one."""

    name: str
    type: TypeRef
    default: tuple[Value] | None = None
    directives: tuple[Directive, ...] = ()


@frozen(kw_only=True)
class GraphOperation:
    """A question; it may have no name."""

    kind: Literal["query", "mutation", "subscription"]
    name: str = ""
    variables: tuple[VariableDefinition, ...] = ()
    directives: tuple[Directive, ...] = ()
    selections: tuple[Selection, ...]


@frozen(kw_only=True)
class Fragment:
    """A part of questions, with a name."""

    name: str
    on: str
    directives: tuple[Directive, ...] = ()
    selections: tuple[Selection, ...]


@frozen
class GraphDocument:
    """All that one request says."""

    operations: tuple[GraphOperation, ...]
    fragments: tuple[Fragment, ...]

    @property
    def fragments_by_name(self) -> Mapping[str, Fragment]:
        """Return the fragments, to look up."""
        return {fragment.name: fragment for fragment in self.fragments}
