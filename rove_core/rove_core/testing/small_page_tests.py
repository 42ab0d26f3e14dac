"""Standard tests of lists with a vendor that gives less at once than it was asked for."""

# ruff: noqa: S101  # assert is how pytest speaks

import re
from dataclasses import replace
from typing import Final

import attrs
import pytest

from rove_core.items import ContextItem
from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import SeenRequest
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied

#: How vendors call the number of things that a page is to have.
_SIZE: Final = re.compile(
    r"(?<=[?&])((?:%24|\$)?(?:per_page|page_?size|pagelen|limit|max_?results|top|first|count|size)=)"
    r"\d+(?=&|$)",
    re.IGNORECASE,
)
#: The same as a value of a JSON body, among the variables of GraphQL too.
_SIZE_IN_BODY: Final = re.compile(
    rb'("(?:per_page|page_?size|limit|max_?results|top|first|last|count|size)"\s*:\s*)\d+(?=[\s,}])',
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
        assert _told(paged) == _told(whole)

    @gold
    @proxied("rove_item_detail")
    async def test_described_items_read_pages_of_any_size(
        self, scene: Scene, proxy: FaultProxy
    ) -> None:
        """Each further described item is the same, too, or notes that a list of it was cut."""
        refs = [
            attrs.evolve(self.ref(scene, each.id), kind=each.kind or self.known_kind)
            for each in self.more_expected
        ]
        wholes = [await scene.detail(ref) for ref in refs]
        count = len(proxy.requests)
        _give_one_at_once(scene, proxy)
        pages = [await scene.detail(ref) for ref in refs]

        _check_is_asked_in_sizes(proxy.requests[count:])
        longest: dict[str, int] = {}
        for each in (await scene.detail(self.ref(scene, self.known)), *wholes):
            longest[each.ref.kind] = max(longest.get(each.ref.kind, 0), len(each.thread))
        if short := [kind for kind, length in longest.items() if length == 1]:
            pytest.skip(f"{MISSING}describe two replies, too, below a {' and a '.join(short)}")
        lost = [
            whole.ref.id
            for whole, paged in zip(wholes, pages, strict=True)
            if not paged.facts.incomplete and _told(paged) != _told(whole)
        ]
        message = f"if lists come one by one, these lose something without facts.incomplete: {lost}"
        assert lost == [], message

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
        assert [_told(each.item) for each in paged if each.item] == [
            _told(each.item) for each in whole if each.item
        ]


def _told(item: ContextItem) -> object:
    """Return what an item says; links of several lists come in any order."""
    return frozenset(item.links), attrs.evolve(item, links=())


def _give_one_at_once(scene: Scene, proxy: FaultProxy) -> None:
    proxy.rewrite(_smaller)
    scene.connect()


def _smaller(seen: SeenRequest) -> SeenRequest:
    """Return a request for one thing at once; what is no list is asked for as it is."""
    if seen.method == "GET":
        return replace(seen, path=_SIZE.sub(r"\g<1>1", seen.path))
    return replace(seen, body=_SIZE_IN_BODY.sub(rb"\g<1>1", seen.body))


def _check_is_asked_in_sizes(requests: list[SeenRequest]) -> None:
    if not any(_smaller(each) != each for each in requests):
        pytest.skip("nothing here is asked for in pages with a size in their address or body")
