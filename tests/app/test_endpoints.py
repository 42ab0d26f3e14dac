"""The table of the server's own endpoints: routes and the OpenAPI document come from it."""

import pytest

from rove.server.endpoint import QueryParameter
from rove.server.endpoints import ENDPOINTS
from rove.server.openapi import openapi
from rove_core.errors import WrongCall

LIMIT = QueryParameter(name="limit", least=1, most=1000, default=20)


def test_every_endpoint_is_described() -> None:
    """The document has each row's method, title, query and failures."""
    paths = openapi((), (), version="1")["paths"]
    assert isinstance(paths, dict)

    for each in ENDPOINTS:
        told = paths[each.path][each.method.lower()]
        in_query = [one["name"] for one in told["parameters"] if one["in"] == "query"]
        assert told["summary"] == each.title
        assert in_query == [one.name for one in each.query]
        assert {str(each.status), *map(str, each.failures)} < told["responses"].keys()


def test_no_request_meets_two_endpoints() -> None:
    """A method and a path are one row; words come before parameters nowhere."""
    keys = [
        (each.method, tuple("{}" if word.startswith("{") else word for word in each.words))
        for each in ENDPOINTS
    ]

    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(("text", "number"), [(None, 20), ("1", 1), ("1000", 1000)])
def test_a_number_is_read_as_its_schema_says(text: str | None, number: int) -> None:
    """The same row says what is written in the document and what is accepted."""
    assert LIMIT.number(text) == number
    assert LIMIT.schema == {"type": "integer", "minimum": 1, "maximum": 1000}


@pytest.mark.parametrize("text", ["", "0", "1001", "-1", "1.0", "\u0661", "many", "9" * 5000])
def test_a_number_that_does_not_fit(text: str) -> None:
    """It is refused with what is expected."""
    with pytest.raises(WrongCall, match="a whole number from 1 to 1000 is expected"):
        LIMIT.number(text)
