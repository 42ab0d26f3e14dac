"""Read and change the work items of connected accounts."""

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from rove_core.errors import PluginFailed, WrongCall
from rove_core.items import ItemRef
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.limits import MOST_TEXT
from rove_core.work.changes import NewAttachment, NewComment, NewWorkItem, WorkItemChange
from rove_core.work.items import Iteration, StatusOption, WorkItem

#: The mark that replaces a secret in a text; the vendor has the secret itself.
_MARK: Final = re.compile(r"\[secret:[a-z0-9_-]+:[0-9a-f]{4}\]")


@frozen
class Trackers:
    """Reads and changes work items, each through its own account.

    Returned items are free of secrets and hidden characters, as all items are. A text with a mark
    in place of a secret is never written, because it would replace the secret at the vendor.

    Attributes:
        accounts: The connected accounts.
    """

    accounts: Accounts

    def can(self, account: str, hook: str = "rove_work_item") -> bool:
        """Return whether an account has work items, or supports one hook for them."""
        return self.accounts.can(account, hook)

    async def item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a work item."""
        return self._work(
            ref.account, await self.accounts.ask(ref.account, "rove_work_item", WorkItem, ref=ref)
        )

    async def status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return the statuses that a work item can take now."""
        return await self.accounts.ask_several(
            ref.account, "rove_status_options", StatusOption, ref=ref
        )

    async def iterations(self, account: str, container: str) -> Sequence[Iteration]:
        """Return the sprints or cycles of a project."""
        return await self.accounts.ask_several(
            account, "rove_iterations", Iteration, container=container
        )

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change fields of a work item, and return its new state.

        Raises:
            Conflict: Somebody else has changed it since the revision that the change names.
            WrongCall: The vendor refuses it; the message says what would be possible.
        """
        _need_title(change.title, ref.id)
        _refuse_marks(change.title, change.description, *(change.labels or ()))
        hook = "rove_change_work_item"
        changed = await self.accounts.ask(ref.account, hook, WorkItem, ref=ref, change=change)
        return self._work(ref.account, changed)

    async def create(self, account: str, new: NewWorkItem) -> WorkItem:
        """Create a work item; repeating the call with the same key creates no second one."""
        _need_title(new.title, "a new work item")
        _refuse_marks(new.title, new.description)
        created = await self.accounts.ask(account, "rove_create_work_item", WorkItem, new=new)
        return self._work(account, created)

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a work item; repeating the call with the same key adds no second comment."""
        _refuse_marks(comment.content)
        hook = "rove_add_comment"
        return await self.accounts.ask(ref.account, hook, ItemRef, ref=ref, comment=comment)

    async def attach(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Attach a file to a work item; repeating the call with one key adds no second file."""
        hook = "rove_add_attachment"
        return await self.accounts.ask(ref.account, hook, ItemRef, ref=ref, attachment=attachment)

    def _work(self, account: str, work: WorkItem) -> WorkItem:
        """Return a work item made harmless, unless it has far too much text."""
        if len(work.description) + len(work.description_source) > MOST_TEXT:
            raise PluginFailed(
                f"{account}: {work.ref.id} has more than {MOST_TEXT} characters", account=account
            )
        return self.accounts.harmless_work(account, work)


def _need_title(title: str | None, what: str) -> None:
    # Some vendors accept an empty title.
    if title is not None and not title.strip():
        raise WrongCall(f"the title of {what} must not be empty", hint="Give it a title.")


def _refuse_marks(*texts: str | None) -> None:
    for text in texts:
        if text and (found := _MARK.search(text)):
            raise WrongCall(
                f"{found[0]} stands for a removed secret: writing it back would replace the "
                "secret; change the text in its tracker"
            )
