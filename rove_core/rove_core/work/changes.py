"""Changes to work items: fields, comments, files, new items."""

from datetime import date
from typing import Final, get_args

from attrs import field, frozen
from attrs.validators import matches_re

from rove_core.items import ItemRef
from rove_core.work.items import PRIORITY, WorkField, WorkItemType

_FIELDS: Final[tuple[WorkField, ...]] = get_args(WorkField)
#: What can be set and not taken away.
_ALWAYS_THERE: Final[tuple[WorkField, ...]] = ("title", "status")
#: A key that stays the same however often a thing is tried.
_KEY: Final = matches_re(r"[A-Za-z0-9-]{8,64}")


@frozen(kw_only=True)
class WorkItemChange:
    """Some fields of a work item, as they are to be; the others stay as they are.

    Attributes:
        title: Its title.
        description: Its description as Markdown.
        status: The name of a status that it can take now.
        priority: From 0, none, to 4, urgent.
        assignee: Who is to do it, by the vendor's id.
        labels: All its labels.
        parent: What it is to be a part of.
        iteration: The sprint or cycle it is planned in, by its id.
        due: The day it is due.
        estimate: Its estimated size, in the unit that it has.
        clear: Fields that are to have no value.
        if_revision: Change it only if this is still its revision; empty for whatever it is.
    """

    title: str | None = None
    description: str | None = None
    status: str | None = None
    priority: int | None = field(default=None, validator=PRIORITY)
    assignee: str | None = None
    labels: tuple[str, ...] | None = None
    parent: ItemRef | None = None
    iteration: str | None = None
    due: date | None = None
    estimate: float | None = None
    clear: tuple[WorkField, ...] = field(default=())
    if_revision: str = ""

    @clear.validator
    def _can_be_cleared(self, _: object, value: tuple[WorkField, ...]) -> None:
        for name in value:
            if name in _ALWAYS_THERE:
                raise ValueError(f"a work item always has a {name}")
            if name not in _FIELDS or getattr(self, name) is not None:
                raise ValueError(f"{name} is not a field, or is both set and cleared")

    @property
    def fields(self) -> tuple[WorkField, ...]:
        """The fields that it sets or clears."""
        return tuple(
            name for name in _FIELDS if getattr(self, name) is not None or name in self.clear
        )


@frozen(kw_only=True)
class NewWorkItem:
    """A work item that does not exist yet.

    Attributes:
        container: Where it is to be: the name of a project, team or repository.
        title: Its title.
        description: Its description as Markdown.
        type: What it is to be in the tracker's plan.
        type_name: The vendor's word for that, where a plan has several (``Bug``).
        parent: What it is a part of.
        key: Tells it from every other one: created twice with one key, there is one.
    """

    container: str
    title: str
    description: str = ""
    type: WorkItemType = "ticket"
    type_name: str = ""
    parent: ItemRef | None = None
    key: str = field(validator=_KEY)


@frozen(kw_only=True)
class NewComment:
    """A comment that does not exist yet.

    Attributes:
        content: What it says, as Markdown.
        key: Tells it from every other one: added twice with one key, there is one; added again
            with other words, that one is changed.
    """

    content: str
    key: str = field(validator=_KEY)


@frozen(kw_only=True)
class NewAttachment:
    """A file that is not attached yet.

    Attributes:
        name: Its name, without folders.
        content: What is in it.
        media_type: What it is (``image/png``).
        key: Tells it from every other one: attached twice with one key, there is one.
    """

    name: str = field(validator=matches_re(r"[^/\\\x00-\x1f]{1,200}"))
    content: bytes = field(repr=False)
    media_type: str = "application/octet-stream"
    key: str = field(validator=_KEY)
