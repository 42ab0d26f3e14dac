"""A vendor in memory whose containers can be listed, and projects that copy it."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import attrs
from attrs import define, field, frozen

from rove_core import (
    Container,
    ContextItem,
    Facts,
    ItemNotFound,
    ItemRef,
    ListedChange,
    ListScope,
    RoveError,
    SourceHooks,
    Unavailable,
    hookimpl,
)
from rove_core.http.request_limits import Counts

AT: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)


@frozen
class Page:
    """A page at the vendor."""

    container: str
    text: str
    at: datetime
    comments: tuple[str, ...] = ()


@define(eq=False)
class Wiki(SourceHooks):
    """A vendor with spaces of pages. Its cursor is the number of the last change that was told.

    Attributes:
        pages: What is there, by id.
        spaces: What may be read.
        unlisted: The spaces that may be read and cannot be listed.
        asked: The containers that were asked for, in their order.
        parts: What no listing tells of pages, by id.
        whole: Whether a listing tells the comments.
        tells_gone: Whether a listing tells what is no longer there.
        fails_after: After how many told changes the connection breaks, each time it is asked.
        requests_of_item: How many requests it takes to read a page.
        requests: How many requests were made to read pages.
        is_away: Whether pages cannot be reached one by one.
        is_partly_closed: Whether the comments of pages cannot be read.
        refusal: Why no space can be listed.
    """

    pages: dict[str, Page] = field(factory=dict)
    spaces: list[str] = field(factory=lambda: ["DOC", "OPS"])
    unlisted: list[str] = field(factory=list)
    asked: list[str] = field(factory=list)
    read: list[str] = field(factory=list)
    parts: dict[str, str] = field(factory=dict)
    whole: bool = True
    tells_gone: bool = True
    fails_after: list[int] = field(factory=list)
    requests_of_item: int = 0
    requests: int = 0
    is_away: bool = False
    is_partly_closed: bool = False
    refusal: RoveError | None = None
    _log: list[tuple[str, str]] = field(factory=list)

    def write(
        self, name: str, text: str, *, container: str = "DOC", at: datetime | None = None
    ) -> None:
        """Write a page, or write it anew, or move it."""
        if name in self.pages and self.pages[name].container != container:
            self._log.append((self.pages[name].container, name))
        when = at or AT + timedelta(minutes=len(self._log))
        self.pages[name] = Page(container, text, when)
        self._log.append((container, name))

    def comment(self, name: str, text: str) -> None:
        """Comment a page."""
        page = self.pages[name]
        when = AT + timedelta(minutes=len(self._log))
        self.pages[name] = Page(page.container, page.text, when, (*page.comments, text))
        self._log.append((page.container, name))

    def delete(self, name: str) -> None:
        """Remove a page."""
        page = self.pages.pop(name)
        if self.tells_gone:
            self._log.append((page.container, name))

    def item(self, name: str, *, whole: bool = True) -> ContextItem:
        """Return a page as Rove sees it."""
        page = self.pages[name]
        comments = page.comments if whole else ()
        return ContextItem(
            ref=ItemRef(account="wiki", kind="page", id=name),
            source="wiki",
            role="page",
            title=f"Page {name}",
            content=page.text,
            timestamp=page.at,
            author="Ada King",
            thread=tuple(
                ContextItem(
                    ref=ItemRef(account="wiki", kind="comment", id=f"{name}/{number}"),
                    source="wiki",
                    role="comment",
                    title=name,
                    content=text,
                    timestamp=page.at,
                    author="Bo Lind",
                )
                for number, text in enumerate(comments)
            ),
        )

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the spaces."""
        return [Container(name=name, title=f"Space {name}") for name in self.spaces]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield each changed page as it is now, and a cursor after each."""
        self.asked += scope.containers
        if self.refusal:
            raise self.refusal
        breaks_at = self.fails_after.pop(0) if self.fails_after else None
        done = int(scope.cursor or 0)
        for told, (number, name) in enumerate(self._changed(scope, done)):
            if told == breaks_at:
                raise Unavailable("the connection broke", account="wiki")
            if told == scope.limit:
                return
            yield self._change(scope, name, str(number + 1))
        for name in scope.containers:
            if name not in self.spaces or name in self.unlisted:
                raise ItemNotFound(f"there is no space {name}", account="wiki")
        yield ListedChange(cursor=str(len(self._log)))

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a page with its comments."""
        self.read.append(ref.id)
        for _ in range(self.requests_of_item):
            Counts().sent()
            self.requests += 1
        if self.is_away:
            raise Unavailable("no network", account="wiki")
        if ref.id not in self.pages:
            raise ItemNotFound(f"there is no page {ref.id}", account="wiki")
        if self.is_partly_closed:
            item = self.item(ref.id, whole=False)
            return attrs.evolve(item, facts=Facts(incomplete=("comments not read",)))
        item, part = self.item(ref.id), self.parts.get(ref.id)
        return attrs.evolve(item, content=f"{item.content}\n\n{part}") if part else item

    @hookimpl
    async def rove_search(self, query: object) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # who asks fails
        """Fail: what a mirror has is not searched for at the vendor."""
        raise Unavailable("nobody may search here", account="wiki")
        yield

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a name means the same everywhere
        """Return the pages whose names stand in a text."""
        words = text.replace(",", " ").replace(".", " ").split()
        return [
            ItemRef(account="wiki", kind="page", id=word)
            for word in dict.fromkeys(words)
            if word.startswith(("DOC-", "OPS-"))
        ]

    def _changed(self, scope: ListScope, done: int) -> Iterator[tuple[int, str]]:
        """Yield what changed since; the number of a change is that of the last one of its page."""
        since = scope.since or datetime.min.replace(tzinfo=UTC)
        last = {
            name: number
            for number, (container, name) in enumerate(self._log)
            if container in scope.containers
        }
        for name, number in sorted(last.items(), key=lambda each: each[1]):
            page = self.pages.get(name)
            if number >= done and (page is None or page.at >= since):
                yield number, name

    def _change(self, scope: ListScope, name: str, cursor: str) -> ListedChange:
        page = self.pages.get(name)
        if page is None or page.container not in scope.containers:
            return ListedChange(gone=ItemRef(account="wiki", kind="page", id=name), cursor=cursor)
        return ListedChange(item=self.item(name, whole=self.whole), whole=self.whole, cursor=cursor)
