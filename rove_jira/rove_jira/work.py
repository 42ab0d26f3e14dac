"""Tickets as work items: read, change, create and comment on them."""

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from rove_core import (
    JSON,
    Conflict,
    Identity,
    ItemNotFound,
    ItemRef,
    NewComment,
    NewWorkItem,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WrongCall,
    hidden_mark,
)
from rove_core.json_reader import elements, mapping, text, value_at
from rove_jira.api import JiraApi, items, thing, ticket_path
from rove_jira.created_tickets import PROPERTY, created_ticket
from rove_jira.facts import status_of
from rove_jira.items import JiraItems
from rove_jira.markup import CLOUD, SERVER, Dialect
from rove_jira.work_items import changed_fields, epic_level, work_item

_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]*-[0-9]+|[0-9]+", re.ASCII | re.IGNORECASE)
_PROJECT: Final = re.compile(r"[A-Z][A-Z0-9_]*", re.ASCII | re.IGNORECASE)


@frozen
class JiraWork:
    """Reads and changes the tickets of a site.

    Attributes:
        site: The site.
        tickets: Makes items of what it sends.
        identity: Whose login it is, as far as is known.
    """

    site: JiraApi
    tickets: JiraItems
    identity: Identity | None

    async def read(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a ticket."""
        return work_item(self.tickets, await self._issue(ref.id))

    async def options(self, ref: ItemRef) -> list[StatusOption]:
        """Return the statuses to which a transition leads now, with what each needs."""
        own = text(await self._issue(ref.id), "fields", "status", "name")
        found: dict[str, StatusOption] = {}
        for each in await self._transitions(ref.id):
            status = status_of(value_at(each, "to"))
            if status and status.name != own:
                needs = tuple(_required_fields(each).values())
                existing = found.get(status.name)
                if existing is None or len(needs) < len(existing.needs):
                    found[status.name] = StatusOption(status=status, needs=needs)
        return [*found.values()]

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a ticket; Jira cannot guard that, so it is read right before."""
        issue = await self._issue(ref.id)
        before = work_item(self.tickets, issue)
        if change.if_revision not in ("", before.revision):
            raise Conflict(f"{ref.id} was changed at {before.updated:%Y-%m-%d %H:%M:%S} UTC")
        if other := [name for name in change.fields if name not in before.changeable]:
            raise WrongCall(
                f"the {other[0]} of {ref.id} cannot be changed",
                hint=f"These can be: {', '.join(before.changeable)}",
            )
        # First what can be refused: so a change is made as a whole or not at all.
        target = change.status if change.status != before.status.name else None
        transition = await self._transition(ref.id, target) if target else ""
        possible = await self._priorities(ref.id) if change.priority is not None else ()
        fields = changed_fields(change, issue, possible, self._dialect)
        if fields:
            await self.site.put(ticket_path(ref.id), {"fields": fields}, kind="issue/{key}")
        if transition:
            body: dict[str, JSON] = {"transition": {"id": transition}}
            path = ticket_path(ref.id, "transitions")
            await self.site.change(path, body, kind="issue/{key}/transitions")
        return await self.read(ref) if fields or transition else before

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create a ticket, unless one of the latest has its key as a property."""
        if not _PROJECT.fullmatch(new.container):
            raise WrongCall(f"{new.container!r} is not the key of a project, like TB")
        kind = await self._type_id(new)
        if there := await created_ticket(self.site, new):
            return await self._work(there)
        fields: dict[str, JSON] = {
            "project": {"key": new.container},
            "issuetype": {"id": kind},
            "summary": new.title,
        }
        mark = hidden_mark(new.key) if self._dialect.is_markup else ""
        if description := self._dialect.document(new.description, mark):
            fields["description"] = description
        if new.parent:
            fields["parent"] = {"key": new.parent.id}
        body: dict[str, JSON] = {"fields": fields}
        if not mark:
            body["properties"] = [{"key": PROPERTY, "value": {"key": new.key}}]
        reply = await self.site.change("issue", body, kind="issue")
        return await self._work(text(thing(reply, "key"), "key"))

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a ticket, or change the own comment that has the mark of this key."""
        key, mark, dialect = _key(ref.id), hidden_mark(comment.key), self._dialect
        document = dialect.document(comment.content, mark)
        body: dict[str, JSON] = {"body": document}
        path, kind = ticket_path(key, "comment"), "issue/{key}/comment"
        me = await self._own_id()
        found = await self.site.listed(path, "comments", kind=kind, orderBy="-created")
        for each in found.things:
            content = value_at(each, "body")
            is_own = me in (text(each, "author", dialect.person), text(each, "author", "key"))
            if is_own and dialect.mark(content) == mark:
                if dialect.raw(content) != dialect.raw(document):
                    edited = ticket_path(key, "comment", text(each, "id"))
                    await self.site.put(edited, body, kind=f"{kind}/{{id}}")
                return self.tickets.comment(key, each, {}).ref
        added = thing(await self.site.change(path, body, kind=kind), "id")
        return self.tickets.comment(key, added, {}).ref

    async def _work(self, key: str) -> WorkItem:
        return work_item(self.tickets, await self._issue(key))

    async def _issue(self, name: str) -> JSON:
        params = {"fields": "*all,-comment,-attachment", "expand": "names,schema"}
        key = _key(name)
        try:
            reply = await self.site.get(ticket_path(key), kind="issue/{key}", **params)
        except ItemNotFound as error:
            raise ItemNotFound(f"{key}: not found, or not visible to this account") from error
        return thing(reply, "fields")

    async def _transitions(self, key: str) -> Sequence[JSON]:
        path, kind = ticket_path(_key(key), "transitions"), "issue/{key}/transitions"
        return items(
            await self.site.get(path, kind=kind, expand="transitions.fields"), "transitions"
        )

    async def _transition(self, key: str, status: str) -> str:
        """Return the id of the transition that leads to a status now."""
        found = await self._transitions(key)
        leading = [each for each in found if text(each, "to", "name") == status]
        if not leading:
            names = dict.fromkeys(text(each, "to", "name") for each in found)
            possible = f"only {', '.join(names)}" if names else "nor anything else, for this login"
            raise WrongCall(f"{key} cannot become {status!r} now, {possible}")
        best = min(leading, key=lambda each: len(_required_fields(each)))
        if needs := _required_fields(best):
            raise WrongCall(
                f"{key} cannot become {status!r} without {', '.join(needs.values())}",
                hint="Fill that in and change the status in Jira itself.",
            )
        return text(best, "id")

    async def _priorities(self, key: str) -> Sequence[JSON]:
        reply = await self.site.get(ticket_path(key, "editmeta"), kind="issue/{key}/editmeta")
        return elements(thing(reply, "fields"), "fields", "priority", "allowedValues")

    async def _type_id(self, new: NewWorkItem) -> str:
        """Return the id of the type that a new ticket is to have."""
        path = f"issue/createmeta/{new.container}/issuetypes"
        try:
            kind = "issue/createmeta/{project}/issuetypes"
            found = (await self.site.listed(path, self._dialect.types, kind=kind)).things
        except ItemNotFound as error:
            message = f"project {new.container}: not found, or not visible to this account"
            raise ItemNotFound(message) from error
        fitting = [each for each in found if _fits(each, new)]
        if not fitting:
            names = ", ".join(text(each, "name") for each in found)
            type_name = new.type_name or new.type
            raise WrongCall(f"project {new.container} has no {type_name}, only {names}")
        plain = [each for each in fitting if text(each, "name") == "Task"]
        return text((plain or fitting)[0], "id")

    async def _own_id(self) -> str:
        if self.identity and self.identity.id:
            return self.identity.id
        me = (await self.site.get("myself", kind="myself")).json()
        return text(me, self._dialect.person)

    @property
    def _dialect(self) -> Dialect:
        return SERVER if self.site.is_data_center else CLOUD


def _key(name: str) -> str:
    if not _KEY.fullmatch(name):
        raise ItemNotFound(f"{name!r} is not the key of a ticket")
    return name


def _required_fields(transition: JSON) -> dict[str, str]:
    """Return the fields that a transition asks for and that have no value by themselves."""
    return {
        id_: text(each, "name") or id_
        for id_, each in mapping(transition, "fields").items()
        if value_at(each, "required") is True and value_at(each, "hasDefaultValue") is not True
    }


def _fits(kind: JSON, new: NewWorkItem) -> bool:
    if new.type_name:
        return text(kind, "name").lower() == new.type_name.lower()
    level = -1 if value_at(kind, "subtask") is True else epic_level(kind)
    return level == {"epic": 1, "ticket": 0, "subtask": -1}.get(new.type)
