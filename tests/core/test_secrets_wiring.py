"""No secret that others left gets anywhere: not to plugins, documents, logs or what is kept."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import closing
from datetime import UTC, datetime
from typing import Final, TypeAlias

import pytest
from attrs import evolve

from rove_core import ContextItem, ItemRef, Query, Secret, SourceHooks, hookimpl
from rove_core.build.compose.outline import ConsultedSource, Outline, Statement
from rove_core.build.write.refresh import WriteOptions, refresh
from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.http import Http, MemoryCache
from rove_core.items import Link
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.project.layout import ProjectPaths
from rove_core.project.logs import start_logging
from rove_core.safety.sanitise import harmless
from rove_core.testing.faults import FaultProxy, ServerReply

MakeHttp: TypeAlias = Callable[..., Http]

TOKEN: Final = "xoxb-214365870912-2143658709123-hJ7kL2mN9pQ4rS6tU8vW1xY3"  # noqa: S105  # opens nothing
HOSTS: Final = ("acme.example",)
ITEM: Final = ContextItem(
    ref=ItemRef(account="good", kind="note", id="A-1", url="https://acme.example/A-1"),
    source="good",
    role="page",
    title=f"Title {TOKEN}",
    content=f"Content\u202e {TOKEN}",
    timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    author=f"Ann {TOKEN}",
    metadata={
        TOKEN: 1,
        "channel": f"c {TOKEN}",
        "labels": [f"l {TOKEN}", {"in": f"i {TOKEN}"}],
        "size": 3,
    },
    facts=Facts(
        channel=f"c {TOKEN}",
        labels=(f"l {TOKEN}",),
        status=ItemStatus(name=f"s {TOKEN}"),
        fields=(NamedValue(name=f"n {TOKEN}", value=f"v {TOKEN}"),),
        line=3,
    ),
    links=(
        Link(
            ref=ItemRef(account="good", kind="note", id="A-2", url="https://evil.example/A-2"),
            words=f"w {TOKEN}",
            title=f"t {TOKEN}",
            status=f"s {TOKEN}",
        ),
    ),
)
WHOLE: Final = evolve(ITEM, thread=(ITEM,))


class Leaking(SourceHooks):
    """Gives what somebody left a secret in."""

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # the hook's
        """Yield it."""
        yield WHOLE

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:  # noqa: ARG002  # the hook's
        """Return it."""
        return WHOLE


@pytest.fixture
def accounts() -> Accounts:
    """Give an account in which somebody left a secret."""
    accounts = Accounts(use_plugins([]).manager, key=b"k")
    accounts.connect("good", Leaking(), HOSTS)
    return accounts


def test_every_word_of_an_item() -> None:
    """Nothing secret or hidden is left anywhere, in facts, links and the thread either."""
    told = harmless(WHOLE, hosts=HOSTS, key=b"k")

    assert TOKEN not in repr(told)
    assert "\u202e" not in repr(told)
    assert told.content == told.thread[0].content
    assert told.metadata["size"] == 3
    assert told.facts.line == 3


def test_fields_that_are_called_passwords() -> None:
    """What the name of a field calls a password is one, though nothing in the value tells."""
    field = NamedValue(name="DB password", value="hunter2")
    item = evolve(ITEM, facts=Facts(fields=(field,)), metadata={"admin": {"Kennwort": "sommer25"}})

    told = harmless(item, hosts=HOSTS)

    assert "hunter2" not in told.facts.fields[0].value
    assert told.facts.fields[0].name == "DB password"
    assert "sommer25" not in str(told.metadata)


def test_what_has_nothing_to_hide() -> None:
    """Any other item is as it was."""
    plain = evolve(
        ITEM,
        title="a",
        content="# b\n\n<c>",
        author="d",
        metadata={"e": None},
        facts=Facts(),
        links=(),
    )

    assert harmless(plain, hosts=HOSTS) == plain


@pytest.mark.parametrize(
    ("url", "hosts", "told"),
    [
        ("https://acme.example/a?b=c#d", HOSTS, "https://acme.example/a?b=c#d"),
        (f"https://acme.example/a?token={TOKEN}", HOSTS, "https://acme.example/a"),
        ("https://acme.example/a (b)", HOSTS, "https://acme.example/a%20%28b%29"),
        ('https://acme.example/"x"\n[2]: https://evil.example', HOSTS, "%0A"),
        ("https://evil.example/a", HOSTS, ""),
        ("https://acme.example@evil.example/a", HOSTS, ""),
        ("https://acme.example.evil.example/a", HOSTS, ""),
        ("javascript:alert(1)", HOSTS, ""),
        ("file:///home/ann/notes/a.md", (), "file:///home/ann/notes/a.md"),
        ("file:///home/ann/notes/a.md", HOSTS, ""),
        ("https://acme.example/a", (), ""),
    ],
)
def test_addresses_of_items(url: str, hosts: tuple[str, ...], told: str) -> None:
    """An item lives on its account's hosts, an account's without hosts on this machine."""
    there = harmless(evolve(ITEM, ref=evolve(ITEM.ref, url=url)), hosts=hosts).url

    assert there == told or ("%0A" in told and told in there and "\n" not in there)


@pytest.mark.anyio
async def test_before_anybody_sees_it(accounts: Accounts) -> None:
    """What accounts give has been through it, in a search and in full."""
    query = Query(account="good", text="a")
    search: AsyncGenerator[ContextItem, None] = accounts.search(query)
    expected = harmless(WHOLE, hosts=HOSTS, key=b"k")

    assert [item async for item in search] == [expected]
    assert await accounts.item_detail(ITEM.ref) == expected
    assert accounts.hosts == {"acme.example"}


def test_in_a_document() -> None:
    """Code stays code, a title does not end its definition, own hosts can be followed."""
    item = evolve(
        ITEM,
        title='"Quoted" # [x]',
        content="see https://acme.example/1 and https://evil.example\n\n```\nx\n```",
        author="<b>Ann</b>",
        metadata={},
    )
    outline = Outline(
        ticket=item,
        facts=(Statement(part=item, whole=item, text=item.content),),
        consulted=(ConsultedSource(account="good"),),
    )
    text = refresh(outline, None, None, WriteOptions(now=item.timestamp, hosts=HOSTS)).text

    assert "> see https://acme.example/1 and hxxps://evil[.]example\n" in text
    assert "> ```\n> x\n> ```\n>\n> [1]\n" in text
    assert '[1]: https://acme.example/A-1 "good: ' in text
    assert "*&lt;b>Ann&lt;/b>, Jan 1, 2026*" in text


@pytest.mark.logs_a_login
def test_in_a_log(places: ProjectPaths) -> None:
    """A line tells what kind of secret it was, live or left by somebody."""
    live = Secret("CANARY-of-this-process")
    with closing(start_logging(places)):
        logging.getLogger("rove.test").warning("got %s with %s", TOKEN, live.reveal())
    line = (places.logs / "debug.log").read_text("utf-8")

    assert "got [secret:slack_token:" in line
    assert line.endswith("] with [secret]\n")


@pytest.mark.anyio
@pytest.mark.parametrize(("said", "asked"), [(TOKEN, None), ("nothing", '"v1"')])
async def test_in_what_is_kept(said: str, asked: str | None, client: MakeHttp) -> None:
    """A reply in which somebody left a secret is asked for anew each time."""
    headers = {"etag": '"v1"', "content-type": "application/json"}
    async with FaultProxy(ServerReply(headers=headers, body=f'["{said}"]'.encode())) as proxy:
        http = client(proxy.url, cache=MemoryCache())
        await http.get("thing")
        await http.get("thing")

    assert proxy.requests[1].headers.get("if-none-match") == asked
