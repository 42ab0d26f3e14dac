"""Pages of the site's Confluence: found by their addresses, read with the same login."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from rove_core import ItemNotFound, ItemRef
from rove_jira.settings import JiraSettings
from rove_sim.company_jira import WikiPage

if TYPE_CHECKING:
    from tests.jira.conftest import Connect

    from rove_jira.source import JiraSource
    from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

AT = datetime(2024, 12, 3, 9, tzinfo=UTC)
PAGE = WikiPage(
    id="2201", title="Kick-off", text="We **decided**: `a<b>` stays.", author="mike", at=AT
)


@pytest.fixture
def reader(site: "Jira", served: str, connect: "Connect") -> "JiraSource":
    """Give a source that reads pages, of a site with one page."""
    site.pages[PAGE.id] = PAGE
    return connect(served, settings=JiraSettings(confluence=True))


async def test_a_page_is_read_by_its_address(reader: "JiraSource") -> None:
    """Its text is Markdown, with its author and the time of its last change."""
    said = "see https://northwind.atlassian.net/wiki/spaces/TB/pages/2201/Kick-off for more"
    (ref,) = reader.rove_recognise(said, None)

    item = await reader.rove_item_detail(ref)

    assert (item.role, item.title, item.author, item.timestamp) == (
        "page",
        "Kick-off",
        "Mike Torres",
        AT,
    )
    assert item.content == "We **decided**: `a<b>` stays."
    assert item.url.startswith("https://northwind.atlassian.net/wiki/")


async def test_a_token_with_scopes_opens_no_page(reader: "JiraSource", site: "Jira") -> None:
    """Atlassian makes it for one product; that is said, and asked once."""
    site.scoped = True
    page = ItemRef(account="jira:work", kind="page", id="page/2201")

    for _ in range(2):
        with pytest.raises(ItemNotFound):
            await reader.rove_item_detail(page)
    asked = [each for each in site.exchanges if each.request.path.startswith("/ex/confluence/")]
    assert len(asked) == 1


async def test_a_page_that_is_not_there(reader: "JiraSource") -> None:
    """It is not found, as a ticket is not."""
    with pytest.raises(ItemNotFound, match="page/7: not found"):
        await reader.rove_item_detail(ItemRef(account="jira:work", kind="page", id="page/7"))


@pytest.mark.parametrize(
    "said",
    [
        "https://elsewhere.atlassian.net/wiki/spaces/TB/pages/2201/Kick-off",
        "https://northwind.atlassian.net/wiki/spaces/TB/overview",
        "page/2201",
    ],
)
async def test_what_is_no_page_of_this_site(reader: "JiraSource", said: str) -> None:
    """Another site's page, a space, and a bare number are left alone."""
    assert not reader.rove_recognise(said, None)


async def test_pages_are_read_only_if_the_settings_say_so(source: "JiraSource") -> None:
    """A login for Jira alone is not tried on Confluence."""
    said = "https://northwind.atlassian.net/wiki/spaces/TB/pages/2201"

    assert not source.rove_recognise(said, None)
