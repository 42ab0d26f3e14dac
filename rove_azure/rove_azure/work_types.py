"""The work item types of a project, each read once."""

import asyncio
from collections import defaultdict
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
        api: The API.
    """

    api: AzureApi
    _types: dict[tuple[str, str], WorkTypeReply] = field(factory=dict, init=False)
    _reading: defaultdict[tuple[str, str], asyncio.Lock] = field(
        factory=lambda: defaultdict(asyncio.Lock), init=False
    )

    async def of(self, reply: WorkItemReply) -> WorkTypeReply:
        """Return the type of a work item; one without states where Azure has none of its name."""
        own = text(reply.fields, names.PROJECT), text(reply.fields, names.TYPE)
        if not all(own):
            return _NONE
        async with self._reading[own]:
            if own not in self._types:
                self._types[own] = await self._read(*own)
        return self._types[own]

    async def category(self, reply: WorkItemReply) -> StatusCategory | None:
        """Return what the state of a work item means."""
        state = text(reply.fields, names.STATE)
        return category_of(await self.of(reply), state)

    async def _read(self, project: str, name: str) -> WorkTypeReply:
        with suppress(ItemNotFound):
            path = f"{part(project)}/_apis/wit/workitemtypes/{part(name)}"
            return read_one(await self.api.get(path), WorkTypeReply)
        return _NONE


def category_of(kind: WorkTypeReply, state: str) -> StatusCategory | None:
    """Return what a state of a type means."""
    found = (each.category for each in kind.states if each.name == state)
    return CATEGORIES.get(next(found, ""))
