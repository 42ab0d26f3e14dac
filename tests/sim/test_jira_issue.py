"""One ticket of Jira in a box, and what hangs on it."""

import json

import pytest

from rove_core.testing import VirtualClock
from rove_sim.company_jira import Ticket, TicketComment
from rove_sim.jira import Jira
from rove_sim.simulator_client import SimulatorClient

ISSUE = "/rest/api/3/issue/TB-2"


def test_a_ticket_with_all_its_fields(at_jira: SimulatorClient) -> None:
    """Without naming fields one gets all of them, also the further ones."""
    issue = at_jira.get(ISSUE, expand="names,schema,renderedFields,changelog").json

    fields = issue["fields"]
    (points,) = (name for name, called in issue["names"].items() if called == "Story Points")
    assert (issue["key"], fields["summary"]) == ("TB-2", "Add OAuth2")
    assert fields["status"]["statusCategory"]["key"] == "indeterminate"
    assert fields["parent"]["key"] == "TB-1"
    assert [each["key"] for each in fields["subtasks"]] == ["TB-3"]
    assert fields[points] == 5
    assert "<h2>What is wanted</h2>" in issue["renderedFields"]["description"]
    assert issue["changelog"]["total"] == 1


def test_only_the_fields_that_are_named(at_jira: SimulatorClient) -> None:
    """Fields are chosen by name, by group, or by what is left out."""
    named = at_jira.get(ISSUE, fields="summary,labels").json["fields"]
    without = at_jira.get(ISSUE, fields="*all,-comment").json["fields"]
    navigable = at_jira.get(ISSUE, fields="*navigable").json["fields"]

    assert set(named) == {"summary", "labels"}
    assert "attachment" in without
    assert "comment" not in without
    assert not {"attachment", "comment"} & set(navigable)


def test_a_link_is_seen_from_both_sides(at_jira: SimulatorClient) -> None:
    """The other ticket shows the link as the inward one."""
    (own,) = at_jira.get(ISSUE).json["fields"]["issuelinks"]
    (other,) = at_jira.get("/rest/api/3/issue/TB-3").json["fields"]["issuelinks"]

    assert own["outwardIssue"]["key"] == "TB-3"
    assert other["inwardIssue"]["key"] == "TB-2"


def test_times_are_the_readers_own(at_jira: SimulatorClient) -> None:
    """Jira writes times in the zone of whoever asks, without a colon in the offset."""
    created = at_jira.get(ISSUE).json["fields"]["created"]

    assert created == "2024-12-12T10:15:00.000+0100"


def test_a_hidden_ticket_is_not_there(
    jira: Jira, at_jira: SimulatorClient, clock: VirtualClock
) -> None:
    """What one may not see answers like what is not there, and is in no link."""
    jira.add_ticket(
        Ticket(key="SEC-1", title="A leak", author="sarah", created=clock.now(), hidden=True)
    )
    hidden, unknown = at_jira.get("/rest/api/3/issue/SEC-1"), at_jira.get("/rest/api/3/issue/NO-1")

    assert (hidden.status, unknown.status) == (404, 404)
    assert hidden.json == unknown.json
    assert hidden.json["errorMessages"] == [
        "Issue does not exist or you do not have permission to see it."
    ]


def test_comments_in_pages(jira: Jira, at_jira: SimulatorClient) -> None:
    """Pages hold two at most, whatever is asked for, and say how many there are."""
    for number in range(4):
        jira.add_comment("TB-2", "robin", f"Number {number}")
    pages = [
        at_jira.get(f"{ISSUE}/comment", startAt=start, maxResults=100, orderBy="created").json
        for start in (0, 2, 4, 6)
    ]

    assert [len(page["comments"]) for page in pages] == [2, 2, 1, 0]
    assert {page["total"] for page in pages} == {5}
    newest = at_jira.get(f"{ISSUE}/comment", orderBy="-created").json["comments"][0]
    assert newest["body"]["content"][0]["content"] == [{"type": "text", "text": "Number 3"}]


