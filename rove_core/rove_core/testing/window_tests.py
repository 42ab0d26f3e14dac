"""Standard tests of windows with a vendor that is less exact than it was asked to be."""

# ruff: noqa: S101  # assert is how pytest speaks

from typing import Final

from rove_core.testing.faults import Fault, FaultProxy
from rove_core.testing.http1 import SeenRequest, ServerReply, ask
from rove_core.testing.levels import gold
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied

#: What makes a reply unusable if it is repeated with the body as it was read.
_FRAMING: Final = frozenset({"content-length", "transfer-encoding", "connection"})


class WindowTests(SourceUnderTest):
    """Tests of what a source does with replies that ignore the window of a search."""

    @gold
    @proxied("rove_search")
    async def test_search_checks_the_window_itself(self, scene: Scene, proxy: FaultProxy) -> None:
        """What a vendor returns from outside the window, as many do who count in days, is left."""
        before = len(proxy.requests)
        found = await scene.find(self.query)
        seen = proxy.requests[before:]
        oldest, newest = (pick(item.timestamp for item in found) for pick in (min, max))
        for since, until in ((newest, None), (None, oldest)):
            scene.connect()
            replies = [await ask("127.0.0.1", proxy.port, each) for each in seen]
            for each, reply in zip(seen, replies, strict=True):
                _repeat(proxy, each, reply)
            inside = await scene.find(self.query, since=since, until=until)
            proxy.stop()

            assert {item.timestamp for item in inside} <= {since or until}


def _repeat(proxy: FaultProxy, seen: SeenRequest, reply: ServerReply) -> None:
    """Give a reply once more, to the next request of the same path."""
    headers = {name: text for name, text in reply.headers.items() if name not in _FRAMING}
    path = _path(seen)
    proxy.play(
        Fault(status=reply.status, headers=headers, body=reply.body),
        when=lambda other: _path(other) == path,
    )


def _path(seen: SeenRequest) -> tuple[str, str]:
    return seen.method, seen.path.partition("?")[0]
