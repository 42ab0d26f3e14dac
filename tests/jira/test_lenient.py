"""Whatever Jira sends of a ticket is read: one odd thing in it costs nothing but itself."""

import json
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rove_core import ContextItem, Facts, NamedValue
from rove_jira.items import JiraItems, TicketParts

TICKETS = JiraItems("jira", "https://northwind.atlassian.net")
ODD: list[Any] = [None, True, -1, 1e300, "", "odd words", [], [None], {}, {"type": "doc"}, [[]]]


def document(words: str) -> dict[str, Any]:
    """Return a document of one paragraph."""
    content = [{"type": "paragraph", "content": [{"type": "text", "text": words}]}]
    return {"type": "doc", "version": 1, "content": content}


def person(name: str) -> dict[str, Any]:
    """Return a person."""
    return {"accountId": name, "displayName": name, "active": True}


def other(key: str) -> dict[str, Any]:
    """Return a ticket as another one shows it."""
    return {"id": "1", "key": key, "fields": {"summary": "other", "status": {"name": "Done"}}}


def comment(number: int) -> dict[str, Any]:
    """Return a comment."""
    at = "2024-12-02T09:00:00.000+0100"
    body = document(f"comment{number}x")
    return {"id": f"{number}", "author": person("mike"), "body": body, "created": at, "updated": at}


ISSUE: dict[str, Any] = {
    "id": "10001",
    "key": "TB-1",
    "names": {"customfield_1": "Criteria", "customfield_2": "Team"},
    "schema": {"customfield_1": {"custom": "textarea"}},
    "fields": {
        "summary": "A summary",
        "description": document("descriptionx"),
        "environment": document("environmentx"),
        "customfield_1": document("criteriax"),
        "customfield_2": {"value": "Web", "child": {"value": "Forms"}},
        "customfield_3": [{"name": "Sprint 1"}, 3],
        "creator": person("mike"),
        "reporter": person("robin"),
        "assignee": None,
        "created": "2024-12-01T09:00:00.000+0000",
        "updated": "2024-12-02T09:00:00.000+0000",
        "labels": ["web"],
        "components": [{"name": "Backend"}],
        "status": {"name": "Done", "statusCategory": {"name": "Done"}},
        "parent": other("TB-9"),
        "subtasks": [other("TB-2")],
        "issuelinks": [
            {"type": {"inward": "is in", "outward": "out"}, "inwardIssue": other("X-1")}
        ],
        "attachment": [{"id": "7", "filename": "a.png"}],
    },
}
CHANGE = {
    "id": "5",
    "author": person("mike"),
    "created": "2024-12-02T10:00:00.000+0000",
    "items": [{"field": "status", "fromString": "To Do", "toString": "Done"}],
}
PAGE = {"id": 1, "object": {"url": "https://a.example", "title": "pagex"}}
WHOLE: dict[str, Any] = {
    "issue": ISSUE,
    "comments": [comment(1), comment(2), comment(3)],
    "changes": [CHANGE],
    "pages": [PAGE],
}


def read(whole: dict[str, Any]) -> ContextItem:
    """Return a ticket of all that was sent of it."""
    parts = TicketParts(whole["comments"], whole["changes"], whole["pages"])
    return TICKETS.ticket(whole["issue"], parts)


def places(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401  # any JSON
    """Yield what holds something, with the name under which it does."""
    for name in value if isinstance(value, dict) else range(len(value)):
        yield value, name
        if isinstance(value[name], dict | list):
            yield from places(value[name])


def words(item: ContextItem) -> str:
    """Return all that people wrote."""
    return "\n".join([item.content, *(part.content for part in item.thread)])


def said(value: Any) -> set[str]:  # noqa: ANN401  # any JSON
    """Return the words that stand in texts of documents and pages."""
    known = ("descriptionx", "environmentx", "criteriax", "pagex")
    comments = (f"comment{number}x" for number in (1, 2, 3))
    return {word for word in (*known, *comments) if word in json.dumps(value)}


def test_a_whole_ticket_is_read() -> None:
    """All its words are there; that is what the properties below start from."""
    item = read(WHOLE)

    assert said(WHOLE) == said([words(item)])
    assert [link.ref.id for link in item.links] == ["TB-9", "TB-2", "X-1"]
    assert item.facts.fields == (
        NamedValue(name="Team", value="Web / Forms"),
        NamedValue(name="customfield_3", value="Sprint 1, 3"),
    )


@settings(max_examples=300)
@given(st.data())
def test_nothing_odd_in_a_ticket_costs_more_than_itself(data: st.DataObject) -> None:
    """With a key taken away or something odd in its place, all other words are still there."""
    whole = deepcopy(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        parts = [place for name in whole for place in places(whole[name])]
        holder, name = data.draw(st.sampled_from(parts))
        structure = {"type", "content", "url", "object", "body"}
        if name in structure and said(holder[name]):
            continue  # That would take the words themselves out of their place.
        if isinstance(holder, dict) and data.draw(st.booleans()):
            del holder[name]
        else:
            holder[name] = deepcopy(data.draw(st.sampled_from(ODD)))

    item = read(whole)

    assert said(whole) <= said([words(item)])
    assert {part.timestamp.tzinfo for part in (item, *item.thread)} == {UTC}


@settings(max_examples=200)
@given(st.data())
def test_any_reply_is_read(data: st.DataObject) -> None:
    """Even where nothing is as it should be nothing is raised."""
    anything = st.recursive(
        st.sampled_from(ODD) | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from([*ISSUE, *ISSUE["fields"], *CHANGE]), inner, max_size=4
            )
        ),
        max_leaves=12,
    )
    issue: Any = {"key": "TB-1", "fields": data.draw(anything)}
    several = data.draw(st.lists(anything, max_size=3))

    item = TICKETS.ticket(issue, TicketParts(several, several, several))

    assert sum(part.item_type == "comment" for part in item.thread) == len(several)


@pytest.mark.parametrize("written", ["", "soon", "2024-12-01", "0001-01-01T00:00:00+23:59", 7])
def test_an_odd_time_is_as_none(written: object) -> None:
    """What was changed at no known time is kept, as the oldest there is."""
    issue: Any = {"key": "TB-1", "fields": {"updated": written}}

    assert TICKETS.ticket(issue).timestamp == datetime(1970, 1, 1, tzinfo=UTC)


def test_a_ticket_without_a_key_has_its_number() -> None:
    """It can be read by that as well."""
    assert TICKETS.ticket({"id": "10001", "fields": {}}).ref.id == "10001"


def test_rich_text_of_old_sites_is_read() -> None:
    """A comment may be a plain text."""
    assert TICKETS.comment("TB-1", {"id": "1", "body": "h1. So"}, {}).content == "h1. So"


def test_a_field_of_programs_is_no_text() -> None:
    """Where a ticket stands on a board, or how many pull requests it has, nobody wrote."""
    rank = {"custom": "com.pyxis.greenhopper.jira:gh-lexo-rank"}
    issue: Any = {
        "key": "TB-1",
        "schema": {"customfield_1": rank},
        "fields": {"customfield_1": "0|i0007: b"},
    }

    assert (TICKETS.ticket(issue).content, TICKETS.ticket(issue).facts) == ("", Facts())
