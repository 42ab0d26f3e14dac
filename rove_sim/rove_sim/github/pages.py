"""Paging with ``Link`` headers."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar
from urllib.parse import urlencode

from attrs import frozen

from rove_core import JSON
from rove_sim.routes import RoutedRequest

_Item = TypeVar("_Item")
_MOST = 100


@frozen
class PagedList(Generic[_Item]):
    """A list that is given page by page.

    Attributes:
        items: All of it.
        write: Returns one of it as it stands in a reply.
        place: Where its pages are, without what is asked.
        key: What a cursor remembers of an item; pages are counted when there is none.
    """

    items: Sequence[_Item]
    write: Callable[[_Item], JSON]
    place: str
    key: Callable[[_Item], str] | None = None

    def page(self, call: RoutedRequest, size: Callable[[int, int], int]) -> tuple[list[JSON], str]:
        """Return the requested page with its ``Link`` header, which may be empty."""
        number = max(1, call.number("page", 1))
        length = size(max(1, call.number("per_page", 30)), _MOST)
        start = self._start(call.text("after")) if self.key else (number - 1) * length
        found = self.items[start : start + length]
        links = self._links(call, number, start, length) if self.items else {}
        return [self.write(each) for each in found], _header(links)

    def _start(self, cursor: str) -> int:
        keys = [self.key(each) for each in self.items] if self.key else []
        remembered = _opened(cursor)
        return keys.index(remembered) + 1 if remembered in keys else 0

    def _links(self, call: RoutedRequest, number: int, start: int, length: int) -> dict[str, str]:
        last = -(-len(self.items) // length)
        more = start + length < len(self.items)
        if self.key:
            cursor = _closed(self.key(self.items[min(start + length, len(self.items)) - 1]))
            return {"next": self._url(call, after=cursor, page=number + 1)} if more else {}
        found = {}
        if number > 1:
            found["prev"] = self._url(call, page=min(number - 1, last))
        if more:
            found["next"] = self._url(call, page=number + 1)
            found["last"] = self._url(call, page=last)
        if number > 1:
            found["first"] = self._url(call, page=1)
        return found

    def _url(self, call: RoutedRequest, **changes: str | int) -> str:
        return f"{self.place}?{urlencode({**call.request.query, **changes})}"


def _header(links: Mapping[str, str]) -> str:
    return ", ".join(f'<{url}>; rel="{name}"' for name, url in links.items())


def _closed(text: str) -> str:
    return urlsafe_b64encode(f"cursor:{text}".encode()).decode()


def _opened(cursor: str) -> str:
    try:
        return urlsafe_b64decode(cursor).decode().removeprefix("cursor:")
    except (Error, UnicodeDecodeError):
        return ""
