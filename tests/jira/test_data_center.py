"""Jira Data Center: its API, its markup, its tokens."""

from typing import TYPE_CHECKING

import attrs
import pytest

from rove_core import (
    Account,
    Credential,
    Http,
    Identity,
    ItemRef,
    LoginRefused,
    Query,
    Reply,
    ScopeMissing,
    Secret,
)
from rove_jira.errors import fault
from rove_jira.settings import DATA_CENTER, JiraSettings
from rove_jira.source import JiraSource
from rove_sim import sample_company
from rove_sim.jira import JiraDataCenter
from rove_sim.server import serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from rove_core import ContextItem


@pytest.fixture
def jira() -> JiraDataCenter:
    """Give the company's own Jira."""
    return JiraDataCenter(sample_company())


@pytest.fixture
async def connect(jira: JiraDataCenter) -> "AsyncIterator[Callable[..., JiraSource]]":
    """Give what connects to it with a token, known already or not."""
    async with serve(jira) as url:
        opened: list[Http] = []

        def connected(*, token: str = jira.company.token, known: bool = True) -> JiraSource:
            host = url.partition("://")[2]
            header = {"Authorization": Secret(f"Bearer {token}")}
            credential = Credential(headers=header, hosts=(host,))

            async def give() -> Credential:
                return credential

            who = Identity(name="Robin Doe", prefixes=("TB",), workspace=DATA_CENTER)
            account = Account(
                name="jira",
                kind="jira",
                settings=JiraSettings(),
                base_url=url,
                identity=who if known else None,
            )
            http = Http(account="jira", base_url=url, credential=give)
            opened.append(http)
            return JiraSource(account, http)

        yield connected
        for http in opened:
            await http.aclose()


@pytest.mark.anyio
async def test_it_is_known_by_what_it_answers(connect: "Callable[..., JiraSource]") -> None:
    """Nobody has to say what kind of Jira it is."""
    identity = await connect(known=False).rove_identity()

    assert (identity.name, identity.workspace) == ("Robin Doe", DATA_CENTER)
    assert "TB" in identity.prefixes


@pytest.mark.anyio
async def test_a_ticket_is_read_with_all_that_hangs_on_it(
    connect: "Callable[..., JiraSource]", jira: JiraDataCenter
) -> None:
    """Its markup is Markdown, its comments have authors, and its history is told."""
    item = await connect().rove_item_detail(ItemRef(account="jira", kind="ticket", id="TB-123"))
    kinds = {part.item_type for part in item.thread}

    assert (item.title, kinds) == ("User Authentication Flow", {"comment", "change"})
    assert not any(sign in _said(item) for sign in ("h2.", "{code", "{{", "[~"))
    assert "Decided to use python-jose for JWT handling" in _said(item)
    assert {each.request.path.split("/")[3] for each in jira.exchanges} == {"2"}


@pytest.mark.anyio
async def test_an_attached_file_is_read(connect: "Callable[..., JiraSource]") -> None:
    """Its address has its name."""
    ticket = ItemRef(account="jira", kind="ticket", id="TB-461")
    item = await connect().rove_item_detail(ticket.file("auth-7c9d.log"))

    assert "no key with this id" in item.content


@pytest.mark.anyio
async def test_a_search_goes_over_all_its_pages(connect: "Callable[..., JiraSource]") -> None:
    """They are numbered there."""
    query = Query(account="jira", text="authentication", limit=500)
    found = [item.ref.id async for item in connect().rove_search(query)]

    assert "TB-123" in found
    assert len(found) == len({*found})


@pytest.mark.anyio
async def test_a_refused_token_says_where_to_make_another(
    connect: "Callable[..., JiraSource]",
) -> None:
    """It is not at Atlassian."""
    with pytest.raises(LoginRefused) as caught:
        await connect(token="old").rove_identity()  # noqa: S106  # it opens nothing

    assert "Personal Access Tokens" in caught.value.hint


def test_a_missing_permission_asks_for_no_token_of_atlassian() -> None:
    """Scopes are of Atlassian's tokens; on one's own server only an administrator can help."""
    identity = Identity(name="Robin Doe", workspace=DATA_CENTER)
    account = Account(
        name="jira", kind="jira", base_url="https://jira.example", settings=JiraSettings()
    )
    error = fault(attrs.evolve(account, identity=identity), Reply(403, "x", {}, b""))

    assert isinstance(error, ScopeMissing)
    assert "atlassian" not in error.hint
    assert "Ask an administrator" in error.hint


def _said(item: "ContextItem") -> str:
    return "\n".join([item.content, *(part.content for part in item.thread)])
