"""A ticket as a whole: what was written, what was said below it, what was changed, its facts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from rove_core import JSON, ContextItem, Facts, ItemNotFound, ItemRef, ItemStatus, NamedValue
from rove_jira.source import JiraSource
from rove_sim import Conduct
from rove_sim.company_jira import (
    DevelopmentEntry,
    File,
    RemoteLink,
    Ticket,
    TicketChange,
    TicketComment,
    TicketLink,
)
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

AT = datetime(2024, 12, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def read(source: JiraSource, name: str = "TB-1", kind: str = "ticket") -> ContextItem:
    """Return an item by its id."""
    return await source.rove_item_detail(ItemRef(account="jira:work", kind=kind, id=name))


def paragraph(text: str) -> JSON:
    """Return a document of one paragraph."""
    words = [{"type": "text", "text": text}]
    return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": words}]}


async def test_a_ticket_has_its_facts(add: Callable[..., Ticket], source: JiraSource) -> None:
    """Each is there by name; one that is not set is left out."""
    add(
        "TB-1",
        title="Login",
        type="Bug",
        status="In Review",
        priority="High",
        assignee="robin",
        labels=("web",),
        components=("Backend",),
        attachments=(File(name="a.png", size=3), File(name="b.log", size=4)),
        sprint="Sprint 51",
        fields={"Story Points": 13, "Team": {"name": "Identity"}, "Empty": None},
    )
    item = await read(source)

    assert item.role == "ticket"
    assert item.facts == Facts(
        created=datetime(2024, 12, 1, 9, tzinfo=UTC),
        type="Bug",
        status=ItemStatus(name="In Review", category="in_progress"),
        priority="High",
        assignees=("Robin Doe",),
        reporter="Mike Torres",
        labels=("web",),
        components=("Backend",),
        iteration="Sprint 51",
        estimate=13,
        attachments=("a.png", "b.log"),
        fields=(
            NamedValue(name="Sprint", value="Sprint 51"),
            NamedValue(name="Story Points", value="13"),
            NamedValue(name="Team", value="Identity"),
        ),
    )


async def test_fields_with_prose_are_read_under_their_names(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """What somebody wrote into a field of the site's own is a part of the text."""
    fields = {"Acceptance Criteria": paragraph("It works."), "Risk": "none that we know"}
    add("TB-1", description="Do it.", fields=fields)

    assert (await read(source)).content == (
        "Do it.\n\n**Acceptance Criteria:**\n\nIt works.\n\n**Risk:**\n\nnone that we know"
    )


