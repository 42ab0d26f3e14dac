"""The source of one Linear account: issues with their discussions."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing

from rove_core import (
    Account,
    Container,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemRef,
    Iteration,
    ListedChange,
    ListScope,
    Login,
    MalformedReply,
    NewAttachment,
    NewComment,
    NewWorkItem,
    Query,
    Reply,
    SourceHooks,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WorkItemHooks,
    authorization,
    hookimpl,
)
from rove_core.auth.oauth import renew_login
from rove_core.json_reader import value_at
from rove_linear import queries
from rove_linear.api import LinearApi, read_pages
from rove_linear.facts import present
from rove_linear.issue_pages import IssuePages
from rove_linear.items import LinearItems
from rove_linear.joint_search import JointSearch
from rove_linear.listing import TeamListing
from rove_linear.login import app_of, enter, may_write, revoke
from rove_linear.references import HOST, WIKI_KINDS, LinearReferences
from rove_linear.replies import Hits, SearchReply, Team, TeamReply, WhoReply
from rove_linear.search import question
from rove_linear.settings import API_KEY, OAUTH, LinearSettings
from rove_linear.uploads import LinearUploads
from rove_linear.wiki import LinearDocuments
from rove_linear.wiki_replies import WikiSearchData, WikiSearchReply
from rove_linear.work import LinearWork


class LinearSource(SourceHooks, WorkItemHooks):
    """Reads one Linear workspace as one of its members, and changes its issues."""

    def __init__(self, account: Account[LinearSettings], http: Http) -> None:
        self._account = account
        self._http = http
        who = account.identity or Identity(name="this account")
        #: What the last login told; Linear does not say what a personal key allows.
        self._writes = who.writes
        self._api = LinearApi(http, account.settings.page_size)
        self._joint = JointSearch(self._api)
        self._mentions = LinearReferences(account.name, who.workspace, who.prefixes)
        self._items = LinearItems(self._mentions)
        self._issues = IssuePages(self._api, who.name)
        self._work = LinearWork(self._api, self._issues, self._items)
        self._uploads = LinearUploads(http, self._api, self._issues, self._items)
        self._documents = LinearDocuments(self._api, self._items, who.name)
        self._listing = TeamListing(
            self._api, self._items, self._teams, self._issues.whole, http.clock
        )

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a personal API key, or run the OAuth login."""
        if login.way == OAUTH.name:
            credential = await enter(self._account, login)
            self._writes = may_write(credential)
            return credential
        self._writes = None
        key = await login.ask_secret(API_KEY)
        return authorization(self._account, key.reveal())

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that an app gave; Linear changes both its tokens each time."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Revoke the login at Linear."""
        await revoke(self._http)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return the user, the workspace, and its team prefixes."""

        async def ask(cursor: str | None) -> Reply:
            return await self._api.ask(queries.WHO, {"after": cursor})

        replies = read_pages(ask, WhoReply, lambda who: who.data.teams.pageInfo.next)
        pages = [who.data async for who in replies]
        viewer = pages[0].viewer
        keys = [team.key for page in pages for team in present(page.teams.nodes)]
        return Identity(
            name=viewer.name,
            id=viewer.id,
            reads=(viewer.organization.name,),
            prefixes=tuple(filter(None, keys)),
            hosts=(HOST,),
            workspace=viewer.organization.urlKey,
            writes=self._writes,
        )

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield issues in which, or below which, the words occur, best first.

        Those that a filter can find, because the query names fields or has no words, come newest
        first.
        """
        seen: set[str] = set()
        async with aclosing(self._search(query)) as found:
            async for item in found:
                if item.ref.id in seen or not query.covers(item.timestamp):
                    continue
                seen.add(item.ref.id)
                yield item
                if len(seen) == query.limit:
                    return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return an issue with its discussion, also by a former id."""
        if ref.id.partition("/")[0] in WIKI_KINDS:
            return await self._documents.read(ref)
        return self._items.item(await self._issues.present(ref.id), requested_id=ref.id)

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the teams that can be read."""
        return await self._listing.containers()

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the issues of teams that changed, with their discussions."""
        async with aclosing(self._listing.changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_list_recent(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the issues of several teams that changed recently."""
        async with aclosing(self._listing.recent(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of an issue."""
        return await self._work.read(ref)

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return the other states of an issue's team."""
        return await self._work.options(ref)

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change an issue, unless another change came first."""
        return await self._work.change(ref, change)

    @hookimpl
    async def rove_create_work_item(self, new: NewWorkItem) -> WorkItem:
        """Create an issue, once for each key."""
        return await self._work.create(new)

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on an issue, once for each key."""
        return await self._work.comment(ref, comment)

    @hookimpl
    async def rove_add_attachment(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Upload a file and attach it to an issue, once for each key."""
        return await self._uploads.attach(ref, attachment)

    @hookimpl
    async def rove_iterations(self, container: str) -> Sequence[Iteration]:
        """Return the cycles of a team."""
        return await self._work.iterations(container)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an identifier means the same wherever it stands
        """Return the issues of this workspace that a text names."""
        return self._mentions.found(text)

    async def _search(self, query: Query) -> AsyncGenerator[ContextItem, None]:
        """Yield the search results page by page; issues come first."""
        request = question(query)
        if request is None:
            return

        if first := await self._joint.first_page(query):
            for item in self._found(first.issues.hits, first.pages):
                yield item
            return

        beside: list[ContextItem] = []

        async def ask(cursor: str | None) -> Reply:
            variables = {**request.variables, "after": cursor}
            text = request.plain if cursor and request.plain else request.text
            if text == request.plain or not request.plain:
                return await self._api.ask(
                    text, variables, options=request.options, most=query.limit
                )
            reply = await self._api.ask_more(
                text, request.plain, variables, options=request.options, most=query.limit
            )
            beside.extend(self._documents.found(reply.read(WikiSearchReply).data))
            return reply

        async with aclosing(
            read_pages(ask, SearchReply, lambda found: found.data.hits.pageInfo.next)
        ) as pages:
            async for page in pages:
                for item in self._found(page.data.hits):
                    yield item
                if query.one_page:
                    break
        for item in beside:
            yield item

    def _found(self, hits: Hits, pages: WikiSearchData | None = None) -> Iterator[ContextItem]:
        """Yield what a page of a search brought, issues first."""
        for issue in present(hits.nodes):
            if issue.identifier or issue.id:
                yield self._items.item([issue])
        yield from self._documents.found(pages) if pages else ()

    async def _teams(self) -> list[Team]:
        """Return the teams that can be read now."""

        async def ask(cursor: str | None) -> Reply:
            reply = await self._api.ask(queries.TEAMS, {"after": cursor})
            if not isinstance(value_at(reply.json(), "data", "teams", "nodes"), list):
                raise MalformedReply("Linear sent no list of teams")
            return reply

        pages = read_pages(ask, TeamReply, lambda page: page.data.teams.pageInfo.next)
        return [team async for page in pages for team in present(page.data.teams.nodes) if team.key]
