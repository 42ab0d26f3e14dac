"""One Asana account: the tasks of its workspace, with what was said below them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

from rove_asana.api import AsanaApi
from rove_asana.identity import identity_of
from rove_asana.items import AsanaItems
from rove_asana.listing import TaskListing
from rove_asana.login import app_of, enter
from rove_asana.mentions import AsanaMentions
from rove_asana.search import AsanaSearch
from rove_asana.settings import OAUTH, TOKEN, AsanaSettings
from rove_asana.task_reader import TaskReader
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
    Query,
    SourceHooks,
    authorization,
    hookimpl,
)
from rove_core.auth.oauth import renew_login


class AsanaSource(SourceHooks):
    """Reads one workspace of Asana as one of its members."""

    def __init__(self, account: Account[AsanaSettings], http: Http) -> None:
        self._account = account
        self._http = http
        who = account.identity or Identity(name="this account")
        self._api = AsanaApi(http, account.settings.page_size)
        self._mentions = AsanaMentions(account.name, who.workspace, who.prefixes)
        self._items = AsanaItems(self._mentions)
        self._tasks = TaskReader(self._api, who.workspace, who.name)
        self._search = AsanaSearch(self._api, self._items, who.workspace)
        self._listing = TaskListing(self._api, self._items, self._tasks, who.workspace, http.clock)

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a personal access token, or let an app get one."""
        if login.way == OAUTH.name:
            return await enter(self._account, login)
        token = await login.ask_secret(TOKEN)
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that an app gave; the refresh token stays the same."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose login it is, in which workspace, and whether that has Asana's search."""
        return await identity_of(self._api, self._account.settings.workspace)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield tasks in which the words occur, those changed last first."""
        left = query.limit
        async with aclosing(self._search.found(query)) as found:
            async for item in found:
                yield item
                left -= 1
                if not left:
                    return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a task with all that hangs on it."""
        return self._items.item(await self._tasks.whole(ref))

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the projects that can be read and are not archived."""
        return await self._listing.containers()

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the tasks of some projects that changed, without their comments."""
        async with aclosing(self._listing.changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an address means the same wherever it stands
        """Return the tasks of this workspace that a text names."""
        return self._mentions.found(text)
