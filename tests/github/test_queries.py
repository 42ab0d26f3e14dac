"""Every question is one that GitHub takes."""

import gzip
import math
import re
from datetime import UTC, datetime
from pathlib import Path

import graphql
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core import Query
from rove_github import discussions, graphql_facts, graphql_items
from rove_github.graphql_extras import EXTRAS
from rove_github.graphql_search import search_query
from rove_github.search_syntax import searches
from rove_github.settings import FIELDS

_NAMES = st.from_regex(r"[a-z0-9][a-z0-9-]{0,38}", fullmatch=True)
_REPOSITORIES = st.builds("{}/{}".format, _NAMES, st.from_regex(r"[a-z._-]{3,60}", fullmatch=True))
_TIMES = st.none() | st.datetimes(
    min_value=datetime(2000, 1, 1),  # noqa: DTZ001  # the zone is given beside
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001  # as above
    timezones=st.just(UTC),
)
_QUERIES = st.builds(
    Query,
    account=st.just("github"),
    text=st.text(max_size=600),
    fields=st.lists(st.sampled_from([field.name for field in FIELDS]), unique=True).map(tuple),
    since=_TIMES,
    until=_TIMES,
)
_PLACES = st.lists(
    _REPOSITORIES.map("repo:{}".format) | _NAMES.map("org:{}".format), max_size=28, unique=True
)
_TICKET = Query(account="github", text="TB-123")
_PHRASE = re.compile(r'"[^"]*"')


@given(query=_QUERIES, places=_PLACES)
def test_no_question_is_too_long(query: Query, places: list[str]) -> None:
    """At most 256 characters of words, and five operators."""
    for search in searches(query, places):
        asked = search.params["q"]
        phrases = " ".join(_PHRASE.findall(asked))

        assert len(phrases) <= 256
        assert len(asked) <= 256 or len(search.scopes) <= 1
        assert len(re.findall(r"\b(?:AND|OR|NOT)\b", _PHRASE.sub("", asked))) <= 5


@given(query=_QUERIES, places=_PLACES)
def test_every_place_is_asked_for_each_kind_once(query: Query, places: list[str]) -> None:
    """No batch forgets a repository or an owner, or asks twice."""
    asked: dict[tuple[str, str], list[str]] = {}
    for search in searches(query, places):
        asked.setdefault((search.path, search.words), []).extend(search.scopes)

    assert all(scopes == places for scopes in asked.values())


@pytest.mark.parametrize("count", range(1, 30))
def test_rare_prefixes_take_no_request(count: int) -> None:
    """However many places there are, more prefixes of branches are no more searches over REST."""
    places = [f"repo:acme/api-{number}" for number in range(count)]
    found = [each for each in searches(_TICKET, places) if each.branch]
    over_rest = [each for each in found if not each.is_extra]

    assert len(over_rest) == math.ceil(count / 4)
    for prefix in ("", "feature/", "fix/", "bugfix/", "hotfix/", "feat/", "chore/"):
        assert any(f"head:{prefix}TB-123 " in f"{each.words} ".replace(")", " ") for each in found)


@given(text=st.text(max_size=300))
def test_words_cannot_leave_their_quotes(text: str) -> None:
    """Outside of quotes there is nothing that stood in the text."""
    query = Query(account="github", text=text, fields=("issue_title",))
    (search,) = searches(query, ())

    assert _PHRASE.sub("", search.params["q"]).split() == ["is:issue", "in:title"]
    assert "\\" not in search.params["q"]


@pytest.fixture(scope="session")
def vendors(specifications: Path) -> graphql.GraphQLSchema:
    """Return GitHub's own schema."""
    packed = (specifications / "github-schema.graphql.gz").read_bytes()
    return graphql.build_schema(gzip.decompress(packed).decode(), assume_valid=True)


@pytest.mark.parametrize(
    "question",
    [
        graphql_items.item_query(EXTRAS),
        graphql_items.item_query(()),
        graphql_facts.PULL,
        graphql_facts.ISSUE,
        discussions.WHOLE,
        discussions.SEARCH,
        search_query(
            {f"s{n}": each for n, each in enumerate(searches(_TICKET, ["repo:acme/api"]))},
            {"p0": "repo:acme/api", "p1": "user:acme"},
        ),
        search_query({"s0": searches(_TICKET, ["user:acme"])[1]}, {"p0": "user:acme"}),
    ],
)
def test_a_question_of_graphql_is_valid(question: str, vendors: graphql.GraphQLSchema) -> None:
    """GitHub's schema has every field and argument that is asked for."""
    assert graphql.validate(vendors, graphql.parse(question)) == []
