"""Check the variables of an operation, and read the values that come with a request."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rove_sim.graphql.literals import Use, in_literal, plain, repeated, scalar_fits
from rove_sim.graphql.nodes import (
    Argument,
    GraphOperation,
    ListOf,
    NamedType,
    NonNull,
    TypeRef,
    Variable,
    VariableDefinition,
)
from rove_sim.graphql.schema import InputField, Schema, Type, nullable

_NOTHING: Final[Mapping[str, object]] = {}


class InputError(ValueError):
    """A request brings values that do not fit."""


def definition_problems(
    schema: Schema, definitions: tuple[VariableDefinition, ...]
) -> Iterator[str]:
    """Yield what is wrong with the variables that an operation defines."""
    for name in repeated(definition.name for definition in definitions):
        yield f'There can be only one variable named "${name}".'
    for definition in definitions:
        for directive in definition.directives:
            yield f'Directive "@{directive.name}" may not be used here.'
        named = _innermost(definition.type)
        type_ = schema.get(named)
        if type_ is None:
            yield f'Unknown type "{named}".'
        elif type_.composite:
            yield f'Variable "${definition.name}" cannot be non-input type "{definition.type}".'
        elif definition.default is not None:
            wanted = InputField(name=definition.name, type=definition.type)
            found = in_literal(schema, wanted, definition.default[0])
            yield from (each for each in found if isinstance(each, str))


def use_problems(operation: GraphOperation, uses: Sequence[Use]) -> Iterator[str]:
    """Yield what is wrong with how an operation, and its fragments, use its variables."""
    defined = {definition.name: definition for definition in operation.variables}
    for name in defined.keys() - {use.name for use in uses}:
        yield f'Variable "${name}" is never used.'
    for use in uses:
        definition = defined.get(use.name)
        if definition is None:
            yield f'Variable "${use.name}" is not defined.'
        elif use.type and not _may_stand(definition, use.type, optional=use.optional):
            yield (
                f'Variable "${use.name}" of type "{definition.type}" used in position expecting '
                f'type "{use.type}".'
            )


def variable_values(
    schema: Schema, operation: GraphOperation, given: Mapping[str, object]
) -> dict[str, object]:
    """Return the values of an operation's variables.

    Raises:
        InputError: When one is missing or does not fit.
    """
    values = {}
    for definition in operation.variables:
        name = definition.name
        if name in given:
            values[name] = _read(schema, definition.type, given[name], f'Variable "${name}"')
        elif definition.default is not None:
            values[name] = _written(schema, definition.type, definition.default[0])
        elif isinstance(definition.type, NonNull):
            message = f'Variable "${name}" of required type "{definition.type}" was not provided.'
            raise InputError(message)
    return values


def argument_values(
    schema: Schema,
    wanted: Mapping[str, InputField],
    given: tuple[Argument, ...],
    variables: Mapping[str, object],
) -> dict[str, object]:
    """Return the values of the arguments of a field or directive.

    Raises:
        InputError: When one that is required is null.
    """
    written = {argument.name: argument.value for argument in given}
    values = {}
    for name, field in wanted.items():
        value = written.get(name)
        missing = isinstance(value, Variable) and value.name not in variables
        if name in written and not missing:
            values[name] = _written(schema, field.type, value, variables)
        elif field.default is not None:
            values[name] = _written(schema, field.type, field.default[0])
        elif field.required:
            raise InputError(f'Argument "{name}" of required type "{field.type}" was not provided.')
    return values


def _written(
    schema: Schema, ref: TypeRef, value: object, variables: Mapping[str, object] = _NOTHING
) -> object:
    return _read(schema, ref, plain(value, variables), "Argument")  # type: ignore[arg-type]  # a Value


def _may_stand(definition: VariableDefinition, wanted: TypeRef, *, optional: bool) -> bool:
    if not isinstance(wanted, NonNull) or isinstance(definition.type, NonNull):
        return _suits(definition.type, wanted)
    never_null = definition.default not in {None, (None,)}
    return (never_null or optional) and _suits(definition.type, nullable(wanted))


def _suits(given: TypeRef, wanted: TypeRef) -> bool:
    match given, wanted:
        case NonNull(), NonNull():
            return _suits(given.of, wanted.of)
        case NonNull(), _:
            return _suits(given.of, wanted)
        case ListOf(), ListOf():
            return _suits(given.of, wanted.of)
        case _:
            return given == wanted


def _read(schema: Schema, ref: TypeRef, value: object, where: str) -> object:
    match ref, value:
        case NonNull(), None:
            raise InputError(f'{where} of non-null type "{ref}" must not be null.')
        case NonNull(), _:
            return _read(schema, ref.of, value, where)
        case _, None:
            return None
        case ListOf(), list() | tuple():
            return [_read(schema, ref.of, each, where) for each in value]
        case ListOf(), _:
            return [_read(schema, ref.of, value, where)]
        case _:
            return _read_named(schema, schema.of(ref), value, where)


def _read_named(schema: Schema, type_: Type, value: object, where: str) -> object:
    match type_.kind, value:
        case "input", Mapping():
            return _read_input(schema, type_, value, where)
        case "enum", str() if value in type_.values:
            return value
        case "scalar", float() if type_.name in {"Int", "ID"} and value.is_integer():
            return _read_named(schema, type_, int(value), where)
        case "scalar", _ if scalar_fits(type_.name, value):
            return _settled(type_.name, value)
        case _:
            raise InputError(f'{where} got invalid value {value!r}: no "{type_.name}".')


def _read_input(
    schema: Schema, type_: Type, value: Mapping[str, object], where: str
) -> dict[str, object]:
    if strange := value.keys() - type_.inputs.keys():
        raise InputError(f'{where}: field "{min(strange)}" is not defined by type "{type_.name}".')
    read = {}
    for name, field in type_.inputs.items():
        if name in value:
            read[name] = _read(schema, field.type, value[name], f"{where} at {name}")
        elif field.default is not None:
            read[name] = _written(schema, field.type, field.default[0])
        elif field.required:
            raise InputError(f'{where}: field "{name}" of required type "{field.type}" is missing.')
    return read


def _settled(scalar: str, value: object) -> object:
    match scalar, value:
        case "ID", int():
            return str(value)
        case "Float", int():
            return float(value)
        case _:
            return value


def _innermost(ref: TypeRef) -> str:
    while not isinstance(ref, NamedType):
        ref = ref.of
    return ref.name
