"""Linear may leave out what it likes: no issue is refused for that, and no word is lost."""

import copy
import json
from collections.abc import Iterator
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from rove_core import ContextItem, Reply
from rove_linear.items import LinearItems
from rove_linear.references import LinearReferences
from rove_linear.replies import OneIssue, SearchReply, WhoReply

ISSUES: Final = LinearItems(LinearReferences("linear", "northwind", ("TB", "OPS")))
TIME: Final = "2024-12-01T09:00:00.000Z"
ANN: Final = {"name": "Ann Lee"}


def _page(*nodes: object) -> object:
    return {"nodes": list(nodes), "pageInfo": {"hasNextPage": False, "endCursor": "x"}}


def _comment(number: int, parent: str | None = None) -> object:
    return {
        "id": f"c{number}",
        "parentId": parent,
        "body": f"words of comment {number}",
        "url": f"https://linear.app/northwind/issue/TB-2/x#comment-c{number}",
        "createdAt": TIME,
        "updatedAt": TIME,
        "user": ANN,
        "externalUser": None,
        "botActor": None,
    }


ISSUE: Final = {
    "id": "0b0ff6a6",
    "identifier": "TB-2",
    "title": "words of the title",
    "description": "words of the description",
    "url": "https://linear.app/northwind/issue/TB-2/x",
    "createdAt": TIME,
    "updatedAt": TIME,
    "archivedAt": None,
    "branchName": "ann/tb-2-x",
    "dueDate": "2024-12-24",
    "priorityLabel": "High",
    "previousIdentifiers": ["OLD-9"],
    "creator": ANN,
    "assignee": ANN,
    "state": {"name": "Todo"},
    "project": {"name": "Pilot"},
    "cycle": {"number": 7, "name": None},
    "parent": {"identifier": "TB-1", "url": ""},
    "attachments": _page(
        {"title": "words of the link", "subtitle": None, "url": "https://x.example"}
    ),
    "children": _page({"identifier": "TB-3", "url": ""}),
    "comments": _page(_comment(1), _comment(2, "c1"), _comment(3, "c2"), _comment(4, "gone")),
    "history": _page(
        {"createdAt": TIME, "actor": ANN, "fromState": {"name": "Todo"}, "toPriority": 9.5}
    ),
    "inverseRelations": _page({"type": "blocks", "issue": {"identifier": "TB-4", "url": ""}}),
    "labels": _page({"name": "auth"}),
    "relations": _page({"type": "invented", "relatedIssue": {"identifier": "TB-5", "url": ""}}),
}


def _places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to each thing below a value."""
    if not isinstance(value, dict | list):
        return
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        yield from _places(each, (*path, key))


PLACES: Final = tuple(_places(ISSUE))


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    """Return the issue with things left out, set to null, or joined by what nobody knows."""
    issue = copy.deepcopy(ISSUE)
    for path in draw(st.lists(st.sampled_from(PLACES), max_size=12)):
        _damage(issue, path, draw(st.sampled_from(["leave out", "null", "unknown"])))
    return issue


def _damage(value: Any, path: tuple[str | int, ...], how: str) -> None:  # noqa: ANN401  # any JSON
    try:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]]
    except (IndexError, KeyError, TypeError):
        return  # What is around it is gone already.
    if how == "null":
        value[path[-1]] = None
    elif how == "leave out":
        del value[path[-1]]
    elif isinstance(value, dict):
        value["nobodyKnows"] = {"this": [1]}


def _reply(data: object) -> Reply:
    body = json.dumps({"data": data}).encode()
    return Reply(200, "https://api.linear.app/graphql", {}, body)


def _said(item: ContextItem) -> str:
    return "\n".join([item.title, item.content, *(part.content for part in item.thread)])


def _words(value: object) -> Iterator[str]:
    """Yield what people wrote, wherever it stands."""
    if isinstance(value, str) and value.startswith("words "):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _words(each)


@given(damaged())
def test_an_issue_survives_what_is_missing(issue: dict[str, Any]) -> None:
    """Every word that came is in the item exactly once, whatever else did not come."""
    read = _reply({"issue": issue}).read(OneIssue).data.issue
    assert read is not None

    said = _said(ISSUES.item([read], requested_id="TB-2"))

    assert {word: said.count(word) for word in _words(issue)} == dict.fromkeys(_words(issue), 1)


@given(damaged())
def test_a_hit_survives_what_is_missing(issue: dict[str, Any]) -> None:
    """A search reads the same issue, beside one that is null."""
    hits = _reply({"searchIssues": {"nodes": [None, issue]}}).read(SearchReply).data.hits

    assert [ISSUES.item([each]).title for each in hits.nodes if each] == [issue.get("title") or ""]


@given(st.sampled_from(["viewer.name", "viewer.organization", "teams", "teams.nodes"]))
def test_who_one_is_survives_what_is_missing(place: str) -> None:
    """A key without a name is a key all the same."""
    who: dict[str, Any] = {
        "viewer": {"id": "1", "name": "Ann", "organization": {"name": "N", "urlKey": "n"}},
        "teams": {"nodes": [{"key": "TB"}, None]},
    }
    _damage(who, tuple(place.split(".")), "null")

    assert _reply(who).read(WhoReply).data.viewer.id == "1"


def test_replies_in_a_circle_are_all_there() -> None:
    """Comments that reply to each other have no first one; none is lost for that."""
    circle = _page(_comment(1, "c2"), _comment(2, "c1"), _comment(3, "c3"))
    read = _reply({"issue": {"comments": circle}}).read(OneIssue).data.issue
    assert read is not None

    assert len(ISSUES.item([read], requested_id="TB-2").thread) == 3
