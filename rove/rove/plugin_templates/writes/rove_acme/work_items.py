"""Acme's tickets as work items: what changed in them, and how they are changed."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rove_core import (
    Container,
    ItemRef,
    ItemStatus,
    ListedChange,
    ListScope,
    NewComment,
    NewWorkItem,
    Reply,
    RoveError,
    ScopeMissing,
    StatusCategory,
    StatusOption,
    UpdateCursor,
    WorkField,
    WorkItem,
    WorkItemChange,
    WorkItemHooks,
    WrongCall,
    hookimpl,
    status_fault,
)
from rove_core.json_reader import reply_object

from rove_acme import tracker

if TYPE_CHECKING:
    from rove_core import Http

_CATEGORIES: Mapping[str, StatusCategory] = {
    "Open": "todo",
    "In progress": "in_progress",
    "Done": "done",
}
#: What can be changed: what Acme calls each field, and its value when it is cleared.
_FIELDS: Mapping[WorkField, tuple[str, object]] = {
    "title": ("title", ""),
    "description": ("text", ""),
    "status": ("status", ""),
    "labels": ("labels", []),
}


class AcmeWorkItems(tracker.AcmeTracker, WorkItemHooks):
    """Lists and changes the tickets. Each hook is a capability: remove those Acme lacks."""

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the only project."""
        return [Container(name="ACME")]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the tickets that changed, newest first, each as an item and as work."""
        place, left = UpdateCursor.of(scope), scope.limit
        async with aclosing(self._changed(place)) as tickets:
            async for ticket in tickets:
                if place.is_new(ticket.id, ticket.changed):
                    left -= 1
                    cursor = "" if left else place.text(done=False)
                    item, work = self._item(ticket), self._work(ticket)
                    yield ListedChange(item=item, work=work, whole=True, cursor=cursor)
                if not left:
                    return
        yield ListedChange(cursor=place.text(done=True))

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return a ticket as it is now."""
        return self._work(await self._ticket(ref))

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return the statuses that a ticket can take now."""
        return [StatusOption(status=_status(name)) for name in (await self._ticket(ref)).next]

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change the given fields; Acme refuses if the ticket has another revision by then."""
        ticket = await self._ticket(ref)
        if change.status not in (None, ticket.status, *ticket.next):
            possible = ", ".join(ticket.next)
            raise WrongCall(f"{ref.id} cannot become {change.status!r} now, only {possible}")
        body: dict[str, Any] = {}
        for name in change.fields:
            if name not in _FIELDS:
                raise WrongCall(f"a ticket of Acme has no {name}")
            key, empty = _FIELDS[name]
            body[key] = empty if name in change.clear else getattr(change, name)
        guard = change.if_revision or str(ticket.revision)
        reply = await self._writing.patch(_path(ref), json=body, if_match=guard)
        return self._work(reply.read(tracker.TicketReply))

    @hookimpl
    async def rove_create_work_item(self, new: NewWorkItem) -> WorkItem:
        """Create a ticket; Acme ignores a second request with the same key."""
        if new.parent:
            raise WrongCall("Acme creates no ticket below another one")
        body = {"project": new.container, "title": new.title, "text": new.description}
        reply = await self._writing.post("api/tickets", json=body, idempotency_key=new.key)
        return self._work(reply.read(tracker.TicketReply))

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment under an id of our choice: the second time it is the same comment."""
        place = f"{_path(ref)}/comments/{quote(comment.key, safe='')}"
        reply = await self._writing.put(place, json={"text": comment.content}, repeatable=True)
        return self._ref(f"{ref.id}#{reply.read(tracker.Comment).id}", "comment")

    @property
    def _writing(self) -> "Http":
        return self._http.reading(_fault)

    async def _ticket(self, ref: ItemRef) -> tracker.TicketReply:
        return (await self._http.get(_path(ref))).read(tracker.TicketReply)

    async def _changed(self, place: UpdateCursor) -> AsyncGenerator[tracker.TicketReply, None]:
        times = {"since": place.since, "until": place.until}
        params: dict[str, str | int | bool] = {n: at.isoformat() for n, at in times.items() if at}
        params["size"] = self._account.settings.page_size
        pages = self._http.pages("api/changes", lambda r: r.read(tracker.Page).next, params=params)
        async with aclosing(pages) as replies:
            async for reply in replies:
                for ticket in reply.read(tracker.Page).tickets:
                    yield ticket

    def _work(self, ticket: tracker.TicketReply) -> WorkItem:
        return WorkItem(
            ref=self._ref(ticket.id),
            type_name="Ticket",
            title=ticket.title,
            description=ticket.text,
            status=_status(ticket.status),
            labels=ticket.labels,
            created=ticket.created or ticket.changed,
            updated=ticket.changed,
            revision=str(ticket.revision),
            changeable=tuple(_FIELDS),
            raw=reply_object(ticket),
        )


def _fault(reply: Reply) -> RoveError | None:
    """Name the scope that a change needs; a bare 403 does not."""
    if reply.status == 403:
        return ScopeMissing(
            "this login may only read: Acme needs the scope tickets:write",
            hint="Log in again with that right: rove --add-source acme",
        )
    return status_fault(reply)


def _path(ref: ItemRef) -> str:
    return f"api/tickets/{quote(ref.id, safe='')}"


def _status(name: str) -> ItemStatus:
    return ItemStatus(name=name, category=_CATEGORIES.get(name, "todo"))
