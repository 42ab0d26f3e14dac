"""Issues as work items: read, change, create, comment on and attach files to them."""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Final

from attrs import frozen

from rove_core import (
    JSON,
    Conflict,
    ItemNotFound,
    ItemRef,
    Iteration,
    MalformedReply,
    NewComment,
    NewWorkItem,
    Reply,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WrongCall,
)
from rove_linear import mutations
from rove_linear.api import LinearApi, read_pages
from rove_linear.facts import cycle_name, present, status
from rove_linear.issue_pages import IssuePages
from rove_linear.items import LinearItems
from rove_linear.keys import id_of
from rove_linear.replies import CycleNode, IssueNode, Team, TeamReply
from rove_linear.work_items import issue_input, label_ids, states_of, work_item
from rove_linear.work_replies import ChangeData, ChangeReply, IssuePayload, LabelReply, OneComment

#: Labels that a message names.
_FEW: Final = 20


@frozen
class LinearWork:
    """Reads and changes the issues of a workspace as one of its members.

    Attributes:
        api: Requests to the vendor.
        issues: Reads issues.
        items: Creates references to items.
    """

    api: LinearApi
    issues: IssuePages
    items: LinearItems

    async def read(self, ref: ItemRef) -> WorkItem:
        """Return the current state of an issue."""
        return self._of(await self.issues.some(ref.id, "labels"))

    async def options(self, ref: ItemRef) -> list[StatusOption]:
        """Return the other states of an issue's team."""
        pages = await self.issues.some(ref.id, "states")
        own = pages[0].state
        others = [each for each in states_of(pages) if own is None or each.id != own.id]
        return [StatusOption(status=option) for option in map(status, others) if option]

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change an issue; Linear cannot guard that, so it is read right before."""
        lists = ("labels", "states") if change.status else ("labels",)
        pages = await self.issues.some(ref.id, *lists)
        before = self._of(pages)
        if change.if_revision not in ("", before.revision):
            raise Conflict(f"{ref.id} was changed at {before.updated:%Y-%m-%d %H:%M:%S} UTC")
        if other := [name for name in change.fields if name not in before.changeable]:
            raise WrongCall(f"{ref.id} has no {other[0]}: its team does not use any")
        if not change.fields:
            return before
        inputs: JSON = {
            **issue_input(
                change,
                state=_state(change.status, ref, pages) if change.status else "",
                labels=await self._labels(change.labels or (), pages),
            )
        }
        variables = {"id": pages[0].id, "input": inputs}
        # Sent once: between two tries somebody else may have changed the same fields.
        reply = await self.api.change(mutations.UPDATE, variables, repeatable=False)
        return await self._after_change(_data(reply).issueUpdate, ref.id)

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create an issue under an id that its key makes, which Linear takes once."""
        if new.type not in {"ticket", "subtask"} or new.type_name:
            raise WrongCall(f"a Linear issue cannot be a {new.type_name or new.type}")
        variables = {"key": new.container}
        found = (await self.api.ask(mutations.TEAM, variables)).read(TeamReply).data
        teams = present(found.teams.nodes)
        if not teams:
            raise _no_team(new.container)
        id_ = id_of("issue", found.organization.id, new.key)
        inputs: dict[str, JSON] = {
            "id": id_,
            "teamId": teams[0].id,
            "title": new.title,
            "description": new.description,
        }
        if new.parent:
            inputs["parentId"] = new.parent.id
        try:
            reply = await self.api.change(mutations.CREATE, {"input": inputs})
        except WrongCall as refusal:
            return self._of(await self._existing(id_, refusal))
        return await self._after_change(_data(reply).issueCreate, id_)

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on an issue under an id that the key makes; if it is taken, change its words."""
        (issue,) = await self.issues.some(ref.id)
        id_ = id_of("comment", issue.id, comment.key)
        inputs: JSON = {"id": id_, "issueId": issue.id, "body": comment.content}
        try:
            reply = await self.api.change(mutations.COMMENT, {"input": inputs})
        except WrongCall as refusal:
            try:
                reply = await self.api.ask(mutations.SAID, {"id": id_})
            except ItemNotFound:
                raise refusal from None
            existing = reply.read(OneComment).data.comment
            if existing.body != comment.content:
                edited: JSON = {"body": comment.content}
                await self.api.change(mutations.EDIT, {"id": id_, "input": edited})
            return self.items.comment(existing, issue.identifier)
        payload = _data(reply).commentCreate
        if payload is None:
            raise MalformedReply(f"{reply.where} sent no comment id")
        return self.items.comment(payload.comment, issue.identifier)

    async def iterations(self, container: str) -> list[Iteration]:
        """Return the cycles of a team: the one under way, those to come, those that are over."""

        async def ask(cursor: str | None) -> Reply:
            return await self.api.ask(mutations.CYCLES, {"key": container, "after": cursor})

        found: list[CycleNode] = []
        async with aclosing(read_pages(ask, TeamReply, _next_cycles)) as pages:
            async for page in pages:
                team = _team(page)
                if team is None:
                    raise _no_team(container)
                found += present(team.cycles.nodes)
        found.sort(key=lambda each: each.number or 0)
        return [
            *(_iteration(each) for each in found if each.isActive),
            *(_iteration(each) for each in found if not each.isActive and not each.isPast),
            *(_iteration(each) for each in reversed(found) if each.isPast),
        ]

    def _of(self, pages: Sequence[IssueNode]) -> WorkItem:
        return work_item(self.items.mentions, pages)

    async def _after_change(self, payload: IssuePayload | None, id_: str) -> WorkItem:
        """Return an issue after a change, read again if the reply is incomplete."""
        if payload is None or payload.issue.next:
            return self._of(await self.issues.some(id_, "labels"))
        return self._of([payload.issue])

    async def _existing(self, id_: str, refusal: WrongCall) -> list[IssueNode]:
        """Return the issue that has an id, or raise why it could not be created."""
        try:
            pages = await self.issues.whole(id_)
        except ItemNotFound:
            raise refusal from None
        if pages[0].trashed:
            raise ItemNotFound(f"{pages[0].identifier} was created with this key, and deleted")
        return pages

    async def _labels(self, names: Sequence[str], pages: Sequence[IssueNode]) -> list[str]:
        """Return the ids of labels: those that an issue has, and others of its team."""
        by_name = label_ids(pages)
        if set(names) - set(by_name):
            team = pages[0].team or Team()

            async def ask(cursor: str | None) -> Reply:
                return await self.api.ask(mutations.LABELS, {"team": team.id, "after": cursor})

            def following(page: LabelReply) -> str:
                return page.data.issueLabels.pageInfo.next

            async with aclosing(read_pages(ask, LabelReply, following)) as found:
                async for page in found:
                    by_name |= {each.name: each.id for each in present(page.data.issueLabels.nodes)}
        if lacking := [name for name in names if name not in by_name]:
            possible = ", ".join(sorted(by_name)[:_FEW])
            raise WrongCall(f"Linear has no label {lacking[0]!r} for this team, but {possible}")
        return [by_name[name] for name in names]


def _data(reply: Reply) -> ChangeData:
    return reply.read(ChangeReply).data


def _state(name: str, ref: ItemRef, pages: Sequence[IssueNode]) -> str:
    """Return the id of a state."""
    states = {each.name: each.id for each in states_of(pages)}
    if name not in states:
        raise WrongCall(f"{ref.id} cannot become {name!r}, only {', '.join(states)}")
    return states[name]


def _team(page: TeamReply) -> Team | None:
    return next(iter(present(page.data.teams.nodes)), None)


def _next_cycles(page: TeamReply) -> str:
    team = _team(page)
    return team.cycles.pageInfo.next if team else ""


def _no_team(name: str) -> ItemNotFound:
    return ItemNotFound(f"team {name}: not found, or not visible to this account")


def _iteration(cycle: CycleNode) -> Iteration:
    return Iteration(
        id=cycle.id,
        name=cycle_name(cycle),
        state="active" if cycle.isActive else "completed" if cycle.isPast else "planned",
        starts=cycle.startsAt,
        ends=cycle.endsAt,
        goal=cycle.description,
    )
