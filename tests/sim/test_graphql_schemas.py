"""The simulators' small schemas are parts of the vendors', and their queries are right for both."""

import json
from importlib.resources import files
from pathlib import Path

import attrs
import graphql
import pytest
from graphql.type import GraphQLArgument, GraphQLInputField

from rove_core.wire.json_types import JSON
from rove_sim import sample_company
from rove_sim.github import GitHub
from rove_sim.linear import Linear
from rove_sim.server import Request
from rove_sim.specification_checks_graphql import query_problems, vendor_schema
from rove_sim.vendor import RecordedExchange, SimulatedVendor

VENDORS = {"linear": Linear, "github": GitHub}
LINEAR = [
    "{ viewer { id name email timezone organization { name urlKey } } organization { id } }",
    "{ teams(first: 250) { nodes { id key name displayName } pageInfo { hasNextPage } } }",
    """query ($id: String!) { issue(id: $id) {
      id identifier previousIdentifiers number title description url branchName
      createdAt updatedAt archivedAt completedAt canceledAt startedAt dueDate trashed
      priority priorityLabel creator { name } externalUserCreator { name } botActor { name type }
      assignee { displayName email active } state { name type color } team { key }
      labels(first: 50) { nodes { name color } }
      project { name description url state status { name type } lead { name } targetDate }
      cycle { number name startsAt endsAt team { key } }
      parent { identifier url } children(first: 50) { nodes { identifier url } }
      attachments(first: 50) { nodes { title subtitle url sourceType metadata creator { name } } }
      relations(first: 50) { nodes { type relatedIssue { identifier url } } }
      inverseRelations(first: 50) { nodes { type issue { identifier url } } }
      comments(first: 100, orderBy: createdAt) {
        nodes {
          id body url createdAt updatedAt editedAt parentId documentContentId issueId
          user { name } externalUser { name } botActor { userDisplayName } parent { id }
        }
        pageInfo { hasNextPage endCursor }
      }
      history(first: 50) { nodes {
        createdAt actor { name } actorId fromState { name } toState { name } fromTitle toTitle
        fromAssignee { name } toAssignee { name } fromPriority toPriority archived
        updatedDescription
      } }
    } }""",
    """query ($term: String!, $filter: IssueFilter, $after: String) {
      searchIssues(
        term: $term, filter: $filter, first: 25, after: $after, includeComments: true,
        includeArchived: true, orderBy: updatedAt
      ) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { ...Found metadata } edges { cursor node { id } }
      }
    }
    fragment Found on IssueSearchResult { identifier title updatedAt state { name } }""",
    """query ($since: DateTimeOrDuration!) {
      issues(
        first: 50, orderBy: updatedAt, includeArchived: true,
        filter: { updatedAt: { gte: $since }, or: [
          { labels: { some: { name: { eqIgnoreCase: "auth" } } } },
          { team: { key: { in: ["OPS"] } } }
        ] }
      ) { nodes { __typename identifier } }
    }""",
    "query ($url: String!) { attachmentsForURL(url: $url, first: 9) { nodes { issue { id } } } }",
    "query ($name: String!) { issueVcsBranchSearch(branchName: $name) { identifier } }",
    """query ($since: DateTimeOrDuration) {
      comments(first: 9, filter: { updatedAt: { gte: $since } }) {
        nodes { body children(first: 2) { nodes { body } } issue { identifier } }
      }
    }""",
]
GITHUB = [
    """query ($owner: String!, $name: String!, $number: Int!) {
      repository(owner: $owner, name: $name) {
        id nameWithOwner isPrivate url
        pullRequest(number: $number) {
          id number title url state isDraft merged baseRefName headRefName createdAt updatedAt
          author { __typename login ... on User { name } ... on Bot { databaseId } }
          closingIssuesReferences(first: 50) {
            totalCount pageInfo { hasNextPage endCursor }
            nodes { number title url state repository { nameWithOwner } }
            edges { cursor node { closedByPullRequestsReferences(first: 5) { totalCount } } }
          }
          reviewThreads(first: 50) { nodes {
            id isResolved isOutdated isCollapsed path line diffSide
            comments(first: 50) { nodes { databaseId fullDatabaseId body author { login } url } }
          } }
        }
      }
      rateLimit { cost limit remaining resetAt used } viewer { login databaseId }
    }""",
]
VARIABLES: dict[str, JSON] = {
    "id": "OPS-31",
    "term": "provider",
    "filter": {"number": {"gte": 1}},
    "after": None,
    "since": "2024-01-01T00:00:00Z",
    "url": "https://github.com/northwind/backend/pull/847",
    "name": "backend",
    "owner": "northwind",
    "number": 847,
}
SUITE = [*(("linear", query) for query in LINEAR), *(("github", query) for query in GITHUB)]

Inputs = dict[str, GraphQLArgument] | dict[str, GraphQLInputField]


