"""Our wiki as a source for Rove."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from attrs import frozen

from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    Credential,
    Facts,
    Identity,
    ItemRef,
    Login,
    LoginField,
    LoginWay,
    Query,
    SearchableField,
    SourceHooks,
    SourceKind,
    authorization,
    hookimpl,
)

if TYPE_CHECKING:
    from rove_core import Http, Reply

TOKEN = LoginField(name="token", title="Wiki token", secret=True, help="Profile, Tokens, New.")
BY_TOKEN = LoginWay(
    name="token", title="Token", fields=(TOKEN,), url="https://wiki.example.com/profile/tokens"
)


@frozen(kw_only=True)
class WikiSettings(CommonSettings):
    """The settings of a wiki account: those that every vendor has."""


@frozen
class Me:
    """Who the token belongs to."""

    name: str


@frozen
class Comment:
    """What somebody wrote below a page."""

    id: str
    author: str
    text: str
    at: datetime


@frozen
class Page:
    """A page, as the wiki sends it; what else it sends is left out."""

    id: str
    title: str
    text: str
    author: str
    changed: datetime
    comments: tuple[Comment, ...] = ()


@frozen
class Found:
    """A part of what a search finds, and where the next part is."""

    pages: tuple[Page, ...] = ()
    next: str | None = None


class WikiSource(SourceHooks):
    """Reads one wiki."""

    def __init__(self, account: Account[WikiSettings], http: "Http") -> None:
        self._account = account
        self._http = http
        self._id = re.compile(rf"(?:{re.escape(account.base_url)}/|(?<![\w/-]))(WIKI-[0-9]+)\b")

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a token."""
        token = await login.ask_secret(TOKEN)
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose token it is."""
        me = (await self._http.get("api/me")).read(Me)
        return Identity(name=me.name, reads=("all pages",), prefixes=("WIKI",))

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the pages in which the words occur, newest first."""
        remaining = query.limit
        async with aclosing(self._found(query.text)) as found:
            async for page in found:
                if query.covers(page.changed):
                    yield self._item(page)
                    remaining -= 1
                if not remaining:
                    return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a page with what was written below it."""
        path = f"api/pages/{quote(ref.id, safe='')}"
        return self._item((await self._http.get(path)).read(Page))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id means the same wherever it stands
        """Return the pages that a text names by id or address."""
        return [self._ref("page", name) for name in dict.fromkeys(self._id.findall(text))]

    async def _found(self, words: str) -> AsyncGenerator[Page, None]:
        async with aclosing(self._http.pages("api/pages", _next, params={"q": words})) as replies:
            async for reply in replies:
                for page in reply.read(Found).pages:
                    yield page

    def _ref(self, kind: str, name: str) -> ItemRef:
        return ItemRef(
            account=self._account.name, kind=kind, id=name, url=f"{self._account.base_url}/{name}"
        )

    def _item(self, page: Page) -> ContextItem:
        return ContextItem(
            ref=self._ref("page", page.id),
            source="wiki",
            role="page",
            title=page.title,
            content=page.text,
            timestamp=page.changed,
            author=page.author,
            thread=tuple(self._comment(page, comment) for comment in page.comments),
        )

    def _comment(self, page: Page, comment: Comment) -> ContextItem:
        return ContextItem(
            ref=self._ref("comment", f"{page.id}#{comment.id}"),
            source="wiki",
            role="comment",
            title=f"{page.id} comment",
            content=comment.text,
            timestamp=comment.at,
            author=comment.author,
            facts=Facts(on=page.id),
        )


@hookimpl
def rove_sources() -> Sequence[SourceKind[WikiSettings]]:
    """Bring the wiki."""
    return [
        SourceKind(
            name="wiki",
            title="Wiki",
            settings=WikiSettings,
            connect=WikiSource,
            logins=(BY_TOKEN,),
            fields=(SearchableField("page_text", "text", "What the page says"),),
            id_pattern=r"WIKI-[0-9]+",
        )
    ]


def _next(reply: "Reply") -> str | None:
    return reply.read(Found).next
