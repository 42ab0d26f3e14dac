"""A server that means harm, or has gone mad: each value of its answers bent in each way."""

import json
import resource
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from tests.mcp.rogue import Rogue, text_answer
from tests.mcp.servers import SETTINGS, row, serving
from tests.vendors.malice import MEGABYTES, MODES, Bend, check_outcome

from rove_core import Account, ContextItem, Http, ItemRef, Query
from rove_core.http import Caps
from rove_mcp.settings import McpSettings
from rove_mcp.source.source import McpSource

pytestmark = pytest.mark.anyio

#: What is bent: the whole message, what the protocol carries, or the page that a tool answers with.
PLACES = ("message", "result", "page")


class Malicious(Rogue):
    """A wiki whose answers are bent."""

    def __init__(self) -> None:
        super().__init__(tools_call=self._called)
        self.bend: Bend = lambda value: value
        self.place = ""

    def _called(self, message: Mapping[str, Any]) -> dict[str, object]:
        page: Any = row("P-1")
        if message["params"]["name"] == "search":
            page = {"results": [row("P-1"), row("P-2")]}
        return text_answer(json.dumps(self.bend(page) if self.place == "page" else page))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  # ASGI
        """Answer a request as a server of a wiki does, then bend it."""

        async def bent(event: dict[str, Any]) -> None:
            if "body" in event and self.place in {"message", "result"}:
                event["body"] = self._bent(event["body"])
            await send(event)

        await super().__call__(scope, receive, bent)

    def _bent(self, body: bytes) -> bytes:
        said = json.loads(body)
        if self.place == "message":
            return json.dumps(self.bend(said)).encode()
        return json.dumps({**said, "result": self.bend(said["result"])}).encode()


async def _found(source: McpSource) -> list[ContextItem]:
    query = Query(account="mcp:wiki", text="tokens")
    return [item async for item in source.rove_search(query)]


@pytest.mark.parametrize("place", PLACES)
async def test_what_a_malicious_server_sends(place: str) -> None:
    """It is an item that fits and is harmless, or an error in clear words, in bounded time."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    server = Malicious()
    page = ItemRef(account="mcp:wiki", kind="item", id="P-1")
    async with serving(server) as url:
        record = Account(
            name="mcp:wiki",
            kind="mcp",
            settings=McpSettings(page=str(SETTINGS["page"]), hosts=("wiki.example",)),
            base_url=url,
        )
        server.place = place
        for bend in (server.bend, *MODES.values()):
            server.bend = bend
            http = Http(account="mcp:wiki", base_url=url, caps=Caps(deadline=10.0, attempts=1))
            source = McpSource(record, http)
            await check_outcome("mcp:wiki", partial(_found, source), hosts=("wiki.example",))
            await check_outcome(
                "mcp:wiki", partial(source.rove_item_detail, page), hosts=("wiki.example",)
            )
            await http.aclose()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    assert {"search", "fetch"} <= {*server.calls()}
    assert (after - before) / 1024 < MEGABYTES
