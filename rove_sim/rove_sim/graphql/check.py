"""Check a request against a schema, as GraphQL wants it done before anything is answered."""

from collections.abc import Iterator, Mapping

from rove_sim.graphql.literals import Finding, Use, in_literal, repeated
from rove_sim.graphql.merge import conflicts
from rove_sim.graphql.nodes import (
    Argument,
    Directive,
    Field,
    Fragment,
    GraphDocument,
    GraphOperation,
    Inline,
    Selection,
    Spread,
)
from rove_sim.graphql.schema import DIRECTIVES, InputField, Schema, Type
from rove_sim.graphql.variables import definition_problems, use_problems


def problems(schema: Schema, document: GraphDocument) -> list[str]:
    """Return a line for everything that is wrong with a request; nothing when it may be run."""
    found = list(dict.fromkeys(_Check(schema, document).problems()))
    return found or list(conflicts(schema, document))


class _Check:
    def __init__(self, schema: Schema, document: GraphDocument) -> None:
        self._schema = schema
        self._document = document
        self._fragments = document.fragments_by_name

    def problems(self) -> Iterator[str]:
        yield from self._names()
        found = {
            fragment.name: list(self._fragment(fragment)) for fragment in self._document.fragments
        }
        for findings in found.values():
            yield from (each for each in findings if isinstance(each, str))
        for operation in self._document.operations:
            yield from self._operation(operation, found)

    def _names(self) -> Iterator[str]:
        """Check what can be said of the definitions without looking into them."""
        operations = [operation.name for operation in self._document.operations]
        if "" in operations and len(operations) > 1:
            yield "This anonymous operation must be the only defined operation."
        for name in repeated(name for name in operations if name):
            yield f'There can be only one operation named "{name}".'
        for name in repeated(fragment.name for fragment in self._document.fragments):
            yield f'There can be only one fragment named "{name}".'
        for name, fragment in self._fragments.items():
            if name in self._reach(fragment.selections):
                yield f'Cannot spread fragment "{name}" within itself.'
        used = {
            name
            for operation in self._document.operations
            for name in self._reach(operation.selections)
        }
        for name in self._fragments.keys() - used:
            yield f'Fragment "{name}" is never used.'

    def _reach(self, selections: tuple[Selection, ...]) -> set[str]:
        """Return the fragments that are spread in selections, however deep."""
        reached: set[str] = set()
        waiting = [*_spreads(selections)]
        while waiting:
            name = waiting.pop()
            if name not in reached and name in self._fragments:
                reached.add(name)
                waiting.extend(_spreads(self._fragments[name].selections))
        return reached

    def _operation(
        self, operation: GraphOperation, found: Mapping[str, list[Finding]]
    ) -> Iterator[str]:
        root = self._schema.get(operation.kind.capitalize())
        if root is None:
            yield f"Schema is not configured to execute {operation.kind} operation."
            return
        yield from _misplaced(operation.directives)
        yield from definition_problems(self._schema, operation.variables)
        findings = list(self._selections(root, operation.selections))
        yield from (each for each in findings if isinstance(each, str))
        for name in self._reach(operation.selections):
            findings += [each for each in found[name] if isinstance(each, Use)]
        yield from use_problems(operation, [each for each in findings if isinstance(each, Use)])

    def _fragment(self, fragment: Fragment) -> Iterator[Finding]:
        yield from _misplaced(fragment.directives)
        yield from self._on(fragment.on, None, fragment.selections)

    def _on(
        self, name: str, around: Type | None, selections: tuple[Selection, ...]
    ) -> Iterator[Finding]:
        """Check selections that hold for one type only, inside of another one or of none."""
        type_ = self._schema.get(name)
        if type_ is None:
            yield f'Unknown type "{name}".'
        elif not type_.composite:
            yield f'Fragment cannot condition on non composite type "{name}".'
        elif around and not self._schema.possible(type_) & self._schema.possible(around):
            yield (
                "Fragment cannot be spread here as objects of type "
                f'"{around.name}" can never be of type "{name}".'
            )
        else:
            yield from self._selections(type_, selections)

    def _selections(self, type_: Type, selections: tuple[Selection, ...]) -> Iterator[Finding]:
        for selection in selections:
            yield from self._directives(selection.directives)
            match selection:
                case Field():
                    yield from self._field(type_, selection)
                case Inline():
                    name = type_.name if selection.on is None else selection.on
                    yield from self._on(name, type_, selection.selections)
                case Spread(name=name) if name in self._fragments:
                    yield from self._on(self._fragments[name].on, type_, ())
                case Spread(name=name):
                    yield f'Unknown fragment "{name}".'

    def _field(self, type_: Type, asked: Field) -> Iterator[Finding]:
        field = self._schema.field(type_, asked.name)
        if field is None:
            yield f'Cannot query field "{asked.name}" on type "{type_.name}".'
            return
        where = f'field "{type_.name}.{asked.name}"'
        yield from self._arguments(field.arguments, asked.arguments, where)
        inner = self._schema.of(field.type)
        if inner.leaf and asked.selections:
            yield (
                f'Field "{asked.name}" must not have a selection since type "{field.type}" '
                "has no subfields."
            )
        elif inner.composite and not asked.selections:
            yield (
                f'Field "{asked.name}" of type "{field.type}" must have a selection of subfields. '
                f'Did you mean "{asked.name} {{ ... }}"?'
            )
        else:
            yield from self._selections(inner, asked.selections)

    def _directives(self, directives: tuple[Directive, ...]) -> Iterator[Finding]:
        for name in repeated(directive.name for directive in directives):
            yield f'The directive "@{name}" can only be used once at this location.'
        for directive in directives:
            if directive.name not in DIRECTIVES:
                yield f'Unknown directive "@{directive.name}".'
                continue
            where = f'directive "@{directive.name}"'
            yield from self._arguments(DIRECTIVES[directive.name], directive.arguments, where)

    def _arguments(
        self, wanted: Mapping[str, InputField], given: tuple[Argument, ...], where: str
    ) -> Iterator[Finding]:
        names = [argument.name for argument in given]
        for name in repeated(names):
            yield f'There can be only one argument named "{name}".'
        for name, field in wanted.items():
            if field.required and name not in names:
                yield (
                    f'Argument "{name}" of type "{field.type}" is required on {where}, '
                    "but it was not provided."
                )
        for argument in given:
            if argument.name in wanted:
                yield from in_literal(self._schema, wanted[argument.name], argument.value)
            else:
                yield f'Unknown argument "{argument.name}" on {where}.'


def _misplaced(directives: tuple[Directive, ...]) -> Iterator[str]:
    """Complain of any directive where none may stand."""
    for directive in directives:
        yield f'Directive "@{directive.name}" may not be used here.'


def _spreads(selections: tuple[Selection, ...]) -> Iterator[str]:
    """Yield the names of the fragments that are spread in selections, but not in theirs."""
    for selection in selections:
        if isinstance(selection, Spread):
            yield selection.name
        else:
            yield from _spreads(selection.selections)
