"""Searching: by words, labels and keys, over all pages."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from rove_core import ItemRef, ItemStatus, MalformedReply, Query
from rove_core.http import Caps
from rove_core.testing import FaultProxy, VirtualClock
from rove_core.testing.faults import SeenRequest, ServerReply
from rove_jira.settings import JiraSettings
from rove_jira.source import JiraSource
from rove_sim import Conduct
from rove_sim.company_jira import File, Ticket, TicketComment, TicketLink
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

AT = datetime(2024, 12, 2, 9, tzinfo=UTC)


async def found(source: JiraSource, text: str, *fields: str, limit: int = 10_000) -> list[str]:
    """Return the ids of what is found."""
    query = Query(account="jira:work", text=text, fields=fields, limit=limit)
    return [item.ref.id async for item in source.rove_search(query)]


@pytest.fixture
def several(add: Callable[..., Ticket]) -> None:
    """Add tickets that say the same word in different places."""
    add("TB-1", title="Login is slow", updated=AT)
    add("TB-2", description="The login of *partners*", updated=AT + timedelta(days=1))
    comment = TicketComment(author="mike", at=AT + timedelta(days=2), text="Who changed the login?")
    add("TB-3", comments=(comment,), links=(TicketLink(to="TB-1"),))
    add("TB-4", labels=("login", "urgent"), updated=AT + timedelta(days=3), parent="TB-2")


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize(
    ("fields", "keys"),
    [
        ((), ["TB-4", "TB-3", "TB-2", "TB-1"]),
        (("ticket_title",), ["TB-1"]),
        (("ticket_description",), ["TB-2"]),
        (("comments",), ["TB-3"]),
        (("labels",), ["TB-4"]),
        (("ticket_title", "comments"), ["TB-3", "TB-1"]),
        (("ticket_id",), []),
        (("related_tickets",), []),
    ],
)
async def test_words_are_looked_for_in_the_fields_that_are_named(
    source: JiraSource, fields: tuple[str, ...], keys: list[str]
) -> None:
    """Without any they are looked for everywhere; the newest change comes first."""
    assert await found(source, "login", *fields) == keys


@pytest.mark.usefixtures("several")
async def test_all_words_must_occur(source: JiraSource) -> None:
    """Each may stand in another place; words that say nothing do not count."""
    assert await found(source, "is urgent login") == ["TB-4"]
    assert await found(source, "the login is slow") == ["TB-1"]
    assert await found(source, "login nowhere") == []


@pytest.mark.usefixtures("several")
async def test_a_key_finds_the_ticket_and_what_it_is_related_to(source: JiraSource) -> None:
    """The ticket itself comes first."""
    assert await found(source, "TB-1") == ["TB-1", "TB-3"]
    assert await found(source, "tb-2", "ticket_id") == ["TB-2"]
    assert await found(source, "TB-2", "related_tickets") == ["TB-4"]


@pytest.mark.usefixtures("several")
async def test_what_has_changed_around_a_key_takes_one_search(
    site: Jira, source: JiraSource
) -> None:
    """One search finds what is below the ticket, linked to it, or names it."""
    query = Query(account="jira:work", text="TB-1", since=AT + timedelta(days=1), limit=50)
    changed = [item.ref.id async for item in source.rove_search(query)]
    searches = [each for each in site.exchanges if each.request.path.endswith("/search/jql")]

    assert changed == ["TB-3"]
    assert len(searches) == 1


async def test_a_link_to_a_hidden_ticket_hides_no_change(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """JQL refuses a key that nobody sees: then each part is asked for by itself."""
    add("TB-1", links=(TicketLink(to="TB-2"),), updated=AT)
    add("TB-2", hidden=True)
    add("TB-3", parent="TB-1", updated=AT + timedelta(days=2))
    query = Query(account="jira:work", text="TB-1", since=AT, limit=50)

    assert {item.ref.id async for item in source.rove_search(query)} == {"TB-1", "TB-3"}


@pytest.mark.usefixtures("several")
async def test_an_unknown_key_is_no_error(source: JiraSource) -> None:
    """JQL would refuse all keys for one that is not there."""
    assert await found(source, "TB-999 TB-1", "ticket_id") == ["TB-1"]
    assert await found(source, "TB-999") == []


async def test_who_names_a_key_is_found_by_it(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """A key in somebody's text is a word to look for."""
    add("TB-1")
    add("TB-2", description="As in TB-1, but louder")

    assert await found(source, "TB-1") == ["TB-1", "TB-2"]


@pytest.mark.parametrize("text", ["", "   ", "+ - !", "\x00"])
async def test_no_words_find_nothing(site: Jira, source: JiraSource, text: str) -> None:
    """And nobody is asked."""
    assert await found(source, text) == []
    assert site.exchanges == []


@pytest.mark.parametrize(
    "text", ['"', "a\\", "login) OR project = TB", "AND", "not", "*x", "C++ <b>"]
)
async def test_any_words_can_be_looked_for(
    add: Callable[..., Ticket], source: JiraSource, text: str
) -> None:
    """Nothing in them is more than a word."""
    add("TB-1", title=f"zebra {text}")
    add("TB-2", title="zebra")

    assert "TB-1" in await found(source, f"zebra {text}")


@pytest.mark.parametrize("count", [0, 1, 2, 3, 500])
async def test_all_pages_are_read(
    add: Callable[..., Ticket], source: JiraSource, count: int
) -> None:
    """None, a part of a page, a page, one thing more, many: each ticket comes once."""
    for number in range(count):
        add(f"TB-{number}", title="page")

    keys = await found(source, "page")

    assert sorted(keys) == sorted(f"TB-{number}" for number in range(count))


