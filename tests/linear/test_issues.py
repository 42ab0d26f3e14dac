from datetime import UTC, datetime

import pytest

from rove_core import ContextItem, ItemNotFound, ItemRef
from rove_core.testing import Scene

pytestmark = pytest.mark.anyio

ISSUE = ItemRef("linear", "ticket", "TB-2", "https://linear.app/northwind/issue/TB-2")


@pytest.fixture
async def issue(linear: Scene) -> ContextItem:
    """Return the issue that has all that an issue can have."""
    return await linear.detail(ISSUE)


async def test_an_issue_says_what_it_is_about(issue: ContextItem) -> None:
    """Title, author, times, state and labels arrive."""
    assert issue.title == "Rotate keys"
    assert issue.author == "Ann"
    assert datetime(2024, 12, 12, 9, tzinfo=UTC) == issue.timestamp
    assert issue.metadata == {
        "created": "2024-12-01T09:00:00.000Z",
        "labels": ["auth"],
        "status": "In Progress",
    }


async def test_an_issue_is_where_it_was_asked_for(issue: ContextItem) -> None:
    """The reference does not change with the title, as Linear's own URLs do."""
    assert issue.ref == ISSUE


async def test_a_description_is_markdown_already(issue: ContextItem) -> None:
    """The description comes as it was written."""
    assert issue.content.startswith("Once a **day**.\n\n")


async def test_attachments_are_links_for_other_sources(issue: ContextItem) -> None:
    """What an issue points at stands in its text, where its own source recognises it."""
    assert issue.content.endswith("- PR 847: https://github.com/acme/api/pull/847")


async def test_comments_come_oldest_first(issue: ContextItem) -> None:
    """The discussion reads in its order, whatever Linear's."""
    assert [(comment.author, comment.content) for comment in issue.thread] == [
        ("Ann", "How often?"),
        ("Ben", "One hour is enough."),
    ]


async def test_a_comment_has_a_link_of_its_own(issue: ContextItem) -> None:
    """A citation leads to the comment, not to the top of the issue."""
    url = "https://linear.app/northwind/issue/TB-2/rotate-keys#comment-c1"

    assert ItemRef("linear", "comment", "TB-2/c1", url) == issue.thread[0].ref


async def test_parent_and_children_are_links(issue: ContextItem) -> None:
    """The issues above and below are named, to be read next."""
    assert [link.id for link in issue.links] == ["TB-1", "OPS-3"]


async def test_an_unknown_issue_is_not_found(linear: Scene) -> None:
    """Linear answers 200 with an error; that is no broken vendor."""
    with pytest.raises(ItemNotFound, match="Entity not found"):
        await linear.detail(ItemRef("linear", "ticket", "TB-999"))
