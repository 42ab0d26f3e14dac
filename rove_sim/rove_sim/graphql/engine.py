"""Parse, validate and execute queries with graphql-core."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

import graphql
from attrs import frozen

from rove_core import JSON
from rove_sim.graphql.answers import Answer, FieldError, InputError, Node
from rove_sim.parameters import MalformedError

#: How many texts are kept as what was read of them. A source asks the same few questions again
#: and again, and to read and check one takes longer than to answer it.
_KEPT: Final = 256


class QueryEngine:
    """Reads the queries that a schema allows.

    Args:
        schema: In the language of GraphQL.
    """

    def __init__(self, schema: str) -> None:
        self._schema = graphql.build_schema(schema)
        self._documents = lru_cache(_KEPT)(self._read)

    def document(self, text: str) -> graphql.DocumentNode:
        """Return the parsed document of a query.

        Raises:
            MalformedError: It is no GraphQL, or asks for what there is not; a line for each fault.
        """
        return self._documents(text)

    def query(
        self, text: str, root: Node, *, variables: Mapping[str, JSON], operation: str
    ) -> "FittingQuery":
        """Return an operation of a text, to be answered from a root.

        Raises:
            InputError: There is no such operation, or its variables do not fit.
        """
        executor = graphql.Executor[None].build(
            self._schema,
            self.document(text),
            root_value=root,
            raw_variable_values=dict(variables),
            operation_name=operation or None,
            field_resolver=_resolve,
        )
        if isinstance(executor, list):
            raise InputError(executor[0].message)
        return FittingQuery(executor)

    def _read(self, text: str) -> graphql.DocumentNode:
        try:
            document = graphql.parse(text)
        except graphql.GraphQLError as error:
            raise MalformedError(error.message) from None
        if errors := graphql.validate(self._schema, document, _RULES):
            raise MalformedError("\n".join(error.message for error in errors))
        return document


@frozen
class SelectedField:
    """A field that a query asks for, whatever the fragments in which it does.

    Attributes:
        name: Its name in the schema.
        arguments: Those that were given.
        pages: Whether it is given page by page.
        fields: What is asked of it in turn.
    """

    name: str
    arguments: Mapping[str, object]
    pages: bool
    fields: "tuple[SelectedField, ...]"


class FittingQuery:
    """An operation that the schema allows, with variables that fit it."""

    def __init__(self, executor: graphql.Executor[None]) -> None:
        self._executor = executor

    @property
    def is_mutation(self) -> bool:
        """Whether it is to change something."""
        return self._executor.operation.operation is graphql.OperationType.MUTATION

    def fields(self) -> tuple[SelectedField, ...]:
        """Return the requested fields."""
        operation = self._executor.operation
        root = self._executor.schema.get_root_type(operation.operation)
        return (*self._fields(root, operation.selection_set),)

    def answer(self) -> dict[str, JSON]:
        """Return the body of the reply: the data, and the errors if there are any."""
        result = graphql.execute_root_selection_set(self._executor)
        assert isinstance(result, graphql.ExecutionResult)  # noqa: S101  # nothing here is awaitable
        for error in result.errors or ():
            cause = error.original_error
            if cause and not isinstance(cause, FieldError | graphql.GraphQLError):
                raise cause  # a mistake of the simulator, which a reply would hide
        return cast("dict[str, JSON]", result.formatted)

    def _fields(
        self, of: graphql.GraphQLNamedType | None, selection: graphql.SelectionSetNode | None
    ) -> Iterator[SelectedField]:
        for node in selection.selections if selection else ():
            match node:
                case graphql.FieldNode():
                    yield self._field(of, node)
                case graphql.FragmentSpreadNode():
                    fragment = self._executor.fragment_definitions[node.name.value]
                    yield from self._within(of, fragment)
                case graphql.InlineFragmentNode():
                    yield from self._within(of, node)

    def _within(
        self,
        of: graphql.GraphQLNamedType | None,
        fragment: graphql.FragmentDefinitionNode | graphql.InlineFragmentNode,
    ) -> Iterator[SelectedField]:
        on = fragment.type_condition
        inner = self._executor.schema.get_type(on.name.value) if on else of
        return self._fields(inner, fragment.selection_set)

    def _field(self, of: graphql.GraphQLNamedType | None, node: graphql.FieldNode) -> SelectedField:
        assert graphql.is_composite_type(of)  # noqa: S101  # the query was checked
        field = self._executor.schema.get_field(of, node.name.value)
        assert field  # noqa: S101  # as above
        variables = self._executor.variable_values.coerced
        return SelectedField(
            name=node.name.value,
            arguments={
                each.name.value: graphql.value_from_ast_untyped(each.value, variables)
                for each in node.arguments or ()
            },
            pages="first" in field.args,
            fields=(*self._fields(graphql.get_named_type(field.type), node.selection_set),),
        )


class _FilledBraces(graphql.ValidationRule):
    """Refuses braces with nothing in them, which graphql-core takes and the vendors do not."""

    def enter_selection_set(self, node: graphql.SelectionSetNode, *_: object) -> None:
        """Check one pair of braces."""
        if not node.selections:
            self.report_error(graphql.GraphQLError("Syntax Error: Expected Name, found '}'.", node))


#: A simulator has a part of its vendor's schema, and does not pass it off as the whole.
_RULES: Final[Sequence[type[graphql.ASTValidationRule]]] = (
    _FilledBraces,
    graphql.NoSchemaIntrospectionCustomRule,
    *graphql.specified_rules,
)


def _resolve(source: Node, info: graphql.GraphQLResolveInfo[None], **arguments: object) -> Answer:
    value = source.get(info.field_name)
    return value(arguments) if callable(value) else value