async def test_pages_elsewhere_are_part_of_the_text(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """So the sources that they belong to can recognise them."""
    link = RemoteLink(title="The fix", url="https://github.com/northwind/backend/pull/847")
    add("TB-1", remote_links=(link,))

    assert (await read(source)).content == (
        "**Linked pages:**\n\n- The fix: https://github.com/northwind/backend/pull/847"
    )


async def test_related_tickets_are_links(add: Callable[..., Ticket], source: JiraSource) -> None:
    """What is above, below, and linked from either side; each once, with how they stand."""
    add("TB-1", parent="TB-9", links=(TicketLink(type="Blocks", to="TB-3"),))
    add("TB-2", type="Sub-task", parent="TB-1")
    add("TB-3", title="Waits", links=(TicketLink(to="TB-1"),))
    add("TB-4", links=(TicketLink(type="Blocks", to="TB-1"),))
    add("TB-9")
    item = await read(source)

    assert [(link.relation, link.words, link.ref.id) for link in item.links] == [
        ("parent", "is part of", "TB-9"),
        ("child", "has the subtask", "TB-2"),
        ("blocks", "blocks", "TB-3"),
        ("relates", "relates to", "TB-3"),
        ("blocked_by", "is blocked by", "TB-4"),
    ]


async def test_comments_and_changes_stand_in_the_order_of_time(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """A comment that was edited later stays where it was made, and says when it was edited."""
    first = TicketComment(id="7", author="mike", at=AT, text="Why?", updated=AT + 5 * HOUR)
    second = TicketComment(id="8", author="robin", at=AT + 2 * HOUR, text="Because.")
    change = TicketChange(
        at=AT + HOUR, author="robin", field="status", before="To Do", after="Done"
    )
    add("TB-1", comments=(first, second), changelog=(change,))
    thread = (await read(source)).thread

    assert [(part.item_type, part.content, part.author) for part in thread] == [
        ("comment", "Why?", "Mike Torres"),
        ("change", "- Status: To Do → Done", "Robin Doe"),
        ("comment", "Because.", "Robin Doe"),
    ]
    assert (thread[0].timestamp, thread[0].facts) == (
        AT + 5 * HOUR,
        Facts(on="TB-1", created=datetime(2024, 12, 2, 9, tzinfo=UTC)),
    )
    assert [part.facts.history for part in thread] == [False, True, False]
    assert thread[0].url == "https://northwind.atlassian.net/browse/TB-1?focusedCommentId=7"


async def test_changes_that_change_nothing_are_left_out(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """The order of a board says nothing of a ticket; of a text it says that it was rewritten."""
    changes = [
        ("Rank", "", "Ranked higher"),
        ("assignee", "", "Mike"),
        ("description", "a\nb", "c"),
    ]
    add(
        "TB-1",
        changelog=tuple(
            TicketChange(at=AT + n * HOUR, author="mike", field=field, before=before, after=after)
            for n, (field, before, after) in enumerate(changes)
        ),
    )

    assert [part.content for part in (await read(source)).thread] == [
        "- Assignee: (none) → Mike",
        "- Description: rewritten",
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 500])
async def test_all_comments_are_read(
    add: Callable[..., Ticket], source: JiraSource, count: int
) -> None:
    """Jira puts some of them into the ticket; all of them are on pages of their own."""
    times = (AT + timedelta(minutes=n) for n in range(count))
    said = (TicketComment(author="mike", at=at, text=f"{n}") for n, at in enumerate(times))
    add("TB-1", comments=tuple(said))

    assert [part.content for part in (await read(source)).thread] == [f"{n}" for n in range(count)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 100])
async def test_all_changes_are_read(
    add: Callable[..., Ticket], source: JiraSource, count: int
) -> None:
    """With the ticket itself Jira would send only the latest forty."""
    times = (AT + timedelta(minutes=n) for n in range(count))
    done = (TicketChange(at=at, author="mike", field="status", after=f"{at}") for at in times)
    add("TB-1", changelog=tuple(done))

    assert len({part.ref.id for part in (await read(source)).thread}) == count


async def test_the_five_thousand_newest_comments_are_read(
    site: Jira, add: Callable[..., Ticket], source: JiraSource
) -> None:
    """A page of Jira's has a hundred; how many more there are is said."""
    site.conduct = Conduct()
    times = (AT + timedelta(minutes=n) for n in range(5_200))
    add("TB-1", comments=tuple(TicketComment(author="mike", at=at, text="so") for at in times))
    ticket = await read(source)

    assert len({part.ref.id for part in ticket.thread}) == 5_000
    assert ticket.thread[-1].timestamp == AT + timedelta(minutes=5_199)
    assert ticket.facts.incomplete == ("comments cut: 200 left out",)


@pytest.mark.parametrize(
    "refusal",
    [
        ("/remotelink", 403, "remote links not read: the login lacks permission for this"),
        ("/remotelink", 404, "remote links not found, or not visible"),
        ("/comment", 403, "comments not read: the login lacks permission for this"),
        ("/comment", 404, "comments not found, or not visible"),
    ],
)
async def test_what_cannot_be_read_leaves_a_note(
    site: Jira, add: Callable[..., Ticket], source: JiraSource, refusal: tuple[str, int, str]
) -> None:
    """The ticket is there all the same, and says what is missing of it."""
    path, status, note = refusal
    add("TB-1", comments=tuple(TicketComment(author="mike", at=AT, text="so") for _ in range(30)))
    site.fail_next(status, times=1, path=path)

    assert note in " ".join((await read(source)).facts.incomplete)


async def test_people_are_mentioned_by_their_names(
    add: Callable[..., Ticket], source: JiraSource, site: Jira
) -> None:
    """A mention may lack the name; who stands anywhere in the ticket is known."""
    mention: JSON = {"type": "mention", "attrs": {"id": site.company.person("robin").jira}}
    adf: JSON = {
        "type": "doc",
        "version": 1,
        "content": [{"type": "paragraph", "content": [mention]}],
    }
    add("TB-1", assignee="robin", comments=(TicketComment(author="mike", at=AT, adf=adf),))

    assert (await read(source)).thread[0].content == "@Robin Doe"


async def test_a_comment_can_be_read_alone(add: Callable[..., Ticket], source: JiraSource) -> None:
    """By the id it has below its ticket; it is the same as there."""
    add("TB-1", comments=(TicketComment(id="7", author="mike", at=AT, text="Why?"),))

    assert await read(source, "TB-1/7", "comment") == (await read(source)).thread[0]


async def test_a_change_can_be_read_alone(add: Callable[..., Ticket], source: JiraSource) -> None:
    """So that what a document cites can be looked at again."""
    add("TB-1", changelog=(TicketChange(at=AT, author="mike", field="status", after="Done"),))
    (change,) = (await read(source)).thread

    assert await read(source, change.ref.id, "change") == change


async def test_a_ticket_that_moved_is_found_by_its_old_key(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """It is called what it is called now."""
    add("OPS-5", old_keys=("TB-1",))

    assert (await read(source)).ref.id == "OPS-5"


@pytest.mark.parametrize(
    "name",
    ["TB-999", "TB-1/999", "TB-1/change/999", "", "..", "TB-1/..", "../myself", "x y", "TB-\u0661"],
)
async def test_what_is_not_there_is_said_with_who_asked(
    add: Callable[..., Ticket], source: JiraSource, name: str
) -> None:
    """An id that leads elsewhere is none."""
    add("TB-1")
    with pytest.raises(ItemNotFound) as caught:
        await read(source, name)

    assert caught.value.message == f"{name}: not found, or not visible to Robin Doe"
    assert caught.value.account == "jira:work"


@pytest.mark.parametrize("status", [403, 404])
async def test_a_site_without_links_still_gives_its_tickets(
    site: Jira, add: Callable[..., Ticket], source: JiraSource, status: int
) -> None:
    """Pages elsewhere can be turned off."""
    add("TB-1", description="Here")
    site.fail_next(status, times=9, path="remotelink")

    assert (await read(source)).content == "Here"


PULL = "https://github.com/northwind/backend/pull/847"


async def test_the_development_panel_is_read(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """Pull requests and branches are lines with their addresses, which other sources know."""
    branch = "https://github.com/northwind/backend/tree/TB-1-keys"
    add(
        "TB-1",
        development=(
            DevelopmentEntry(name="Rotate *keys*", url=PULL, status="MERGED", repository="backend"),
            DevelopmentEntry(kind="branch", name="TB-1-keys", url=branch, repository="backend"),
            DevelopmentEntry(name="Docs", url="https://gitlab.example/1", application="GitLab"),
        ),
    )
    item = await read(source)

    assert item.facts.incomplete == ()
    assert item.content == (
        "**Development:**\n\n"
        f"- Pull request Rotate \\*keys\\* in backend (merged): {PULL}\n"
        f"- Branch TB-1-keys in backend: {branch}\n"
        "- Pull request Docs: https://gitlab.example/1"
    )


async def test_without_development_its_panel_is_not_asked_for(
    add: Callable[..., Ticket], source: JiraSource, site: Jira
) -> None:
    """A field of the ticket tells whether there is any."""
    add("TB-1")
    await read(source)

    assert not any("dev-status" in each.request.path for each in site.exchanges)


async def test_a_panel_that_fails_costs_a_note(
    add: Callable[..., Ticket], source: JiraSource, site: Jira
) -> None:
    """The gateway has no panels: the ticket is read all the same."""
    add("TB-1", development=(DevelopmentEntry(name="Rotate keys", url=PULL),))
    site.scoped = True

    item = await read(source)
    site.exchanges.clear()  # It asked for what is not there.

    assert item.title == "TB-1"
    assert item.facts.incomplete == ("development panel not found, or not visible",)
