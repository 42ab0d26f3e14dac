from datetime import UTC, datetime

import pytest

from rove_core import ContextItem, Facts, ItemNotFound, ItemRef, ItemStatus, Link, NamedValue
from rove_core.testing import Scene

pytestmark = pytest.mark.anyio

ISSUE = ItemRef(
    account="linear", kind="ticket", id="TB-2", url="https://linear.app/northwind/issue/TB-2"
)


@pytest.fixture
async def issue(linear: Scene) -> ContextItem:
    """Return the issue that has all that an issue can have."""
    return await linear.detail(ISSUE)


async def test_an_issue_says_what_it_is_about(issue: ContextItem) -> None:
    """Title, author and time arrive."""
    assert issue.title == "Rotate keys"
    assert issue.author == "Ann Lee"
    assert datetime(2024, 12, 12, 9, tzinfo=UTC) == issue.timestamp


async def test_an_issue_says_where_it_stands(issue: ContextItem) -> None:
    """All that Linear keeps beside the words arrives."""
    assert issue.facts == Facts(
        created=datetime(2024, 12, 1, 9, tzinfo=UTC),
        status=ItemStatus(name="In Progress", category="in_progress"),
        priority="High",
        assignees=("Ben Fox",),
        labels=issue.facts.labels,
        project="Pilot",
        iteration="7 Keys",
        branch="ann/tb-2-rotate-keys",
        fields=(NamedValue(name="Cycle", value="7 Keys"),),
    )
    assert issue.metadata["previous_ids"] == ["OLD-9"]


async def test_labels_arrive_from_all_their_pages(issue: ContextItem) -> None:
    """Whichever page brings them."""
    assert sorted(issue.facts.labels) == ["auth", "keys", "pilot"]


async def test_relations_arrive_from_all_their_pages(issue: ContextItem) -> None:
    """How the issue stands to others, which may be archived, in Linear's words too."""
    assert sorted((link.relation, link.words, link.ref.id) for link in issue.links) == [
        ("blocked_by", "blocked by", "TB-1"),
        ("child", "parent of", "OPS-3"),
        ("child", "parent of", "OPS-4"),
        ("child", "parent of", "OPS-5"),
        ("duplicates", "duplicate of", "OPS-5"),
        ("mentions", "", "OPS-4"),
        ("parent", "child of", "TB-1"),
        ("relates", "related to", "OPS-3"),
    ]


async def test_history_tells_what_explains_the_issue(issue: ContextItem) -> None:
    """State, assignee and priority count, oldest first; that a title was mended does not."""
    times = [f"2024-12-0{day}T09:00:00+00:00" for day in (3, 5, 6)]

    assert issue.metadata["history"] == [
        {"at": times[0], "by": "Ben Fox", "what": "status", "from": "Todo", "to": "In Progress"},
        {"at": times[1], "by": "Ann Lee", "what": "assignee", "from": "", "to": "Ben Fox"},
        {"at": times[2], "by": "Ann Lee", "what": "priority", "from": "No priority", "to": "High"},
    ]


async def test_an_issue_is_where_it_was_asked_for(issue: ContextItem) -> None:
    """The reference does not change with the title, as Linear's own URLs do."""
    assert issue.ref == ISSUE


async def test_a_moved_issue_has_its_new_name(linear: Scene) -> None:
    """What it was called before finds it, and what it is called now is its reference."""
    moved = await linear.detail(ItemRef(account="linear", kind="ticket", id="OLD-9"))

    assert moved.ref == ISSUE


async def test_a_description_is_markdown_already(issue: ContextItem) -> None:
    """The description comes as it was written."""
    assert issue.content.startswith("Once a **day**.\n\n")


async def test_attachments_are_links_for_other_sources(issue: ContextItem) -> None:
    """What an issue points at stands in its text, where its own source recognises it."""
    assert sorted(issue.content.splitlines()[3:]) == [
        "- PR 847: https://github.com/acme/api/pull/847",
        "- The vault OPS: https://linear.app/northwind/issue/OPS-4/vault",
        "- Thread: https://northwind.slack.com/archives/C1/p1",
    ]


async def test_each_reply_stands_below_its_comment(issue: ContextItem) -> None:
    """The discussion reads in its order, oldest first, whatever Linear's."""
    assert [(comment.author, comment.content) for comment in issue.thread] == [
        ("Ann Lee", "How often?"),
        ("Ada of Globex", "One hour"),
        ("Ben Fox", "And who?"),
        ("Robot", "Linked a branch"),
    ]


async def test_a_reply_names_its_comment(issue: ContextItem) -> None:
    """Only a reply does; all comments name their issue."""
    first, *_ = issue.thread

    assert [comment.links for comment in issue.thread[:3]] == [
        (),
        (Link(ref=first.ref, relation="replies_to"),),
        (),
    ]
    assert {comment.facts.on for comment in issue.thread} == {"TB-2"}


async def test_a_comment_has_a_link_of_its_own(issue: ContextItem) -> None:
    """A citation leads to the comment, not to the top of the issue."""
    url = "https://linear.app/northwind/issue/TB-2/rotate-keys#comment-c1"

    assert ItemRef(account="linear", kind="comment", id="TB-2/c1", url=url) == issue.thread[0].ref


async def test_an_archived_issue_says_so(linear: Scene) -> None:
    """It can be read like any other."""
    item = await linear.detail(ItemRef(account="linear", kind="ticket", id="OPS-3"))

    assert item.metadata["archived"] == "2024-12-21T09:00:00+00:00"


async def test_an_unknown_issue_is_not_found(linear: Scene) -> None:
    """Linear answers 200 with an error; the message says which issue, and to whom."""
    with pytest.raises(ItemNotFound, match="TB-999 is not in Linear, or not visible to Ann Lee"):
        await linear.detail(ItemRef(account="linear", kind="ticket", id="TB-999"))