async def test_five_thousand_tickets_are_read(
    site: Jira, add: Callable[..., Ticket], served: str, connect: Callable[..., JiraSource]
) -> None:
    """With pages as large as Jira's."""
    site.conduct = Conduct()
    for number in range(5_000):
        add(f"TB-{number}", title="page")

    keys = await found(connect(served, settings=JiraSettings(page_size=100)), "page")

    assert (len(keys), len({*keys}), len(site.exchanges)) == (5_000, 5_000, 50)


async def test_no_more_is_asked_for_than_is_wanted(
    site: Jira, add: Callable[..., Ticket], source: JiraSource
) -> None:
    """The page that has the last wanted ticket is the last one."""
    for number in range(10):
        add(f"TB-{number}", title="page")

    assert len(await found(source, "page", limit=3)) == 3
    assert len(site.exchanges) == 2


async def test_a_token_that_expires_begins_the_search_anew(
    add: Callable[..., Ticket], clock: VirtualClock, source: JiraSource
) -> None:
    """What was given already is not given again, and nothing is missing."""
    keys = []
    for number in range(7):
        add(f"TB-{number}", title="page", updated=AT)
    async for item in source.rove_search(Query(account="jira:work", text="page")):
        keys.append(item.ref.id)
        if len(keys) == 3:
            clock.advance(timedelta(days=8).total_seconds())

    assert sorted(keys) == [f"TB-{number}" for number in range(7)]


async def test_a_token_that_leads_back_is_said(connect: Callable[..., JiraSource]) -> None:
    """What came before it is kept; the search ends."""

    def repeat(_: SeenRequest) -> ServerReply:
        issue = {"key": "TB-1", "fields": {"summary": "x", "updated": AT.isoformat()}}
        return ServerReply(body=json.dumps({"issues": [issue], "nextPageToken": "again"}).encode())

    async with FaultProxy(repeat) as proxy:
        search = connect(proxy.url).rove_search(Query(account="jira", text="x"))
        first = await anext(search)
        with pytest.raises(MalformedReply, match="cursor loops"):
            await anext(search)

    assert first.ref.id == "TB-1"
    assert len(proxy.requests) == 2


async def test_an_old_page_may_say_only_that_it_is_the_last(
    connect: Callable[..., JiraSource],
) -> None:
    """Then a token that it has leads nowhere."""
    page = {"issues": [{"key": "TB-1", "fields": {}}], "nextPageToken": "x", "isLast": True}
    async with FaultProxy(ServerReply(body=json.dumps(page).encode())) as proxy:
        assert await found(connect(proxy.url), "x") == ["TB-1"]


async def test_a_hit_has_its_facts(add: Callable[..., Ticket], source: JiraSource) -> None:
    """Fields are named in each search: without them Jira sends numbers alone."""
    add("TB-1", title="Login", description="Slow", status="Done", labels=("web",), updated=AT)
    (item,) = [item async for item in source.rove_search(Query(account="j", text="login"))]

    assert item.ref == ItemRef(
        account="jira:work",
        kind="ticket",
        id="TB-1",
        url="https://northwind.atlassian.net/browse/TB-1",
    )
    assert (item.title, item.content, item.author) == ("Login", "Slow", "Mike Torres")
    assert (item.timestamp, item.facts.labels) == (AT, ("web",))
    assert item.facts.status == ItemStatus(name="Done", category="done")


async def test_a_hit_by_its_key_has_the_same_facts(
    add: Callable[..., Ticket], source: JiraSource
) -> None:
    """Also those that Jira sends only to who names them."""
    add("TB-1", title="Login", attachments=(File(name="a.png", size=3),))
    by_words, by_key = [
        [item async for item in source.rove_search(Query(account="j", text=text))]
        for text in ("login", "TB-1")
    ]

    assert by_words == by_key
    assert by_key[0].facts.attachments == ("a.png",)


async def test_forty_tickets_keep_jiras_limits(
    site: Jira, add: Callable[..., Ticket], served: str, connect: Callable[..., JiraSource]
) -> None:
    """No reply says that it was too much, though each ticket is read in full."""
    site.conduct = Conduct(page_size=2, limits=True)
    for number in range(40):
        add(f"TB-{number}", title="limit")
    source = connect(served, caps=Caps(rate_limit=100))

    keys = await found(source, "limit")
    for key in keys:
        await source.rove_item_detail(ItemRef(account="jira:work", kind="ticket", id=key))

    assert len(keys) == 40
    assert {each.response.status for each in site.exchanges} == {200}


async def test_everything_arrives_though_a_tenth_is_refused(
    site: Jira, add: Callable[..., Ticket], source: JiraSource
) -> None:
    """A reply that asks to wait costs time, on the clock, and no ticket."""
    site.conduct = Conduct(page_size=2, failing=0.1)
    for number in range(40):
        add(f"TB-{number}", title="limit")

    keys = await found(source, "limit")

    assert len({*keys}) == len(keys) == 40
    assert 429 in {each.response.status for each in site.exchanges}


async def test_a_ticket_that_changed_between_two_searches_is_read_anew(
    source: JiraSource, add: Callable[..., Ticket]
) -> None:
    """What a search found before is used again only if Jira sends exactly the same."""
    query = Query(account="jira:work", text="login")
    add("TB-1", title="Login is slow", description="Since Monday.")
    first = [item async for item in source.rove_search(query)]
    add("TB-1", title="Login is slow", description="Since Friday.")
    second = [item async for item in source.rove_search(query)]

    assert [each.content for each in (*first, *second)] == ["Since Monday.", "Since Friday."]
