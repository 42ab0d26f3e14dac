"""Attached files: their text when asked for by name, and why there is none."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from rove_core import ItemNotFound, ItemRef
from rove_jira.source import JiraSource
from rove_sim.company_jira import File, Ticket
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

TICKET = ItemRef(account="jira:work", kind="ticket", id="TB-1")
AT = datetime(2024, 12, 3, 9, tzinfo=UTC)


async def test_a_text_file_is_read_by_its_name(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """Its text is shown as code, so that no character of it is taken for Markdown."""
    add("TB-1", attachments=(File(name="auth *7*.log", text="a<b\n```\n", author="robin", at=AT),))

    item = await source.rove_item_detail(TICKET.file("auth *7*.log"))

    assert (item.role, item.title, item.author, item.timestamp, item.facts.on) == (
        "file",
        "auth *7*.log",
        "Robin Doe",
        AT,
        "TB-1",
    )
    assert item.content == "````\na<b\n```\n````"


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        (File(name="a.png", size=84_213), "image/png, 84,213 bytes: no text"),
        (File(name="b.pdf", text="%PDF\0"), "application/pdf, 5 bytes: no text"),
        (
            File(name="c.log", type="text/plain", size=2_000_000),
            "text/plain, 2,000,000 bytes: not read, only files up to 1,000,000 bytes are",
        ),
    ],
)
async def test_a_file_without_text_says_what_it_is(
    add: Callable[..., Ticket], source: JiraSource, site: Jira, file: File, shown: str
) -> None:
    """Images and large files are not even downloaded."""
    add("TB-1", attachments=(file,))

    item = await source.rove_item_detail(TICKET.file(file.name))

    asked = [each for each in site.exchanges if "/content/" in each.request.path]
    assert item.content == shown
    assert len(asked) == (file.name == "b.pdf")


async def test_a_file_that_is_not_there(add: Callable[..., Ticket], source: JiraSource) -> None:
    """It is not found, and the message names it."""
    add("TB-1", attachments=(File(name="a.log", text="x"),))

    with pytest.raises(ItemNotFound, match=r"TB-1/file/b\.log"):
        await source.rove_item_detail(TICKET.file("b.log"))
