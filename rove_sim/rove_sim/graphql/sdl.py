"""Read a schema in the schema language of GraphQL."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, cast

from rove_sim.graphql.parse import read_directives, read_type, read_value
from rove_sim.graphql.schema import FieldDefinition, InputField, Kind, Schema, Type
from rove_sim.graphql.tokens import Tokens


def read_schema(text: str) -> Schema:
    """Read types; descriptions and directives are passed over.

    Raises:
        GraphQLSyntaxError: When the text is no schema, or of one with extensions.
    """
    tokens = Tokens(text)
    types = []
    while tokens.next_kind() != "end":
        types.append(_type(tokens))
    return Schema({type_.name: type_ for type_ in types})


def _type(tokens: Tokens) -> Type:
    _description(tokens)
    if not tokens.next_is(*_BODIES):
        raise tokens.unexpected("a kind of type")
    kind = cast("Kind", tokens.name())
    return _BODIES[kind](tokens, tokens.name())


def _object(tokens: Tokens, name: str, *, kind: Kind) -> Type:
    interfaces = _names(tokens, "&") if tokens.skip("implements") else ()
    read_directives(tokens, constant=True)
    fields = tokens.perhaps_within("{", partial(_field, tokens), "}")
    return Type(
        name=name,
        kind=kind,
        interfaces=interfaces,
        fields={each.name: each for each in fields},
    )


def _union(tokens: Tokens, name: str) -> Type:
    read_directives(tokens, constant=True)
    tokens.expect("=")
    return Type(name=name, kind="union", members=_names(tokens, "|"))


def _enum(tokens: Tokens, name: str) -> Type:
    read_directives(tokens, constant=True)
    return Type(name=name, kind="enum", values=tokens.within("{", partial(_word, tokens), "}"))


def _input(tokens: Tokens, name: str) -> Type:
    read_directives(tokens, constant=True)
    fields = tokens.within("{", partial(_input_field, tokens), "}")
    return Type(name=name, kind="input", inputs={each.name: each for each in fields})


def _scalar(tokens: Tokens, name: str) -> Type:
    read_directives(tokens, constant=True)
    return Type(name=name, kind="scalar")


_BODIES: Final[Mapping[str, Callable[[Tokens, str], Type]]] = {
    "type": partial(_object, kind="type"),
    "interface": partial(_object, kind="interface"),
    "union": _union,
    "enum": _enum,
    "input": _input,
    "scalar": _scalar,
}


def _description(tokens: Tokens) -> None:
    if tokens.next_kind() == "string":
        tokens.take()


def _names(tokens: Tokens, between: str) -> tuple[str, ...]:
    tokens.skip(between)
    names = [tokens.name()]
    while tokens.skip(between):
        names.append(tokens.name())
    return tuple(names)


def _word(tokens: Tokens) -> str:
    _description(tokens)
    word = tokens.name()
    read_directives(tokens, constant=True)
    return word


def _field(tokens: Tokens) -> FieldDefinition:
    _description(tokens)
    name = tokens.name()
    arguments = tokens.perhaps_within("(", partial(_input_field, tokens), ")")
    tokens.expect(":")
    type_ = read_type(tokens)
    read_directives(tokens, constant=True)
    return FieldDefinition(name=name, type=type_, arguments={each.name: each for each in arguments})


def _input_field(tokens: Tokens) -> InputField:
    _description(tokens)
    name = tokens.name()
    tokens.expect(":")
    type_ = read_type(tokens)
    default = (read_value(tokens, constant=True),) if tokens.skip("=") else None
    read_directives(tokens, constant=True)
    return InputField(name=name, type=type_, default=default)
