"""Tickets as work: what a status needs, what the search learns late, and what cannot be changed."""

from base64 import b64encode
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from attrs import evolve
from tests.jira.conftest import Connect

from rove_core import (
    ItemRef,
    NewComment,
    NewWorkItem,
    ScopeMissing,
    WorkItemChange,
    WrongCall,
)
from rove_jira.tracker import JiraTracker
from rove_sim.company_jira import Ticket
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

REF = ItemRef(account="jira:work", kind="ticket", id="TB-1")


@pytest.fixture(autouse=True)
def _ticket(add: Callable[..., Ticket]) -> None:
    """Add one ticket with a sprint and an estimate."""
    add("TB-1", sprint="Sprint 7", fields={"Story Points": 3.0})


async def test_a_ticket_is_work(source: JiraTracker) -> None:
    """With its type, sprint, estimate and a priority between 0 and 4."""
    work = await source.rove_work_item(REF)

    assert (work.type_name, work.iteration_name, work.estimate) == ("Task", "Sprint 7", 3.0)
    assert (work.status.category, work.priority, work.priority_name) == ("todo", 2, "Medium")


async def test_fields_are_changed_together(source: JiraTracker, site: Jira) -> None:
    """A sprint, a day and a status with one call, of which each is kept."""
    site.tickets.sprints["Sprint 8"] = "future"
    planned = [each for each in await source.rove_iterations("TB") if each.state == "planned"]
    change = WorkItemChange(
        iteration=planned[0].id, due=date(2025, 1, 31), status="In Progress", priority=4
    )
    work = await source.rove_change_work_item(REF, change)

    assert (work.iteration_name, work.due) == ("Sprint 8", date(2025, 1, 31))
    assert (work.status.name, work.priority_name) == ("In Progress", "Highest")


async def test_a_status_that_is_not_possible_names_those_that_are(
    source: JiraTracker, site: Jira
) -> None:
    """And the other fields of the change stay as they were."""
    site.workflow["To Do"] = ("In Progress",)
    change = WorkItemChange(title="Another", status="Done")
    with pytest.raises(WrongCall, match="cannot become 'Done' now, only In Progress"):
        await source.rove_change_work_item(REF, change)

    assert (await source.rove_work_item(REF)).title == "TB-1"


async def test_a_status_that_needs_a_field_names_it(source: JiraTracker, site: Jira) -> None:
    """As its option does: the screen of the transition asks for a resolution."""
    site.needs_resolution.add("Done")
    options = {each.status.name: each.needs for each in await source.rove_status_options(REF)}
    with pytest.raises(WrongCall, match="cannot become 'Done' without Resolution"):
        await source.rove_change_work_item(REF, WorkItemChange(status="Done"))

    assert (options["Done"], options["In Review"]) == (("Resolution",), ())


async def test_a_wrong_field_is_named(source: JiraTracker) -> None:
    """In Jira's own words."""
    with pytest.raises(WrongCall, match="assignee: Specify a valid value for assignee"):
        await source.rove_change_work_item(REF, WorkItemChange(assignee="nobody-here"))


async def test_a_ticket_is_created_once_while_the_search_does_not_know_it(
    source: JiraTracker, site: Jira
) -> None:
    """The numbers after the last one that it knows are asked for as well."""
    site.tickets.lag = timedelta(hours=1)
    new = NewWorkItem(container="TB", title="New", description="**Words**", key="once-0001")
    made = await source.rove_create_work_item(new)
    again = await source.rove_create_work_item(new)

    assert made.ref == again.ref
    assert (made.description, made.type_name) == ("**Words**", "Task")


async def test_a_type_that_a_project_lacks_is_named(source: JiraTracker) -> None:
    """With those that it has."""
    new = NewWorkItem(container="TB", title="New", type_name="Wish", key="once-0001")
    with pytest.raises(WrongCall, match="has no Wish, only Epic, Story, Task"):
        await source.rove_create_work_item(new)


async def test_a_copied_mark_is_nobodys(source: JiraTracker, site: Jira) -> None:
    """Somebody else's comment with the same words stays theirs; code at the end stays code."""
    said = NewComment(content="```\ncode\n```", key="comment-1")
    await source.rove_add_comment(REF, said)
    ticket = site.tickets.find("TB-1")
    assert ticket is not None
    site.tickets.put(evolve(ticket, comments=(evolve(ticket.comments[0], author="mike"),)))
    await source.rove_add_comment(REF, said)

    shown = await source.rove_item_detail(REF)
    assert [each.author for each in shown.thread] == ["Mike Torres", "Robin Doe"]
    assert {each.content for each in shown.thread} == {"```\ncode\n```"}


async def test_a_token_without_the_scope_is_told_its_name(
    served: str, connect: Connect, site: Jira
) -> None:
    """Also where Jira says no more than that somebody may not edit."""
    site.reader_token = "token-of-a-reader"  # noqa: S105  # nobody's
    pair = f"{site.company.owner.email}:{site.reader_token}".encode()
    reader = connect(served, header=f"Basic {b64encode(pair).decode()}")
    with pytest.raises(ScopeMissing) as told:
        await reader.rove_add_comment(REF, NewComment(content="Begun", key="comment-1"))

    assert "write:jira-work" in told.value.hint
