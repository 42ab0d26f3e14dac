"""The simulators' small GraphQL does what graphql-core does."""

import random
import re
from collections.abc import Callable, Mapping

import graphql
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rove_sim.graphql import (
    Answer,
    Arguments,
    GraphOutcome,
    GraphQLSyntaxError,
    InputError,
    Node,
    execute,
    parse,
    problems,
    read_schema,
)

SDL = """
"A library."
scalar Time
enum Order { TITLE YEAR }
input Range { from: Int! = 1900, to: Int, not: [Int!] }
input Filter { year: Range, title: String, any: [Filter!], shelf: ID }
interface Named { name: String! }
type Person implements Named { name: String! books(first: Int = 2): [Book!]! friend: Person }
type Robot implements Named { name: String! model: Float broken: Int! }
union Author = Person | Robot
type Book {
  title: String!
  year: Int
  tags: [String!]
  author: Author
  owner: Named
  order: Order
  added(zone: String!): Time
}
type Query {
  book(id: ID!): Book
  books(filter: Filter, order: Order = YEAR, ids: [ID!], big: Boolean): [Book]
  sure: Book!
  at(time: Time): Time
}
"""
OURS = read_schema(SDL)
THEIRS = graphql.build_schema(SDL)

#: Requests that together use all there is; the tests break them in every way they find.
REQUESTS = [
    """{ sure { title year tags order added(zone: "UTC") } }""",
    """query A($id: ID!, $on: Boolean = true) { book(id: $id) { title @include(if: $on) ...B } }
    fragment B on Book { year author { __typename ... on Person { name } ...R } }
    fragment R on Robot { model broken }""",
    """query ($f: Filter, $o: Order, $n: Int) { books(filter: $f, order: $o, big: false) {
      title other: title owner { name ... on Person { books(first: $n) { year } } }
    } }""",
    """query Q($t: Time, $y: Int = 3, $ids: [ID!]) { at(time: $t) books(
      ids: $ids, filter: {year: {from: $y, to: null, not: [1, 2]}, any: [{title: "a\\u0041"}]}
    ) { title } }""",
    """{ a: book(id: 1) { title } b: book(id: "2") { author { ... on Robot { name } } } }""",
    """{ books(order: TITLE) {
      ... { title @skip(if: false) } ... @include(if: true) { tags }
    } }""",
    """{ at(time: {a: [1.5e3, A, null], b: \"""
      block
       text\"""}) sure { title } # end
    }""",
    """query A { sure { title } } query B { sure { year } }""",
]
WORDS = [
    *"{}()[]:!=$@",
    *["...", "on", "query", "fragment", "mutation", "$id", "$n", "title", "year", "name", "a"],
    *["Book", "Person", "Robot", "Named", "Author", "Int", "String", "null", "true", "1", "-2.5"],
    *['"x"', "TITLE", "B", "R", "@include(if: true)", "__typename", "first", "filter", "{ name }"],
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**33), 2**33)
    | st.sampled_from(["1", "TITLE", "x", 2.5, 3.0]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["year", "title", "any", "from", "to", "not"]), inner)
    ),
    max_leaves=6,
)


def _book(number: int) -> Node:
    def author(_: Arguments) -> Answer:
        return _person(number) if number % 2 else _robot(number)

    def added(arguments: Arguments) -> Answer:
        return f"2024 {arguments['zone']}"

    return {
        "title": f"Book {number}",
        "year": 1900 + number,
        "tags": ["a", None] if number == 4 else ["a", "b"],
        "author": author,
        "owner": author,
        "order": "TITLE",
        "added": added,
    }


def _person(number: int) -> Node:
    def books(arguments: Arguments) -> Answer:
        first = arguments.get("first")
        return [_book(number + each) for each in range(first if isinstance(first, int) else 0)][:4]

    return {"__typename": "Person", "name": f"Ann {number}", "books": books, "friend": None}


def _robot(number: int) -> Node:
    broken = None if number == 6 else 0
    return {"__typename": "Robot", "name": "R", "model": 1.5, "broken": broken}


