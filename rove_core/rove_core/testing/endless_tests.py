"""Standard tests of lists that go on and on: a source ends them, and says so."""

# ruff: noqa: S101  # assert is how pytest speaks

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import attrs
import pytest

from rove_core.errors import RoveError
from rove_core.items import ItemRef
from rove_core.testing.faults import FaultProxy, ServerReply
from rove_core.testing.http1 import SeenRequest, uncompressed
from rove_core.testing.levels import gold
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied

#: What vendors call the place where a list goes on.
_CURSOR: Final = re.compile(r"cursor|token|next|after|offset", re.IGNORECASE)


class EndlessTests(SourceUnderTest):
    """Tests of lists that have no end."""

    @gold
    @proxied("rove_item_detail")
    async def test_list_without_end_is_noted(self, scene: Scene, proxy: FaultProxy) -> None:
        """An item whose lists go on and on ends with an error or with ``facts.incomplete``."""
        if "page_size" in attrs.fields_dict(scene.kind.settings):
            scene.change(page_size=1)
        refs = [self.ref(scene, self.known)]
        refs += [
            attrs.evolve(refs[0], id=each.id, kind=each.kind or self.known_kind)
            for each in self.more_expected
        ]
        proxy.rewrite(uncompressed)
        silent: list[str] = []
        endless: set[str] = set()
        for ref in refs:
            if ref.kind in endless:
                continue
            follower = _Follower()
            proxy.watch(follower.note)
            await scene.detail(ref)
            if loop := follower.loop():
                endless.add(ref.kind)
                proxy.intercept(loop.reply)
                scene.connect()
                if not await _is_told(scene, ref):
                    silent.append(ref.id)
                proxy.intercept(lambda _: None)
                scene.connect()
        if not endless:
            pytest.skip(f"no list of an item of {self.kind} goes on after a cursor")

        assert silent == [], "these end in the middle of a list, without facts.incomplete"


async def _is_told(scene: Scene, ref: ItemRef) -> bool:
    try:
        return bool((await scene.detail(ref)).facts.incomplete)
    except RoveError:
        return True


class _Follower:
    """Notes what was asked and replied, and finds where a list went on."""

    def __init__(self) -> None:
        self._seen: list[tuple[SeenRequest, ServerReply]] = []

    def note(self, seen: SeenRequest, reply: ServerReply) -> None:
        """Note a request and its reply."""
        self._seen.append((seen, reply))

    def loop(self) -> "_Loop | None":
        """Return the first list that went on after a cursor, made endless."""
        for number, (first, reply) in enumerate(self._seen):
            cursors = {*_cursors(_body_of(reply.body))} - {*_values(first)}
            for later, _ in self._seen[number + 1 :]:
                if _place(later) == _place(first) and (used := cursors & {*_values(later)}):
                    return _Loop(_place(first), reply, min(used))
        return None


class _Loop:
    """Replies with the first page of a list, each time with another cursor.

    Args:
        place: Where the list is asked for.
        page: The reply with its first page.
        cursor: The cursor in it.
    """

    def __init__(self, place: tuple[str, str], page: ServerReply, cursor: str) -> None:
        self._place = place
        self._page = page
        self._body = _body_of(page.body)
        self._cursor = cursor
        self._count = 0

    def reply(self, seen: SeenRequest) -> ServerReply | None:
        """Return the page once more, for a request that has one of its cursors."""
        values = [*_values(seen)]
        if _place(seen) != self._place or not any(each.startswith(self._cursor) for each in values):
            return None
        self._count += 1
        fresh = _with_cursor(self._body, self._cursor, f"{self._cursor}0{self._count}")
        return replace(self._page, body=json.dumps(fresh).encode())


def _place(seen: SeenRequest) -> tuple[str, str]:
    return seen.method, urlsplit(seen.path).path


def _body_of(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _values(seen: SeenRequest) -> Iterator[str]:
    """Yield the values of a request: in its address, its form and its JSON."""
    yield from (value for _, value in parse_qsl(urlsplit(seen.path).query))
    body = _body_of(seen.body)
    if body is None:
        yield from (value for _, value in parse_qsl(seen.body.decode(errors="replace")))
    yield from (value for _, value in _leaves(body))


def _cursors(body: object) -> Iterator[str]:
    """Yield the cursors of a reply: what is called so."""
    yield from (value for name, value in _leaves(body) if value and _CURSOR.search(name))


def _leaves(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield name, value
        case dict():
            for key, each in value.items():
                yield from _leaves(each, f"{key}")
        case list():
            for each in value:
                yield from _leaves(each, name)


def _with_cursor(value: object, cursor: str, fresh: str, name: str = "") -> object:
    match value:
        case str():
            return fresh if value == cursor and _CURSOR.search(name) else value
        case dict():
            return {key: _with_cursor(each, cursor, fresh, key) for key, each in value.items()}
        case list():
            return [_with_cursor(each, cursor, fresh, name) for each in value]
    return value
