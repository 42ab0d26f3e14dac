"""Queries of GraphQL, as the simulators take and answer them."""

import json
import subprocess
import sys
from collections.abc import Mapping

import pytest

from rove_core.wire.json_types import JSON
from rove_sim import sample_company
from rove_sim.graphql import Answer, Arguments, InputError, VendorSchema
from rove_sim.linear import Linear
from rove_sim.routes import RoutedRequest
from rove_sim.server import Request, Response

#: Asks one thing twice: by fragments, variables and directives, and plainly.
WOVEN = """query Many($first: Int = 3, $with: Boolean!, $without: Boolean = true) {
  issues(first: $first) { ...page pageInfo @skip(if: $without) { hasNextPage } }
}
fragment page on IssueConnection { nodes { ... on Issue { key: identifier } ...more } }
fragment more on Issue { title @include(if: $with) state { __typename } }"""
PLAIN = "{ issues(first: 3) { nodes { key: identifier title state { __typename } } } }"


@pytest.fixture(scope="module")
def linear() -> Linear:
    """Give the Linear of the sample company."""
    return Linear(sample_company())


def _ask(linear: Linear, query: str, **variables: JSON) -> Response:
    body = json.dumps({"query": query, "variables": variables}).encode()
    headers = {"authorization": linear.company.token}
    return linear(Request("POST", "/graphql", {}, headers, body))


def _errors(response: Response) -> list[Mapping[str, JSON]]:
    assert isinstance(response.value, dict)
    return list(response.value["errors"])


def _posted(**body: JSON) -> RoutedRequest:
    given = {name: value for name, value in body.items() if isinstance(value, str)}
    return RoutedRequest(Request("POST", "/graphql", {}, {}, json.dumps(body).encode()), {}, given)


def test_a_query_may_be_put_in_many_ways(linear: Linear) -> None:
    """Fragments, variables, aliases and directives lead to the same data."""
    woven = _ask(linear, WOVEN, **{"with": True})

    assert woven.status == 200
    assert woven.value == _ask(linear, PLAIN).value


@pytest.mark.parametrize(
    "query",
    [
        PLAIN,
        """query ($many: Int = 3) { issues(first: $many) { ...page } }
        fragment page on IssueConnection { nodes { key: identifier title ... on Issue { ...of } } }
        fragment of on Issue { state { __typename } }""",
    ],
)
def test_a_query_costs_the_same_however_it_is_put(linear: Linear, query: str) -> None:
    """What stands in fragments and variables counts as if it stood in its place."""
    assert _ask(linear, query).headers["x-complexity"] == "8"


def test_an_operation_is_chosen_by_its_name() -> None:
    """Of several operations only the named one is answered; without a name none is."""
    schema = VendorSchema("linear")
    query = "query A { viewer { name } } query B { viewer { email } }"
    root: Mapping[str, Answer] = {"viewer": {"name": "Ann", "email": "ann@northwind.example"}}
    chosen = schema.query(_posted(query=query, operationName="B"), root)

    assert chosen.answer() == {"data": {"viewer": {"email": "ann@northwind.example"}}}
    with pytest.raises(InputError, match="Must provide operation name"):
        schema.query(_posted(query=query), root)


@pytest.mark.parametrize(
    ("query", "code", "message"),
    [
        ("{ viewer { } }", "GRAPHQL_PARSE_FAILED", "Syntax Error: Expected Name, found '}'."),
        ("{ viewer { name }", "GRAPHQL_PARSE_FAILED", "Syntax Error: Expected Name, found <EOF>."),
        ("{ __schema { types { name } } }", "GRAPHQL_VALIDATION_FAILED", "introspection"),
        ("{ viewer }", "GRAPHQL_VALIDATION_FAILED", "must have a selection of subfields"),
        ("{ viewer { ...nobody } }", "GRAPHQL_VALIDATION_FAILED", "Unknown fragment 'nobody'."),
        ("{ teams(first: true) { nodes { id } } }", "GRAPHQL_VALIDATION_FAILED", "Int"),
        ('{ issue(id: "A", id: "B") { id } }', "GRAPHQL_VALIDATION_FAILED", "'id'"),
    ],
)
def test_says_what_is_wrong_with_a_query(
    linear: Linear, query: str, code: str, message: str
) -> None:
    """A query that cannot be read has another code than one that does not fit the schema."""
    error = _errors(_ask(linear, query))[0]

    assert isinstance(error["extensions"], Mapping)
    assert error["extensions"]["code"] == code
    assert message in str(error["message"])


def test_a_field_that_fails_is_named(linear: Linear) -> None:
    """An error says where it is missing in the data, and where it stands in the query."""
    (error,) = _errors(_ask(linear, "{\n  ids: teams(first: 300) { nodes { id } }\n}"))

    assert error["path"] == ["ids"]
    assert error["locations"] == [{"line": 2, "column": 3}]


def test_a_mistake_of_the_simulator_is_no_reply() -> None:
    """What a simulator itself does wrong ends the test, instead of looking like the vendor's."""

    def broken(_: Arguments) -> Answer:
        raise KeyError("viewer")

    query = VendorSchema("linear").query(_posted(query="{ viewer { name } }"), {"viewer": broken})

    with pytest.raises(KeyError):
        query.answer()


def test_graphql_core_waits_for_the_first_query() -> None:
    """Simulators that are asked nothing in GraphQL do not pay for it."""
    program = (
        "import sys\n"
        "from rove_sim import Company\n"
        "from rove_sim.github import GitHub\n"
        "from rove_sim.linear import Linear\n"
        "company = Company(name='Northwind', token='lin_api_1')\n"
        "GitHub(company), Linear(company)\n"
        "print('graphql' in sys.modules)"
    )
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "False\n"
