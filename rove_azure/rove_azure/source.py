"""The source of one Azure DevOps account: work items with their discussions."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

from rove_azure.api import AzureApi
from rove_azure.identity import identity, readable_projects, site_of
from rove_azure.items import AzureItems
from rove_azure.listing import RevisionListing
from rove_azure.login import app_of, enter
from rove_azure.references import AzureReferences, number_of
from rove_azure.search import question
from rove_azure.settings import AzureSettings
from rove_azure.work import AzureWork
from rove_azure.work_item_reader import WorkItemReader
from rove_azure.work_types import WorkTypes
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
    NewAttachment,
    NewComment,
    NewWorkItem,
    Query,
    SourceHooks,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WorkItemHooks,
    hookimpl,
)
from rove_core.auth.oauth import renew_login


class AzureSource(SourceHooks, WorkItemHooks):
    """Reads one organization of Azure DevOps as one of its members, and changes its work items."""

    def __init__(self, account: Account[AzureSettings], http: Http) -> None:
        self._account = account
        self._http = http
        self._api = AzureApi(account, http)
        self._mentions = AzureReferences(account.name, site_of(account))
        items = AzureItems(self._mentions)
        types = WorkTypes(self._api)
        self._reader = WorkItemReader(self._api, types, items, account.settings.page_size)
        self._clock = http.clock
        self._work = AzureWork(self._api, self._reader, account.base_url, account.identity)
        self._listing = RevisionListing(
            self._api, self._reader, self._work, self._projects, http.clock
        )

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a personal access token, or log in with a browser."""
        return await enter(self._account, login)

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that an app gave."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return the user and the readable projects."""
        return await identity(self._account, self._api)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield work items in which, or below which, the words occur, newest first."""
        wiql = question(query, self._account.settings.projects)
        if wiql is None:
            return
        numbers = await self._api.found(wiql, most=query.limit)
        async with aclosing(self._reader.some(numbers)) as found:
            async for reply in found:
                item = await self._reader.found(reply)
                if query.covers(item.timestamp):
                    yield item

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a work item with its discussion and its history."""
        return await self._reader.whole(number_of(ref))

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the projects that can be read."""
        return await self._listing.containers()

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the work items of some projects that changed, with their discussion."""
        async with aclosing(self._listing.changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_list_recent(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the work items of several projects that changed recently."""
        async with aclosing(self._listing.recent(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a work item."""
        return await self._work.read(ref)

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return the states that may follow the one that a work item has."""
        return await self._work.options(ref)

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a work item, unless another change came first."""
        return await self._work.change(ref, change)

    @hookimpl
    async def rove_create_work_item(self, new: NewWorkItem) -> WorkItem:
        """Create a work item, once for each key."""
        return await self._work.create(new)

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a work item, once for each key."""
        return await self._work.comment(ref, comment)

    @hookimpl
    async def rove_add_attachment(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Upload a file and attach it to a work item, once for each key."""
        return await self._work.attach(ref, attachment)

    @hookimpl
    async def rove_iterations(self, container: str) -> Sequence[Iteration]:
        """Return the sprints of a project."""
        return await self._work.iterations(container, self._clock.now())

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the work items of this organization that a text names."""
        return self._mentions.found(text, origin)

    async def _projects(self) -> list[str]:
        """Return the names of the projects that can be read now."""
        return await readable_projects(self._account, self._api)
