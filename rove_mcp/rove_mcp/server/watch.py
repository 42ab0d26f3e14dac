"""Notify subscribers of changed documents, in both versions of the protocol."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from rove_core import RoveError
from rove_mcp.server.documents import Documents

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext
    from mcp.server.session import ServerSession
    from mcp_types import SubscriptionsListenRequestParams, SubscriptionsListenResult

    from rove_core import Clock

#: Seconds between two looks at the documents while somebody is subscribed.
_PAUSE: Final = 2.0


@define(eq=False)
class DocumentWatch:
    """Looks at the list of documents as long as there are subscribers.

    Attributes:
        documents: Reads the list.
        clock: Waits between two looks.
        is_looking: Whether it has seen the documents and compares them from now on.
        bus: Carries the changes to subscribers.
    """

    documents: Documents
    clock: "Clock"
    is_looking: bool = field(default=False, init=False)
    bus: InMemorySubscriptionBus = field(factory=InMemorySubscriptionBus, init=False)
    _sessions: "dict[str, set[ServerSession]]" = field(factory=dict, init=False)
    _looking: "asyncio.Task[None] | None" = field(default=None, init=False)
    _listeners: int = field(default=0, init=False)
    _listen: ListenHandler = field(init=False)

    @_listen.default
    def _on_bus(self) -> ListenHandler:
        return ListenHandler(self.bus)

    async def listen(
        self, ctx: "ServerRequestContext[Any]", params: "SubscriptionsListenRequestParams"
    ) -> "SubscriptionsListenResult":
        """Answer ``subscriptions/listen`` until its caller leaves."""
        self._listeners += 1
        self._look_on()
        try:
            return await self._listen(ctx, params)
        finally:
            self._listeners -= 1

    def subscribe(self, session: "ServerSession", uri: str) -> None:
        """Subscribe a session to changes of a document."""
        self._sessions.setdefault(uri, set()).add(session)
        self._look_on()

    def unsubscribe(self, session: "ServerSession", uri: str) -> None:
        """Unsubscribe a session."""
        self._sessions.get(uri, set()).discard(session)

    async def aclose(self) -> None:
        """Stop looking."""
        self._listen.close()
        if self._looking:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    @property
    def _has_subscribers(self) -> bool:
        return self._listeners > 0 or any(self._sessions.values())

    def _look_on(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._check_documents())

    async def _check_documents(self) -> None:
        before = await self._current_state()
        self.is_looking = True
        while self._has_subscribers:
            await self.clock.sleep(_PAUSE)
            now = await self._current_state()
            for uri in now.keys() | before.keys():
                if now.get(uri) != before.get(uri):
                    await self._notify(uri)
            if now.keys() != before.keys():
                await self.bus.publish(ResourcesListChanged())
            before = now
        self.is_looking = False

    async def _current_state(self) -> Mapping[str, str]:
        with suppress(RoveError):
            return {each.uri: each.updated for each in await self.documents.listed()}
        return {}

    async def _notify(self, uri: str) -> None:
        await self.bus.publish(ResourceUpdated(uri=uri))
        for session in tuple(self._sessions.get(uri, ())):
            try:
                await session.send_resource_updated(uri)
            except Exception:  # noqa: BLE001  # whoever has left is told no more
                self.unsubscribe(session, uri)
