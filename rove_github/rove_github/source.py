"""The source of one GitHub account: pull requests, issues, discussions and commits."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

from rove_core import (
    Account,
    Container,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemRef,
    ListedChange,
    ListScope,
    Login,
    NewComment,
    NewWorkItem,
    Query,
    SourceHooks,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WorkItemHooks,
    authorization,
    hookimpl,
)
from rove_core.auth.oauth import renew_login
from rove_github.api import GitHubApi
from rove_github.commits import CommitListing
from rove_github.detail import Details
from rove_github.discussions import Discussions
from rove_github.gh import gh_token
from rove_github.graphql_search import GraphSearch
from rove_github.identity import who_is
from rove_github.items import GitHubItems
from rove_github.listing import RepositoryListing
from rove_github.login import app_of, enter
from rove_github.pages import RepositoryPages
from rove_github.references import GitHubNames, web_host
from rove_github.scopes import Scopes
from rove_github.search import GitHubSearch
from rove_github.search_syntax import searches
from rove_github.settings import ACCESS_TOKEN, DEVICE, GH, GitHubSettings
from rove_github.work import GitHubWork


class GitHubSource(SourceHooks, WorkItemHooks):
    """Reads what a GitHub token can see, and changes issues if it can write."""

    def __init__(self, account: Account[GitHubSettings], http: Http) -> None:
        self._account = account
        self._http = http
        self._api = GitHubApi.of(account, http)
        self._names = GitHubNames.of(account)
        self._items = GitHubItems(self._names)
        self._scopes = Scopes(self._api, account)
        self._discussions = Discussions(self._api, self._items)
        self._graph_search = GraphSearch(self._api)
        self._details = Details(self._api, self._items, self._discussions)
        self._work = GitHubWork(self._api, self._items, account.identity)
        self._listing = RepositoryListing(
            RepositoryPages(self._api),
            CommitListing(self._api, self._items),
            self._details,
            self._work,
            self._scopes,
            http.clock,
        )

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for an access token, take that of GitHub's command line, or let a code be typed."""
        if login.way == DEVICE.name:
            return await enter(self._account, login)
        if login.way == GH:
            token = await gh_token(web_host(self._account))
        else:
            token = await login.ask_secret(ACCESS_TOKEN)
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that a GitHub app gave; each is good for one time."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return the user and the readable repositories."""
        return await who_is(self._api, self._account)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield pull requests, issues, discussions and commits, of each the newest first."""
        places = await self._scopes.read()
        looking = GitHubSearch(
            self._api,
            self._items,
            query,
            self._discussions,
            self._graph_search,
            implied=self._scopes.are_implied,
        )
        async with aclosing(looking.find(searches(query, places))) as found:
            async for item in found:
                yield item

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return an issue, pull request, discussion or commit with its discussion."""
        return await self._details.read(ref)

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the repositories of the account."""
        return await self._listing.containers()

    @hookimpl
    async def rove_readable(self, names: Sequence[str]) -> Sequence[Container]:
        """Return the repositories among some that can still be read; no other is requested."""
        return await self._listing.containers(names)

    @hookimpl
    async def rove_list_recent(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield what changed recently in several repositories, without their discussions."""
        async with aclosing(self._listing.recent(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the issues and pull requests that changed, with their comments, and new commits."""
        async with aclosing(self._listing.changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of an issue."""
        return await self._work.read(ref)

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return what else an issue can become."""
        return self._work.options(await self._work.read(ref))

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
        """Comment on an issue or a pull request, once for each key."""
        return await self._work.comment(ref, comment)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the pull requests, issues, discussions and commits that a text names."""
        return self._names.recognise(text, origin)
