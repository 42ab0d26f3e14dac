"""Read a GraphQL request."""

from functools import partial
from typing import Final, Literal

from rove_sim.graphql.nodes import (
    Argument,
    Directive,
    EnumName,
    Field,
    Fragment,
    GraphDocument,
    GraphOperation,
    Inline,
    ListOf,
    NamedType,
    NonNull,
    ObjectValue,
    Selection,
    Spread,
    TypeRef,
    Value,
    Variable,
    VariableDefinition,
)
from rove_sim.graphql.tokens import Tokens

_CONSTANTS: Final = {"true": True, "false": False, "null": None}


def parse(text: str) -> GraphDocument:
    """Read operations and fragments.

    Raises:
        GraphQLSyntaxError: When the text is no GraphQL request.
    """
    tokens = Tokens(text)
    found = [_definition(tokens)]
    while tokens.next_kind() != "end":
        found.append(_definition(tokens))
    return GraphDocument(
        tuple(each for each in found if isinstance(each, GraphOperation)),
        tuple(each for each in found if isinstance(each, Fragment)),
    )


def read_type(tokens: Tokens) -> TypeRef:
    """Read the mention of a type."""
    inner: NamedType | ListOf
    if tokens.skip("["):
        inner = ListOf(read_type(tokens))
        tokens.expect("]")
    else:
        inner = NamedType(tokens.name())
    return NonNull(inner) if tokens.skip("!") else inner


def read_value(tokens: Tokens, *, constant: bool) -> Value:
    """Read a value; a constant one holds no variables."""
    if tokens.skip("["):
        return _list(tokens, constant=constant)
    if tokens.skip("{"):
        return _object(tokens, constant=constant)
    if not constant and tokens.skip("$"):
        return Variable(tokens.name())
    return _scalar(tokens)


def read_directives(tokens: Tokens, *, constant: bool) -> tuple[Directive, ...]:
    """Read the directives that come next, if any."""
    found = []
    while tokens.skip("@"):
        found.append(Directive(tokens.name(), _arguments(tokens, constant=constant)))
    return tuple(found)


def _list(tokens: Tokens, *, constant: bool) -> tuple[Value, ...]:
    values = []
    while not tokens.skip("]"):
        values.append(read_value(tokens, constant=constant))
    return tuple(values)


def _object(tokens: Tokens, *, constant: bool) -> ObjectValue:
    pairs = []
    while not tokens.skip("}"):
        given = _argument(tokens, constant=constant)
        pairs.append((given.name, given.value))
    return ObjectValue(tuple(pairs))


def _scalar(tokens: Tokens) -> Value:
    if tokens.next_kind() == "mark":
        raise tokens.unexpected("a value")
    token = tokens.take()
    match token.kind:
        case "int":
            return int(token.text)
        case "float":
            return float(token.text)
        case "string":
            return token.text
        case _:
            named = token.text
            return _CONSTANTS[named] if named in _CONSTANTS else EnumName(named)


def _arguments(tokens: Tokens, *, constant: bool) -> tuple[Argument, ...]:
    return tokens.perhaps_within("(", partial(_argument, tokens, constant=constant), ")")


def _argument(tokens: Tokens, *, constant: bool) -> Argument:
    name = tokens.name()
    tokens.expect(":")
    return Argument(name, read_value(tokens, constant=constant))


def _definition(tokens: Tokens) -> GraphOperation | Fragment:
    if tokens.next_is("{"):
        return GraphOperation(kind="query", selections=_selections(tokens))
    if tokens.skip("fragment"):
        return _fragment(tokens)
    kind = _kind(tokens)
    return GraphOperation(
        kind=kind,
        name=tokens.name() if tokens.next_kind() == "name" else "",
        variables=tokens.perhaps_within("(", partial(_variable, tokens), ")"),
        directives=read_directives(tokens, constant=False),
        selections=_selections(tokens),
    )


def _kind(tokens: Tokens) -> Literal["query", "mutation", "subscription"]:
    if tokens.skip("query"):
        return "query"
    if tokens.skip("mutation"):
        return "mutation"
    if tokens.skip("subscription"):
        return "subscription"
    raise tokens.unexpected("an operation")


def _fragment(tokens: Tokens) -> Fragment:
    if tokens.next_is("on"):
        raise tokens.unexpected("a name other than on")
    name = tokens.name()
    tokens.expect("on")
    return Fragment(
        name=name,
        on=tokens.name(),
        directives=read_directives(tokens, constant=False),
        selections=_selections(tokens),
    )


def _variable(tokens: Tokens) -> VariableDefinition:
    tokens.expect("$")
    name = tokens.name()
    tokens.expect(":")
    return VariableDefinition(
        name=name,
        type=read_type(tokens),
        default=(read_value(tokens, constant=True),) if tokens.skip("=") else None,
        directives=read_directives(tokens, constant=True),
    )


def _selections(tokens: Tokens) -> tuple[Selection, ...]:
    return tokens.within("{", partial(_selection, tokens), "}")


def _selection(tokens: Tokens) -> Selection:
    if not tokens.skip("..."):
        return _field(tokens)
    if tokens.next_kind() == "name" and not tokens.next_is("on"):
        return Spread(name=tokens.name(), directives=read_directives(tokens, constant=False))
    on = tokens.name() if tokens.skip("on") else None
    directives = read_directives(tokens, constant=False)
    return Inline(on=on, directives=directives, selections=_selections(tokens))


def _field(tokens: Tokens) -> Field:
    first = tokens.name()
    second = tokens.name() if tokens.skip(":") else ""
    return Field(
        name=second or first,
        alias=first if second else "",
        arguments=_arguments(tokens, constant=False),
        directives=read_directives(tokens, constant=False),
        selections=_selections(tokens) if tokens.next_is("{") else (),
    )
