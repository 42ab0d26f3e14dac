"""One Linear account: its issues, with what was said below them."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Final

from rove_core import (
    Account,
    Container,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemNotFound,
    ItemRef,
    ListedChange,
    ListScope,
    Login,
    Query,
    Reply,
    SourceHooks,
    authorization,
    hookimpl,
)
from rove_core.auth.oauth import renew_login
from rove_linear import queries
from rove_linear.api import LinearApi, read_pages
from rove_linear.facts import given
from rove_linear.items import LinearItems
from rove_linear.listing import TeamListing
from rove_linear.login import app_of, enter, revoke
from rove_linear.mentions import HOST, LinearMentions
from rove_linear.replies import IssueNode, OneIssue, SearchReply, Team, TeamReply, WhoReply
from rove_linear.search import question
from rove_linear.settings import API_KEY, OAUTH, LinearSettings

#: Nobody reads more of an issue.
_MOST_PAGES: Final = 200


class LinearSource(SourceHooks):
    """Reads one Linear workspace as one of its members."""

    def __init__(self, account: Account[LinearSettings], http: Http) -> None:
        self._account = account
        self._http = http
        self._who = account.identity or Identity(name="this account")
        self._api = LinearApi(http, account.settings.page_size)
        self._mentions = LinearMentions(account.name, self._who.workspace, self._who.prefixes)
        self._issues = LinearItems(self._mentions)
        self._listing = TeamListing(self._api, self._issues, self._teams, self._read, http.clock)

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a personal API key, which Linear wants bare, or let it give a token."""
        if login.way == OAUTH.name:
            return await enter(self._account, login)
        key = await login.ask_secret(API_KEY)
        return authorization(self._account, key.reveal())

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that an app gave; Linear changes both its tokens each time."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Let Linear forget the login."""
        await revoke(self._http)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose key it is, of which workspace, and how its teams' identifiers begin."""

        async def ask(cursor: str | None) -> Reply:
            return await self._api.ask(queries.WHO, {"after": cursor})

        replies = read_pages(ask, WhoReply, lambda who: who.data.teams.pageInfo.next)
        pages = [who.data async for who in replies]
        viewer = pages[0].viewer
        keys = [team.key for page in pages for team in given(page.teams.nodes)]
        return Identity(
            name=viewer.name,
            id=viewer.id,
            reads=(viewer.organization.name,),
            prefixes=tuple(filter(None, keys)),
            hosts=(HOST,),
            workspace=viewer.organization.urlKey,
        )

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield issues in which, or below which, the words occur, best first.

        Those that a filter can find, because the query names fields or has no words, come newest
        first.
        """
        seen: set[str] = set()
        async with aclosing(self._found(query)) as found:
            async for issue in found:
                item = self._issues.item([issue])
                if item.ref.id in seen or not query.covers(item.timestamp):
                    continue
                seen.add(item.ref.id)
                yield item
                if len(seen) == query.limit:
                    return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return an issue with all that hangs on it, whatever it was called when it moved."""
        return await self._read(ref.id)

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the teams that can be read."""
        return await self._listing.containers()

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the issues of some teams that changed, with all that hangs on them."""
        async with aclosing(self._listing.changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an identifier means the same wherever it stands
        """Return the issues of this workspace that a text names."""
        return self._mentions.found(text)

    async def _found(self, query: Query) -> AsyncGenerator[IssueNode, None]:
        """Yield what Linear finds, page by page."""
        asked = question(query)
        if asked is None:
            return

        async def ask(cursor: str | None) -> Reply:
            variables = {**asked.variables, "after": cursor}
            return await self._api.ask(
                asked.text, variables, options=asked.options, most=query.limit
            )

        async with aclosing(
            read_pages(ask, SearchReply, lambda found: found.hits.pageInfo.next)
        ) as pages:
            async for page in pages:
                for issue in given(page.hits.nodes):
                    if issue.identifier or issue.id:
                        yield issue

    async def _read(self, identifier: str) -> ContextItem:
        """Return a whole issue."""
        try:
            pages = await self._whole(identifier)
        except ItemNotFound as error:
            who = self._who.name
            raise ItemNotFound(f"{identifier} is not in Linear, or not visible to {who}") from error
        return self._issues.item(pages, asked=identifier)

    async def _teams(self) -> list[Team]:
        """Return the teams that can be read now."""

        async def ask(cursor: str | None) -> Reply:
            return await self._api.ask(queries.TEAMS, {"after": cursor})

        pages = read_pages(ask, TeamReply, lambda page: page.data.teams.pageInfo.next)
        return [team async for page in pages for team in given(page.data.teams.nodes) if team.key]

    async def _whole(self, identifier: str) -> list[IssueNode]:
        """Return an issue, then the further pages of its lists, of all that go on at once."""

        async def ask(cursor: str | None) -> Reply:
            after = json.loads(cursor or "{}")
            return await self._api.ask(queries.issue(after), {"id": identifier, **after})

        found: list[IssueNode] = []
        async with aclosing(read_pages(ask, OneIssue, _following)) as pages:
            async for page in pages:
                if page.data.issue is None:
                    raise ItemNotFound(f"Linear gives no issue for {identifier}")
                found.append(page.data.issue)
                if len(found) >= _MOST_PAGES:
                    break
        return found


def _following(page: OneIssue) -> str:
    """Return the cursors of all lists that go on, as one."""
    cursors = page.data.issue.next if page.data.issue else {}
    return json.dumps(cursors) if cursors else ""
