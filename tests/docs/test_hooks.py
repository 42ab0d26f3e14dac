import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest
from docs_src.filter_items import rove_discreet
from docs_src.hooks import rove_board, rove_dictionary, rove_forge, rove_glossary, rove_tasks

import rove_jira
from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    Credential,
    Facts,
    Http,
    HttpRequest,
    HttpResponse,
    ItemRef,
    ListScope,
    LoginRefused,
    NewAttachment,
    NewComment,
    NewWorkItem,
    Secret,
    WorkItemChange,
    open_project,
)
from rove_core.auth.credentials import MemoryStore
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.http.server.door import answer
from rove_core.operations import Operations
from rove_core.testing import FaultProxy
from rove_core.testing.faults import ServerReply
from rove_jira.settings import JiraSettings
from rove_sim import World, running, sample_company

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_OLD = Credential(
    headers={"Authorization": Secret("Bearer old")},
    hosts=("vendor.example",),
    refresh=Secret("first"),
    extra={"client_id": Secret("app")},
)


def test_a_section_is_in_the_document(tmp_path: Path) -> None:
    """What rove_sections gives stands under its heading in the document."""

    async def document() -> str:
        async with (
            running(sample_company()) as world,
            open_project(
                tmp_path,
                accounts=(),
                plugins=[rove_jira, rove_glossary],
                credentials=MemoryStore(),
            ) as rove,
        ):
            await rove.log_in(_jira(world), partial(PreparedLogin, "token", _answers(world)))
            return (await rove.build("TB-123")).document.path.read_text("utf-8")

    assert "## Abbreviations\n\n- JWT: JSON Web Token" in asyncio.run(document())


def test_a_route_answers_in_its_own_form(tmp_path: Path) -> None:
    """What rove_routes gives answers its path, with what stands in the query."""

    async def asked() -> HttpResponse:
        async with open_project(
            tmp_path, accounts=(), plugins=[rove_dictionary], credentials=MemoryStore()
        ) as rove:
            routes = [route for plugin in rove.plugins.working for route in plugin.routes]
            request = HttpRequest("GET", "/dictionary", query="word=JWT")
            return await answer(request, Operations(), rove, routes)

    assert asyncio.run(asked()).body == b"JSON Web Token"


def test_a_private_channel_is_left_out() -> None:
    """What was said in a channel that the filter knows as private is dropped."""
    thread = ItemRef(account="slack", kind="thread", id="C1/1")
    item = ContextItem(
        ref=thread,
        source="slack",
        role="talk",
        title="Pay",
        content="...",
        timestamp=_NOW,
        facts=Facts(channel="hr-team"),
    )

    assert rove_discreet.rove_filter_item(item) is None


def test_a_rotated_refresh_token_is_used_next() -> None:
    """The second renewal sends the refresh token that the first one brought."""
    answer = ServerReply(
        body=b'{"access_token": "new", "refresh_token": "second", "expires_in": 3600}'
    )

    async def renewed_twice() -> tuple[Credential, bytes]:
        async with FaultProxy(answer) as vendor, _source(vendor) as source:
            once = await source.rove_refresh(_OLD)
            return await source.rove_refresh(once), vendor.requests[-1].body

    credential, sent = asyncio.run(renewed_twice())

    assert credential.headers["Authorization"].reveal() == "Bearer new"
    assert b"refresh_token=second" in sent


def test_a_refused_refresh_token_asks_for_a_login() -> None:
    """``invalid_grant`` becomes LoginRefused, so that Rove says to log in again."""
    answer = ServerReply(status=400, body=b'{"error": "invalid_grant"}')

    async def refused() -> None:
        async with FaultProxy(answer) as vendor, _source(vendor) as source:
            await source.rove_refresh(_OLD)

    with pytest.raises(LoginRefused, match="expired or revoked"):
        asyncio.run(refused())


def test_disconnecting_tells_the_vendor() -> None:
    """rove_disconnect asks the vendor to revoke the login."""

    async def asked() -> list[str]:
        async with FaultProxy() as vendor, _source(vendor) as source:
            await source.rove_disconnect()
            return [seen.path for seen in vendor.requests]

    assert asyncio.run(asked()) == ["/oauth/revoke"]


