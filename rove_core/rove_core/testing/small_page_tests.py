"""Standard tests of lists with a vendor that gives less at once than it was asked for."""

# ruff: noqa: S101  # assert is how pytest speaks

import re
from dataclasses import replace
from typing import Final

import pytest

from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import SeenRequest
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied

#: How vendors call the number of things that a page is to have.
_SIZE: Final = re.compile(
    r"(?<=[?&])((?:%24|\$)?(?:per_page|page_?size|pagelen|limit|max_?results|top|first|count|size)=)"
    r"\d+(?=&|$)",
    re.IGNORECASE,
)


class SmallPageTests(SourceUnderTest):
    """Tests of lists with a vendor that gives less at once than it was asked for."""

    @silver
    @proxied("rove_item_detail")
    async def test_discussion_reads_pages_of_any_size(
        self, scene: Scene, proxy: FaultProxy
    ) -> None:
        """An item is the same if each of its lists comes one by one, whatever was asked for."""
        whole = await scene.detail(self.ref(scene, self.known))
        count = len(proxy.requests)
        _give_one_at_once(scene, proxy)
        paged = await scene.detail(self.ref(scene, self.known))

        _check_is_asked_in_sizes(proxy.requests[count:])
        assert paged == whole

    @silver
    @proxied("rove_containers")
    async def test_containers_come_in_pages_of_any_size(
        self, scene: Scene, proxy: FaultProxy
    ) -> None:
        """The containers are the same if they come one by one, whatever was asked for."""
        whole = await scene.awaited("rove_containers")
        count = len(proxy.requests)
        _give_one_at_once(scene, proxy)
        paged = await scene.awaited("rove_containers")

        _check_is_asked_in_sizes(proxy.requests[count:])
        assert paged == whole

    @silver
    @proxied("rove_list")
    async def test_listing_reads_pages_of_any_size(self, scene: Scene, proxy: FaultProxy) -> None:
        """A listing brings the same items if they come one by one, whatever was asked for."""
        whole, _ = await scene.list_changes()
        count = len(proxy.requests)
        _give_one_at_once(scene, proxy)
        paged, _ = await scene.list_changes()

        _check_is_asked_in_sizes(proxy.requests[count:])
        assert [each.item for each in paged] == [each.item for each in whole]


def _give_one_at_once(scene: Scene, proxy: FaultProxy) -> None:
    proxy.rewrite(_smaller)
    scene.connect()


def _smaller(seen: SeenRequest) -> SeenRequest:
    """Return a request for one thing at once; what is no list is asked for as it is."""
    is_list = seen.method == "GET"
    return replace(seen, path=_SIZE.sub(r"\g<1>1", seen.path)) if is_list else seen


def _check_is_asked_in_sizes(requests: list[SeenRequest]) -> None:
    if not any(_smaller(each) != each for each in requests):
        pytest.skip("nothing here is asked for in pages with a size in their address")
