"""The work item types of a project, each read once."""

from contextlib import suppress
from typing import Final

from attrs import define, field

from rove_azure import fields as names
from rove_azure.api import AzureApi, part
from rove_azure.facts import CATEGORIES
from rove_azure.replies import WorkItemReply, WorkTypeReply
from rove_core import ItemNotFound, StatusCategory
from rove_core.json_reader import read_one, text

_NONE: Final = WorkTypeReply()


@define
class WorkTypes:
    """Knows the types of work of an organization, project by project.

    Attributes:
        api: Whom to ask.
    """

    api: AzureApi
    _known: dict[tuple[str, str], WorkTypeReply] = field(factory=dict, init=False)

    async def of(self, reply: WorkItemReply) -> WorkTypeReply:
        """Return the type of a work item; one without states where Azure has none of its name."""
        own = text(reply.fields, names.PROJECT), text(reply.fields, names.TYPE)
        if all(own) and own not in self._known:
            path = f"{part(own[0])}/_apis/wit/workitemtypes/{part(own[1])}"
            found = _NONE
            with suppress(ItemNotFound):
                found = read_one(await self.api.get(path), WorkTypeReply)
            self._known[own] = found
        return self._known.get(own, _NONE)

    async def category(self, reply: WorkItemReply) -> StatusCategory | None:
        """Return what the state of a work item means."""
        state = text(reply.fields, names.STATE)
        return category_of(await self.of(reply), state)


def category_of(kind: WorkTypeReply, state: str) -> StatusCategory | None:
    """Return what a state of a type means."""
    found = (each.category for each in kind.states if each.name == state)
    return CATEGORIES.get(next(found, ""))