def test_cards_that_changed_are_listed() -> None:
    """Over both pages, and the next time with the time of the newest one."""
    card = '{{"id": "{0}", "board": "B", "text": "Card {0}", "changed": "2026-01-0{0}T09:00:00Z"}}'
    pages = [
        f'{{"cards": [{card.format(2)}], "next": "two"}}',
        f'{{"cards": [{card.format(1)}]}}',
        '{"cards": []}',
    ]
    replies = iter(pages)

    async def play() -> tuple[list[str], list[str]]:
        async with FaultProxy(lambda _: ServerReply(body=next(replies).encode())) as vendor:
            account = Account(
                name="board", kind="board", settings=CommonSettings(), base_url=vendor.url
            )
            async with aclosing(Http(account="board", base_url=vendor.url)) as http:
                source = rove_board.BoardSource(account, http)
                scope = ListScope(account="board")
                told = [change async for change in source.rove_list(scope)]
                again = ListScope(account="board", cursor=told[-1].cursor)
                told += [change async for change in source.rove_list(again)]
            asked = [unquote(seen.path) for seen in vendor.requests]
            return [change.item.ref.id for change in told if change.item], asked

    listed, asked = asyncio.run(play())

    assert listed == ["2", "1"]
    assert "since=2026-01-02T08:50:00+00:00" in asked[-1]


def test_boards_that_are_left_and_recent_cards_are_requested_by_name() -> None:
    """Each with one request, for the chosen boards alone."""
    card = '{"id": "1", "board": "B", "text": "Card", "changed": "2026-01-01T09:00:00Z"}'
    replies = iter(
        ['{"boards": [{"id": "B", "name": "Board"}]}', f'{{"cards": [{card}]}}'],
    )

    async def play() -> tuple[list[str], list[str], list[str]]:
        async with FaultProxy(lambda _: ServerReply(body=next(replies).encode())) as vendor:
            account = Account(
                name="board", kind="board", settings=CommonSettings(), base_url=vendor.url
            )
            async with aclosing(Http(account="board", base_url=vendor.url)) as http:
                source = rove_board.BoardSource(account, http)
                left = [each.name for each in await source.rove_readable(["B", "C"])]
                scope = ListScope(
                    account="board", containers=("B",), since=datetime(2026, 1, 1, tzinfo=UTC)
                )
                recent = [change.container async for change in source.rove_list_recent(scope)]
            return left, recent, [unquote(seen.path) for seen in vendor.requests]

    left, recent, asked = asyncio.run(play())

    assert (left, recent) == (["B"], ["B"])
    assert asked[0].endswith("/boards?ids=B,C")
    assert "boards=B&" in asked[1]
    assert "since=2026-01-01T00:00:00+00:00" in asked[1]


_TASK = ItemRef(account="tasks", kind="task", id="T1")


@pytest.mark.parametrize(
    ("hook", "arguments", "sent"),
    [
        (
            "rove_change_work_item",
            (_TASK, WorkItemChange(title="New", clear=("labels",), if_revision="v1")),
            b'{"name": "New", "tags": []}',
        ),
        (
            "rove_add_comment",
            (_TASK, NewComment(content="Done", key="comment-1")),
            b'{"text": "Done"}',
        ),
        (
            "rove_create_work_item",
            (NewWorkItem(container="P", title="Task", key="creation-1"),),
            b'{"project": "P", "name": "Task", "notes": ""}',
        ),
        (
            "rove_add_attachment",
            (_TASK, NewAttachment(name="proof.txt", content=b"proof", key="proof-01")),
            b"\r\n\r\nproof\r\n--",
        ),
    ],
)
def test_work_is_sent_as_the_vendor_has_it(
    hook: str, arguments: tuple[object, ...], sent: bytes
) -> None:
    """The given fields alone, by the vendor's names."""
    task = {"id": "T1", "name": "New", "status": "Open", "version": "v2"}
    task |= dict.fromkeys(("created", "changed"), "2026-01-01T00:00:00Z")

    async def play() -> bytes:
        async with FaultProxy(ServerReply(body=json.dumps(task).encode())) as vendor:
            account = Account(
                name="tasks", kind="tasks", settings=CommonSettings(), base_url=vendor.url
            )
            async with aclosing(Http(account="tasks", base_url=vendor.url)) as http:
                await getattr(rove_tasks.TaskSource(account, http), hook)(*arguments)
            return vendor.requests[-1].body

    assert sent in asyncio.run(play())


@asynccontextmanager
async def _source(vendor: FaultProxy) -> AsyncIterator[rove_forge.ForgeSource]:
    settings = rove_forge.ForgeSettings(client_id="app")
    account = Account(name="forge", kind="forge", settings=settings, base_url=vendor.url)
    async with aclosing(Http(account="forge", base_url=vendor.url)) as http:
        yield rove_forge.ForgeSource(account, http)


def _jira(world: World) -> Account[JiraSettings]:
    settings = JiraSettings()
    return Account(name="jira", kind="jira", settings=settings, base_url=world.urls["jira"])


def _answers(world: World) -> dict[str, Secret]:
    return {name: Secret(answer) for name, answer in world.answers.items()}
