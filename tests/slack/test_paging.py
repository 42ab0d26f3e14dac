"""However Slack divides what there is into pages: it is all there, each thing once."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import parse_qs

import pytest

from rove_core import ContextItem, ItemRef, MalformedReply, Query, RetryLater
from rove_core.testing import FaultProxy, Scene, VirtualClock
from rove_core.testing.faults import SeenRequest, ServerReply
from rove_sim import Conduct
from rove_sim.slack import Slack
from rove_slack.source import SlackSource

pytestmark = pytest.mark.anyio

Connect = Callable[..., SlackSource]
SEARCHES = ("", "feature_not_enabled")
COUNTS = (0, 1, 2, 3, 500)


def _write(workspace: Slack, count: int, *, thread: str = "") -> list[str]:
    return [
        workspace.post("backend-team", "robin", f"number {number} of kiwis", thread=thread)
        for number in range(count)
    ]


@pytest.mark.parametrize("why", SEARCHES)
@pytest.mark.parametrize("count", COUNTS)
async def test_all_that_is_found_arrives_once(
    slack: Scene, workspace: Slack, count: int, why: str
) -> None:
    """Nothing, one, one page of two, one more than a page, and 500 messages."""
    workspace.search_error = why
    if count == 500:  # As many pages as that are asked for by nobody; the vendor's own size is.
        workspace.conduct = Conduct(page_size=20)
    written = _write(workspace, count)

    found = [item.ref.id.partition("/")[2] for item in await slack.find("kiwis")]

    assert written[::-1] == found


@pytest.mark.parametrize("count", [*COUNTS, 5_000])
async def test_a_thread_arrives_whole(slack: Scene, workspace: Slack, count: int) -> None:
    """The root stands on every page, and only once in the thread."""
    if count == 5_000:  # As above.
        workspace.conduct = Conduct()
    root = workspace.post("backend-team", "sarah", "How many?")
    _write(workspace, count, thread=root)

    item = await slack.detail(ItemRef(account="slack", kind="thread", id=f"C0BACKEND/{root}"))

    expected = [f"number {number} of kiwis" for number in range(count)]
    assert ("How many?", expected) == (item.content, [part.content for part in item.thread])


async def test_a_search_stops_asking_when_it_has_enough(slack: Scene, workspace: Slack) -> None:
    """No page is asked for that nobody wants to read."""
    _write(workspace, 9)
    before = len(workspace.exchanges)

    assert len([item async for item in slack.search("kiwis", limit=2)]) == 2
    assert [
        exchange.request.path
        for exchange in workspace.exchanges[before:]
        if "search" in exchange.request.path
    ] == ["/api/assistant.search.context"]


def _pages(pages: Mapping[str, object]) -> Callable[[SeenRequest], ServerReply]:
    """Return what answers each cursor with its page, and any other question with nothing."""

    def answer(seen: SeenRequest) -> ServerReply:
        form = parse_qs(seen.body.decode())
        cursor = form.get("cursor", [""])[0]
        asked = any(name in seen.path for name in ("search", "replies"))
        page = pages[cursor] if asked else {"ok": True}
        if "replies" in seen.path and form["ts"][0] in FOUND:
            page = {"ok": True, "messages": [{"ts": form["ts"][0], "text": "kiwis"}]}
        return ServerReply(body=json.dumps(page).encode())

    return answer


def _page(ts: str, following: str) -> dict[str, object]:
    message = {"ts": ts, "message_ts": ts, "text": "kiwis", "content": "kiwis", "channel_id": "C1"}
    return {
        "ok": True,
        "messages": [message],
        "results": {"messages": [message]},
        "response_metadata": {"next_cursor": following},
    }


#: What a search finds whose pages lead back.
FOUND = ("2.000001", "2.000002", "2.000003")
FOUND_CIRCLE = {
    "": _page(FOUND[0], "a"),
    "a": _page(FOUND[1], "b"),
    "b": _page(FOUND[2], "a"),
}
CIRCLE = {"": _page("1.000001", "a"), "a": _page("1.000002", "b"), "b": _page("1.000003", "a")}


async def test_a_search_in_circles_is_broken_off(connect: Connect) -> None:
    """A cursor that comes back is an error; what came before it has been told by then."""
    found: list[ContextItem] = []

    async def search(source: SlackSource) -> None:
        async for item in source.rove_search(Query(account="slack", text="kiwis")):
            found.append(item)  # noqa: PERF401  # the error must not take what came

    async with FaultProxy(_pages(FOUND_CIRCLE)) as proxy:
        with pytest.raises(MalformedReply, match="cursor loops"):
            await search(connect(proxy.url))

    assert [item.ref.id for item in found] == [f"C1/{ts}" for ts in FOUND]


async def test_a_thread_in_circles_is_broken_off(connect: Connect) -> None:
    """A thread that never ends is no thread."""
    async with FaultProxy(_pages(CIRCLE)) as proxy:
        with pytest.raises(MalformedReply, match="cursor loops"):
            await connect(proxy.url).rove_item_detail(
                ItemRef(account="slack", kind="thread", id="C1/1.000001")
            )


async def test_a_cursor_that_expired_can_be_asked_for_anew(connect: Connect) -> None:
    """It is nobody's mistake: the same search may work later."""
    pages = {"": _page("1.000001", "a"), "a": {"ok": False, "error": "invalid_cursor"}}
    async with FaultProxy(_pages(pages)) as proxy:
        source = connect(proxy.url, clock=VirtualClock())
        with pytest.raises(RetryLater, match="invalid_cursor"):
            [item async for item in source.rove_search(Query(account="slack", text="kiwis"))]


async def test_more_without_a_way_there_is_said(connect: Connect) -> None:
    """When Slack says that there is more and not where, the thread says so too."""
    page = {**_page("1.000001", ""), "has_more": True}
    async with FaultProxy(_pages({"": page})) as proxy:
        item = await connect(proxy.url).rove_item_detail(
            ItemRef(account="slack", kind="thread", id="C1/1.000001")
        )

    assert "more" in item.facts.incomplete[0]


async def test_an_app_that_gets_little_is_told_why(
    workspace: Slack, slack: Scene, connect: Connect
) -> None:
    """Fifteen messages a minute are for apps that are sold without being listed."""
    del slack
    workspace.restricted = True
    root = workspace.post("backend-team", "sarah", "How many?")
    _write(workspace, 40, thread=root)
    workspace.conduct = Conduct(limits=True)
    ref = ItemRef(account="slack", kind="thread", id=f"C0BACKEND/{root}")
    clock = VirtualClock()
    async with FaultProxy(_through(workspace)) as proxy:
        source = connect(proxy.url, clock=clock)
        item = await source.rove_item_detail(ref)
        with pytest.raises(RetryLater) as caught:
            await source.rove_item_detail(ref)

    assert len(item.thread) == 14
    assert "15 messages a minute" in item.facts.incomplete[0]
    assert "manifest" in caught.value.hint


def _through(workspace: Slack) -> Callable[[SeenRequest], ServerReply]:
    from rove_sim.server import Request  # noqa: PLC0415  # only here

    def answer(seen: SeenRequest) -> ServerReply:
        response = workspace(Request(seen.method, seen.path, {}, seen.headers, seen.body))
        headers = {"content-type": "application/json", **response.headers}
        return ServerReply(status=response.status, headers=headers, body=response.body())

    return answer
