"""The source of one Asana account: tasks with their discussions."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

from rove_asana.api import AsanaApi
from rove_asana.identity import identity_of
from rove_asana.items import AsanaItems
from rove_asana.listing import TaskListing
from rove_asana.login import app_of, enter
from rove_asana.references import AsanaReferences
from rove_asana.search import AsanaSearch
from rove_asana.settings import OAUTH, TOKEN, AsanaSettings
from rove_asana.task_reader import TaskReader
from rove_asana.uploads import AsanaUploads
from rove_asana.work import AsanaWork
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
    NewAttachment,
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


class AsanaSource(SourceHooks, WorkItemHooks):
    """Reads one workspace of Asana as one of its members, and changes its tasks."""

    def __init__(self, account: Account[AsanaSettings], http: Http) -> None:
        self._account = account
        self._http = http
        who = account.identity or Identity(name="this account")
        self._api = AsanaApi(http, account.settings.page_size)
        self._mentions = AsanaReferences(account.name, who.workspace, who.prefixes)
        self._items = AsanaItems(self._mentions)
        self._tasks = TaskReader(self._api, who.workspace, who.name)
        self._search = AsanaSearch(self._api, self._items, who.workspace)
        self._listing = TaskListing(self._api, self._items, self._tasks, who.workspace, http.clock)
        self._work = AsanaWork(
            self._api, self._tasks, self._items, who.workspace, who.id, http.clock
        )
        self._uploads = AsanaUploads(http, self._api, self._tasks, self._items)

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
        """Return the user, the workspace, and whether Asana's search is available."""
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
        """Return a task with its discussion."""
        return self._items.item(await self._tasks.whole(ref))

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the projects that can be read and are not archived."""
        return await self._listing.containers()

    @hookimpl
    async def rove_readable(self, names: Sequence[str]) -> Sequence[Container]:
        """Return the projects among some that can be read, also archived ones."""
        return await self._listing.readable(names)

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the tasks of some projects that changed, without their comments."""
        async with aclosing(self._listing.changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a task."""
        return await self._work.read(ref)

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return the other sections of a task's project or options of its status, and the end."""
        return await self._work.options(ref)

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a task, unless another change came first."""
        return await self._work.change(ref, change)

    @hookimpl
    async def rove_create_work_item(self, new: NewWorkItem) -> WorkItem:
        """Create a task, once for each key."""
        return await self._work.create(new)

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a task, once for each key."""
        return await self._work.comment(ref, comment)

    @hookimpl
    async def rove_add_attachment(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Attach a file to a task, once."""
        return await self._uploads.attach(ref, attachment)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an address means the same wherever it stands
        """Return the tasks of this workspace that a text names."""
        return self._mentions.found(text)
