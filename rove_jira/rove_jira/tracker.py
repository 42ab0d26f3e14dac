"""Write access to the tickets of a Jira site."""

from collections.abc import Sequence

from rove_core import (
    Account,
    Http,
    ItemRef,
    Iteration,
    NewAttachment,
    NewComment,
    NewWorkItem,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WorkItemHooks,
    hookimpl,
)
from rove_jira.settings import JiraSettings
from rove_jira.source import JiraSource
from rove_jira.sprints import sprints
from rove_jira.work import JiraWork


class JiraTracker(JiraSource, WorkItemHooks):
    """Reads one site of Jira, and changes its tickets."""

    def __init__(self, account: Account[JiraSettings], http: Http) -> None:
        super().__init__(account, http)
        self._work = JiraWork(self._site, self._tickets, account.identity)

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a ticket."""
        return await self._work.read(ref)

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return the statuses to which a transition leads now."""
        return await self._work.options(ref)

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a ticket, unless another change came first."""
        return await self._work.change(ref, change)

    @hookimpl
    async def rove_create_work_item(self, new: NewWorkItem) -> WorkItem:
        """Create a ticket, once for each key."""
        return await self._work.create(new)

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a ticket, once for each key."""
        return await self._work.comment(ref, comment)

    @hookimpl
    async def rove_add_attachment(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Attach a file to a ticket, once for each key."""
        return await self._files.attach(ref, attachment)

    @hookimpl
    async def rove_iterations(self, container: str) -> Sequence[Iteration]:
        """Return the sprints of a project."""
        return await sprints(self._site, container)


def connect(account: Account[JiraSettings], http: Http) -> JiraSource:
    """Return the source of an account."""
    return JiraTracker(account, http)