def _ours(vendor: str) -> graphql.GraphQLSchema:
    text = files("rove_sim").joinpath(f"{vendor}.graphql").read_text("utf-8")
    return graphql.build_schema(text)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_small_schema_is_part_of_the_vendors(vendor: str, specifications: Path) -> None:
    """Every type, field, argument and value is the vendor's, and what is required is there."""
    known = vendor_schema(specifications, vendor).type_map
    differences = [
        difference
        for name, type_ in _ours(vendor).type_map.items()
        if not name.startswith("__")
        for difference in _differences(type_, known.get(name))
    ]

    assert differences == []


def _differences(  # noqa: PLR0911  # one for each kind of type
    ours: graphql.GraphQLNamedType, theirs: graphql.GraphQLNamedType | None
) -> list[str]:
    name = ours.name
    match ours, theirs:
        case graphql.GraphQLScalarType(), graphql.GraphQLScalarType():
            return []
        case graphql.GraphQLEnumType(), graphql.GraphQLEnumType():
            return [f"{name}.{each}" for each in ours.values.keys() - theirs.values.keys()]
        case graphql.GraphQLInputObjectType(), graphql.GraphQLInputObjectType():
            return _input_differences(name, ours.fields, theirs.fields)
        case graphql.GraphQLObjectType(), graphql.GraphQLObjectType():
            return _field_differences(ours, theirs)
        case graphql.GraphQLInterfaceType(), graphql.GraphQLInterfaceType():
            return _field_differences(ours, theirs)
        case graphql.GraphQLUnionType(), graphql.GraphQLUnionType():
            members = {each.name for each in theirs.types}
            return [f"{name} = {each.name}" for each in ours.types if each.name not in members]
        case _:
            return [f"{name} is another kind of type, or none"]


def _field_differences(
    ours: graphql.GraphQLObjectType | graphql.GraphQLInterfaceType,
    theirs: graphql.GraphQLObjectType | graphql.GraphQLInterfaceType,
) -> list[str]:
    found = []
    interfaces = {each.name for each in theirs.interfaces}
    found += [
        f"{ours.name} & {each.name}" for each in ours.interfaces if each.name not in interfaces
    ]
    for name, field in ours.fields.items():
        place, other = f"{ours.name}.{name}", theirs.fields.get(name)
        if other is None or str(field.type) != str(other.type):
            found.append(f"{place}: {field.type}")
        else:
            found += _input_differences(place, field.args, other.args)
    return found


def _input_differences(place: str, ours: Inputs, theirs: Inputs) -> list[str]:
    found = []
    for name, given in ours.items():
        other = theirs.get(name)
        if other is None or str(given.type) != str(other.type):
            found.append(f"{place}({name}: {given.type})")
        elif given.default_value != other.default_value:
            found.append(f"{place}({name}) = {given.default_value}")
    required = [name for name, other in theirs.items() if graphql.is_required_argument(other)]  # type: ignore[arg-type]  # fields of inputs are told alike
    return found + [f"{place} lacks {name}" for name in required if name not in ours]


def _asked(vendor: str, query: str) -> RecordedExchange:
    """Ask a simulator, and return what passed."""
    company = sample_company()
    simulator: SimulatedVendor = VENDORS[vendor](company)
    header = company.token if vendor == "linear" else f"Bearer {company.token}"
    headers = {"authorization": header, "user-agent": "rove"}
    wanted = {name: VARIABLES[name] for name in VARIABLES if f"${name}" in query}
    body = json.dumps({"query": query, "variables": wanted}).encode()
    simulator(Request("POST", "/graphql", {}, headers, body))
    return simulator.exchanges[-1]


@pytest.mark.parametrize(("vendor", "query"), SUITE)
def test_a_query_is_right_for_the_vendor(vendor: str, query: str, specifications: Path) -> None:
    """What the simulator answers, the vendor's schema allows."""
    assert query_problems(specifications, vendor, _asked(vendor, query)) == []


@pytest.mark.parametrize(("vendor", "query"), SUITE)
def test_a_query_is_answered(vendor: str, query: str) -> None:
    """The simulator answers the same queries without an error."""
    exchange = _asked(vendor, query)

    assert exchange.wrong == ()
    assert isinstance(exchange.response.value, dict)
    assert "errors" not in exchange.response.value


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("{ viewer { shoeSize } }", "Cannot query field 'shoeSize' on type 'User'"),
        ("query ($id: String!) { issue(id: $id) { id } }", "Variable '$id'"),
    ],
)
def test_a_query_that_is_wrong_is_seen(query: str, problem: str, specifications: Path) -> None:
    """The vendor's schema finds what is wrong, even when the simulator let it pass."""
    exchange = _asked("linear", LINEAR[0])
    body = json.dumps({"query": query, "variables": {}}).encode()
    sent = attrs.evolve(exchange, request=attrs.evolve(exchange.request, body=body))
    (found,) = query_problems(specifications, "linear", sent)

    assert found.startswith(problem)