def test_one_comment(jira: Jira, at_jira: SimulatorClient) -> None:
    """A comment can be asked for alone, also as HTML."""
    comment = jira.add_comment("TB-2", "sarah", "**Sure**")
    reply = at_jira.get(f"{ISSUE}/comment/{comment.id}", expand="renderedBody")

    assert reply.json["renderedBody"] == "<p><b>Sure</b></p>"
    assert at_jira.get(f"{ISSUE}/comment/1").status == 404


def test_the_history_says_when_it_ends(jira: Jira, at_jira: SimulatorClient) -> None:
    """A page of the history names the next one, until the last."""
    jira.change_ticket("TB-2", "sarah", status="In Review")
    jira.change_ticket("TB-2", "sarah", status="Done")
    first = at_jira.get(f"{ISSUE}/changelog").json
    last = at_jira.get(f"{ISSUE}/changelog", startAt=2).json

    assert (first["isLast"], last["isLast"]) == (False, True)
    assert "startAt=2" in first["nextPage"]
    assert "nextPage" not in last
    assert last["values"][0]["items"][0]["toString"] == "Done"


def test_pages_elsewhere(at_jira: SimulatorClient) -> None:
    """Remote links come as a bare list."""
    (link,) = at_jira.get(f"{ISSUE}/remotelink").json

    assert link["object"]["url"] == "https://wiki.northwind.example/auth"
    assert at_jira.get(f"{ISSUE}/remotelink", globalId="none").json == []


def test_a_change_is_seen(jira: Jira, at_jira: SimulatorClient, clock: VirtualClock) -> None:
    """Whatever changes a ticket moves its time."""
    clock.advance(90)
    comment = jira.add_comment("TB-2", "robin", "Too late?")
    jira.edit_comment("TB-2", comment.id, "Late.")
    fields = at_jira.get(ISSUE).json["fields"]

    assert fields["updated"] == "2024-12-20T13:01:30.000+0100"
    assert fields["comment"]["comments"][-1]["body"]["content"][0]["content"][0]["text"] == "Late."
    jira.delete_comment("TB-2", comment.id)
    assert at_jira.get(f"{ISSUE}/comment").json["total"] == 1
    jira.delete_ticket("TB-2")
    assert at_jira.get(ISSUE).status == 404


def test_a_ticket_that_moved(jira: Jira, at_jira: SimulatorClient, clock: VirtualClock) -> None:
    """An earlier key still leads to the ticket, which tells its new one."""
    jira.add_ticket(
        Ticket(key="TB-9", title="Moved", author="robin", created=clock.now(), old_keys=("OLD-4",))
    )

    assert at_jira.get("/rest/api/3/issue/OLD-4").json["key"] == "TB-9"


def test_a_document_given_as_it_is(
    jira: Jira, at_jira: SimulatorClient, clock: VirtualClock
) -> None:
    """A tree in place of a text is sent as it is."""
    words = [{"type": "text", "text": "Mind the gap"}]
    inside = [{"type": "paragraph", "content": words}]
    panel = {"type": "panel", "attrs": {"panelType": "info"}, "content": inside}
    tree = json.loads(json.dumps({"type": "doc", "version": 1, "content": [panel]}))
    said = TicketComment(author="robin", at=clock.now(), adf=tree)
    jira.add_ticket(
        Ticket(key="TB-9", title="Panel", author="robin", created=clock.now(), comments=(said,))
    )

    assert at_jira.get("/rest/api/3/issue/TB-9/comment").json["comments"][0]["body"] == tree


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (ISSUE, {"field": "summary"}),
        (ISSUE, {"expand": "everything"}),
        (f"{ISSUE}/comment", {"startAt": "two"}),
        (f"{ISSUE}/comment", {"orderBy": "author"}),
        (f"{ISSUE}/remotelink", {"startAt": "0"}),
    ],
)
def test_what_is_not_known_is_refused(
    jira: Jira, at_jira: SimulatorClient, path: str, query: dict[str, str]
) -> None:
    """A wrong parameter is an error, and is remembered as one."""
    reply = at_jira.get(path, **query)

    assert reply.status == 400
    assert len(jira.refused) == 1
