"""Linear in a box takes changes as Linear does."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import pytest

from rove_core.testing import VirtualClock
from rove_core.wire.json_types import JSON
from rove_sim import Company
from rove_sim.company_linear import LinearIssue
from rove_sim.company_people import Person
from rove_sim.linear import Linear
from rove_sim.server import Request, Response

KEY = "lin_api_of_northwind"
DAY = datetime(2024, 12, 1, 9, tzinfo=UTC)
ID = "6f1c9e0e-3b5a-4c6e-9d52-0a3f0a5f7d11"
UPDATE = """mutation ($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { title state { name } updatedAt } }
}"""
CREATE = """mutation ($input: IssueCreateInput!) {
  issueCreate(input: $input) { issue { id identifier title state { name } } }
}"""
COMMENT = (
    "mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id } } }"
)
UPLOAD = """mutation { fileUpload(contentType: "text/plain", filename: "a.txt", size: 5) {
  uploadFile { assetUrl uploadUrl headers { key value } }
} }"""
Ask: TypeAlias = Callable[..., Any]


@pytest.fixture
def linear() -> Linear:
    """Give a workspace with one issue."""
    issue = LinearIssue(identifier="TB-1", title="Keys", author="ann", created=DAY)
    people = (Person(key="ann", name="Ann Lee"),)
    return Linear(
        Company(name="Northwind", token=KEY, people=people, issues=(issue,)), clock=VirtualClock()
    )


def _send(linear: Linear, query: str, *, key: str = KEY, **variables: JSON) -> Response:
    body = json.dumps({"query": query, "variables": variables}).encode()
    return linear(Request("POST", "/graphql", {}, {"authorization": key}, body))


def _data(response: Response) -> Mapping[str, Any]:
    assert isinstance(response.value, dict)
    assert "errors" not in response.value, response.value
    return dict(response.value["data"])


def _error(response: Response) -> str:
    assert isinstance(response.value, dict)
    return str(response.value["errors"][0]["message"])


def _team(linear: Linear) -> Mapping[str, Any]:
    asked = "{ teams(first: 1) { nodes { id states(first: 9) { nodes { id name type } } } } }"
    return dict(_data(_send(linear, asked))["teams"]["nodes"][0])


def test_a_change_changes_what_it_names(linear: Linear) -> None:
    """The rest stays, its history tells it, and it is newer than it was."""
    done = next(each for each in _team(linear)["states"]["nodes"] if each["type"] == "completed")
    found = _data(_send(linear, UPDATE, id="TB-1", input={"stateId": done["id"]}))

    issue = found["issueUpdate"]["issue"]
    assert (issue["title"], issue["state"]["name"]) == ("Keys", "Done")
    assert [each.after for each in linear.issue("TB-1").history] == ["Done"]
    assert linear.issue("TB-1").updated == max(linear.clock.now(), DAY + timedelta(milliseconds=1))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"stateId": ID}, "Entity not found: WorkflowState"),
        ({"assigneeId": ID}, "Entity not found: User"),
        ({"labelIds": [ID]}, "Entity not found: IssueLabel"),
        ({"cycleId": ID}, "Entity not found: Cycle"),
        ({"parentId": "TB-9"}, "Entity not found: Issue"),
        ({"priority": 5}, "Argument Validation Error - priority must be from 0 to 4"),
    ],
)
def test_what_is_not_there_cannot_be_set(
    linear: Linear, wanted: Mapping[str, JSON], said: str
) -> None:
    """Nothing changes then."""
    assert _error(_send(linear, UPDATE, id="TB-1", input=dict(wanted))) == said
    assert linear.issue("TB-1").updated is None


def test_an_id_is_taken_once(linear: Linear) -> None:
    """A second issue with it is refused, and so is a second comment."""
    team = _team(linear)["id"]
    new: JSON = {"teamId": team, "title": "More keys", "id": ID}
    said: JSON = {"issueId": "TB-1", "body": "Done", "id": ID}

    made = _data(_send(linear, CREATE, input=new))["issueCreate"]["issue"]
    assert (made["id"], made["identifier"], made["state"]["name"]) == (ID, "TB-2", "Backlog")
    assert _error(_send(linear, CREATE, input=new)) == "Entity already exists: Issue"
    assert _data(_send(linear, COMMENT, input=said))["commentCreate"]["comment"]["id"] == ID
    assert _error(_send(linear, COMMENT, input=said)) == "Entity already exists: Comment"


def test_an_id_is_a_random_uuid(linear: Linear) -> None:
    """As the schema says: in UUID v4 format."""
    said: JSON = {"issueId": "TB-1", "body": "Done", "id": "6f1c9e0e-3b5a-5c6e-9d52-0a3f0a5f7d11"}

    assert "id must be a UUID" in _error(_send(linear, COMMENT, input=said))


def test_a_key_for_reading_changes_nothing(linear: Linear) -> None:
    """It reads, and is told the scope that it lacks."""
    linear.reading_key = "lin_api_reading"
    refused = _send(linear, UPDATE, key="lin_api_reading", id="TB-1", input={"title": "No keys"})

    assert (refused.status, _error(refused)) == (403, "Invalid scope: `write` required")
    assert _data(_send(linear, "{ viewer { name } }", key="lin_api_reading"))
    assert linear.issue("TB-1").title == "Keys"


def test_a_file_is_kept_where_it_was_uploaded_to(linear: Linear) -> None:
    """The address of the upload takes it without a login, with the headers given with it."""
    file = _data(_send(linear, UPLOAD))["fileUpload"]["uploadFile"]
    path = "/" + file["uploadUrl"].partition("//")[2].partition("/")[2]

    headers = {each["key"].lower(): each["value"] for each in file["headers"]}

    assert linear(Request("PUT", path, {}, {}, b"proof")).status == 403
    assert linear(Request("PUT", path, {}, headers, b"proof")).status == 200
    assert linear.file(file["assetUrl"]) == b"proof"
    assert linear(Request("PUT", "/upload/none", {}, headers, b"proof")).status == 404