def _books(arguments: Arguments) -> Answer:
    said: Node = {"title": repr(sorted(arguments.items(), key=str)), "owner": lambda _: _robot(2)}
    return [_book(1), None, said, _book(6)]


ROOT: Node = {
    "book": lambda arguments: _book(len(str(arguments["id"])) * 2),
    "books": _books,
    "sure": lambda _: _book(4),
    "at": lambda arguments: repr(arguments.get("time", "nothing")),
}


def _ours(text: str) -> str:
    """Return what we say to a request: a syntax error, a problem, or nothing."""
    try:
        return "wrong" if problems(OURS, parse(text)) else ""
    except GraphQLSyntaxError:
        return "wrong"


def _theirs(text: str) -> str:
    try:
        document = _read(text)
        return "wrong" if _described(document) or graphql.validate(THEIRS, document) else ""
    except graphql.GraphQLError:
        return "wrong"


def _described(document: graphql.DocumentNode) -> bool:
    """Tell whether a request describes its parts, which the vendors' servers do not know yet."""
    parts: list[object] = []
    for definition in document.definitions:
        parts += [definition, *(getattr(definition, "variable_definitions", None) or ())]
    return any(getattr(part, "description", None) for part in parts)


def _read(text: str) -> graphql.DocumentNode:
    """Read a request as it was read everywhere until lately, with something in all braces."""
    return graphql.parse(text, allow_empty_selection_sets=False)


def _broken(request: str, pick: random.Random, times: int) -> str:
    """Return a request with words left out, doubled, replaced or moved."""
    words = re.findall(r'"""[\s\S]*?"""|"[^"]*"|#[^\n]*\n|\.\.\.|[$@]?[\w.-]+|\S', request)
    for _ in range(times):
        at = pick.randrange(len(words))
        match pick.randrange(4):
            case 0 if len(words) > 1:
                del words[at]
            case 1:
                words.insert(at, pick.choice(WORDS))
            case 2:
                words[at] = pick.choice(WORDS)
            case _:
                words.insert(at, words[pick.randrange(len(words))])
    return " ".join(words)


@pytest.mark.parametrize("request_", REQUESTS)
def test_takes_what_is_right(request_: str) -> None:
    """The requests that the other tests break are right to begin with."""
    assert _ours(request_) == ""
    assert _theirs(request_) == ""


@settings(max_examples=1500)
@given(st.sampled_from(REQUESTS), st.randoms(use_true_random=False), st.integers(1, 3))
def test_refuses_what_graphql_core_refuses(request_: str, pick: random.Random, times: int) -> None:
    """A request broken in a few places is right for both or wrong for both."""
    text = _broken(request_, pick, times)

    assert _theirs(text) == _ours(text), text


@settings(max_examples=400)
@given(
    st.sampled_from([request for request in REQUESTS if "query B" not in request]),
    st.dictionaries(st.sampled_from(["id", "on", "f", "o", "n", "t", "y", "ids"]), VALUES),
)
def test_answers_what_graphql_core_answers(request_: str, values: dict[str, object]) -> None:
    """Data are the same, and errors are at the same places, whatever the variables hold."""
    ours = _answered(lambda: execute(OURS, parse(request_), ROOT, variables=values))
    theirs = graphql.execute(
        THEIRS,
        _read(request_),
        ROOT,
        variable_values=values,
        field_resolver=_resolve,
        type_resolver=lambda value, *_: value["__typename"],
    )

    assert isinstance(theirs, graphql.ExecutionResult)
    assert theirs.data == ours.data
    assert {str(error.path) for error in theirs.errors or []} == {
        str(error.get("path")) for error in ours.errors if isinstance(error, Mapping)
    }


def _answered(run: Callable[[], GraphOutcome]) -> GraphOutcome:
    try:
        return run()
    except InputError as error:
        return GraphOutcome(None, [{"message": str(error)}])


def _resolve(source: Node, info: graphql.GraphQLResolveInfo[object], **arguments: object) -> object:
    value = source.get(info.field_name)
    return value(arguments) if callable(value) else value
