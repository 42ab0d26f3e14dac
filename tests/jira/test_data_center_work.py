"""Tickets of Jira Data Center as work: texts in wiki markup, people by their names."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta

import pytest

from rove_core import (
    Account,
    Credential,
    Http,
    Identity,
    ItemRef,
    NewComment,
    NewWorkItem,
    ScopeMissing,
    Secret,
    WorkItemChange,
    WrongCall,
    find_hidden_mark,
)
from rove_core.testing import VirtualClock
from rove_jira.settings import DATA_CENTER, JiraSettings
from rove_jira.tracker import JiraTracker
from rove_sim import Company
from rove_sim.company_jira import Ticket
from rove_sim.company_people import Person
from rove_sim.jira import JiraDataCenter
from rove_sim.server import serve

pytestmark = pytest.mark.anyio

REF = ItemRef(account="jira", kind="ticket", id="TB-1")
WORDS = "## Why\n\n- **bold** and `co*de`\n\n```python\na = 1\n```"
MARKUP = "h2. Why\n\n* *bold* and {{co*de}}\n\n{code:python}\na = 1\n{code}"


@pytest.fixture
def jira() -> JiraDataCenter:
    """Give a Jira with two tickets, one of them in a sprint."""
    people = (Person(key="robin", name="Robin Doe"), Person(key="mike", name="Mike Torres"))
    company = Company(name="Northwind", token="canary", me="robin", people=people)  # noqa: S106  # it opens a simulator
    jira = JiraDataCenter(company, clock=VirtualClock(datetime(2025, 1, 6, tzinfo=UTC)))
    at = datetime(2025, 1, 3, tzinfo=UTC)
    for key in ("TB-1", "TB-2"):
        jira.add_ticket(
            Ticket(key=key, title=key, author="mike", created=at, sprint="Sprint 7, the last")
        )
    return jira


@pytest.fixture
async def tracker(jira: JiraDataCenter) -> AsyncIterator[JiraTracker]:
    """Give a login to it."""
    async with serve(jira) as url:
        host = url.partition("://")[2]
        header = {"Authorization": Secret("Bearer canary")}
        credential = Credential(headers=header, hosts=(host,))

        async def give() -> Credential:
            return credential

        who = Identity(name="Robin Doe", prefixes=("TB",), workspace=DATA_CENTER)
        account = Account(
            name="jira", kind="jira", settings=JiraSettings(), base_url=url, identity=who
        )
        http = Http(account="jira", base_url=url, credential=give)
        yield JiraTracker(account, http)
        await http.aclose()


async def test_a_description_is_written_in_markup(
    tracker: JiraTracker, jira: JiraDataCenter
) -> None:
    """And read back as it was given."""
    work = await tracker.rove_change_work_item(REF, WorkItemChange(description=WORDS))
    kept = jira.tickets.find("TB-1")

    assert kept is not None
    assert (work.description, kept.adf) == (WORDS, MARKUP)


async def test_a_created_ticket_hides_its_key(tracker: JiraTracker, jira: JiraDataCenter) -> None:
    """At the end of its description, where nobody reads it, also after that is cleared."""
    new = NewWorkItem(container="TB", title="New", description=WORDS, key="once-0001")
    made = await tracker.rove_create_work_item(new)
    kept = jira.tickets.find(made.ref.id)
    cleared = await tracker.rove_change_work_item(made.ref, WorkItemChange(clear=("description",)))
    again = await tracker.rove_create_work_item(new)

    assert kept is not None
    assert str(kept.adf).startswith(MARKUP)
    assert find_hidden_mark(str(kept.adf))
    assert (made.description, made.description_source) == (WORDS, MARKUP)
    assert (cleared.description, again.ref) == ("", made.ref)


async def test_a_ticket_is_created_once_while_the_search_does_not_know_it(
    tracker: JiraTracker, jira: JiraDataCenter
) -> None:
    """The numbers after the last one that it knows are asked for, over a gap."""
    jira.tickets.lag = timedelta(hours=1)
    new = NewWorkItem(container="TB", title="New", key="once-0001")
    gone = NewWorkItem(container="TB", title="Gone", key="once-0002")
    other = await tracker.rove_create_work_item(gone)
    made = await tracker.rove_create_work_item(new)
    jira.delete_ticket(other.ref.id)

    assert (await tracker.rove_create_work_item(new)).ref == made.ref


async def test_an_epic_is_known_by_its_name(tracker: JiraTracker) -> None:
    """Data Center tells no level of a type."""
    new = NewWorkItem(container="TB", title="Plan", type="epic", key="once-0001")

    assert (await tracker.rove_create_work_item(new)).type == "epic"


async def test_fields_are_changed_together(tracker: JiraTracker, jira: JiraDataCenter) -> None:
    """A person by name, a sprint, a day and a status with one call, of which each is kept."""
    jira.tickets.sprints["Sprint 8"] = "future"
    planned = [each for each in await tracker.rove_iterations("TB") if each.state == "planned"]
    change = WorkItemChange(
        assignee=jira.company.person("mike").jira,
        iteration=planned[0].id,
        due=date(2025, 1, 31),
        status="In Progress",
    )
    work = await tracker.rove_change_work_item(REF, change)

    assert work.assignee is not None
    assert (work.assignee.name, work.iteration_name) == ("Mike Torres", "Sprint 8")
    assert (work.due, work.status.name) == (date(2025, 1, 31), "In Progress")


async def test_a_sprint_is_read_from_its_line(tracker: JiraTracker) -> None:
    """Its name may hold a comma; the ticket tells it as a fact, too."""
    work = await tracker.rove_work_item(REF)
    item = await tracker.rove_item_detail(REF)

    assert (work.iteration_name, item.facts.iteration) == ("Sprint 7, the last",) * 2


async def test_a_field_that_cannot_be_changed_names_those_that_can(tracker: JiraTracker) -> None:
    """A parent stays what it is there."""
    parent = ItemRef(account="jira", kind="ticket", id="TB-2")
    with pytest.raises(WrongCall, match="the parent of TB-1 cannot be changed") as told:
        await tracker.rove_change_work_item(REF, WorkItemChange(parent=parent))

    assert "title, description, status" in told.value.hint


async def test_a_comment_is_changed_in_place(tracker: JiraTracker, jira: JiraDataCenter) -> None:
    """It is markup that shows the words, and is found again by its mark."""
    for words in ("- begun", "- *done*", "- *done*"):
        await tracker.rove_add_comment(REF, NewComment(content=words, key="comment-1"))
    kept = jira.tickets.find("TB-1")

    assert kept is not None
    assert [str(each.adf).rstrip("\u2061\u2062\u2063\u2064") for each in kept.comments] == [
        "* _done_"
    ]
    assert jira.refused == []


async def test_a_reader_is_told_whose_right_is_missing(
    tracker: JiraTracker, jira: JiraDataCenter
) -> None:
    """No scope: a personal access token has none."""
    jira.reader_token = "canary"  # noqa: S105  # nobody's
    with pytest.raises(ScopeMissing) as told:
        await tracker.rove_add_comment(REF, NewComment(content="Begun", key="comment-1"))

    assert told.value.hint.startswith("For that the person needs the right to edit")
