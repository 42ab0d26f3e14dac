"""What may be asked: the types of a GraphQL schema."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from attrs import field, frozen

from rove_sim.graphql.nodes import ListOf, NamedType, NonNull, TypeRef, Value

Kind: TypeAlias = Literal["type", "interface", "union", "enum", "input", "scalar"]


@frozen(kw_only=True)
class InputField:
    """An argument of a field, or a field of an input; the default is a one-tuple if any."""

    name: str
    type: TypeRef
    default: tuple[Value] | None = None

    @property
    def required(self) -> bool:
        """Tell whether it must be given."""
        return isinstance(self.type, NonNull) and self.default is None


@frozen(kw_only=True)
class FieldDefinition:
    """A field that can be asked for."""

    name: str
    type: TypeRef
    arguments: Mapping[str, InputField] = field(factory=dict)


@frozen(kw_only=True)
class Type:
    """A type with a name; what it has beside that depends on its kind.

    Attributes:
        fields: Of a type or an interface.
        interfaces: What it can also be seen as.
        members: Of a union.
        values: Of an enum.
        inputs: The fields of an input.
    """

    name: str
    kind: Kind
    fields: Mapping[str, FieldDefinition] = field(factory=dict)
    interfaces: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    inputs: Mapping[str, InputField] = field(factory=dict)

    @property
    def composite(self) -> bool:
        """Tell whether something must be selected from it."""
        return self.kind in {"type", "interface", "union"}

    @property
    def leaf(self) -> bool:
        """Tell whether nothing can be selected from it."""
        return self.kind in {"enum", "scalar"}


_SCALARS: Final = {
    name: Type(name=name, kind="scalar") for name in ("Int", "Float", "String", "Boolean", "ID")
}
_TYPENAME: Final = FieldDefinition(name="__typename", type=NonNull(NamedType("String")))
_CONDITION: Final = {"if": InputField(name="if", type=NonNull(NamedType("Boolean")))}
#: The directives that a request may use, with their arguments.
DIRECTIVES: Final = {"skip": _CONDITION, "include": _CONDITION}


@frozen
class Schema:
    """Types by their names; the questions begin at ``Query``."""

    types: Mapping[str, Type]

    def get(self, name: str) -> Type | None:
        """Return a type by its name."""
        return self.types.get(name) or _SCALARS.get(name)

    def of(self, ref: TypeRef) -> Type:
        """Return the type that a mention ends in, whatever wraps it."""
        while not isinstance(ref, NamedType):
            ref = ref.of
        return self.types.get(ref.name) or _SCALARS[ref.name]

    def field(self, type_: Type, name: str) -> FieldDefinition | None:
        """Return a field of a type."""
        return _TYPENAME if name == "__typename" and type_.composite else type_.fields.get(name)

    def possible(self, type_: Type) -> frozenset[str]:
        """Return the types that something of this type may really be."""
        if type_.kind == "union":
            return frozenset(type_.members)
        if type_.kind == "interface":
            return frozenset(name for name, each in self.types.items() if _is_one(each, type_.name))
        return frozenset({type_.name})


def nullable(ref: TypeRef) -> NamedType | ListOf:
    """Return a type without its exclamation mark."""
    return ref.of if isinstance(ref, NonNull) else ref


def _is_one(type_: Type, interface: str) -> bool:
    return type_.kind == "type" and interface in type_.interfaces
