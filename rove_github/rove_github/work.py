"""Issues as work items: read, change, create and comment on them."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from attrs import frozen

from rove_core import (
    JSON,
    Assignee,
    Conflict,
    Identity,
    ItemRef,
    ItemStatus,
    NewComment,
    NewWorkItem,
    ScopeMissing,
    StatusOption,
    WorkField,
    WorkItem,
    WorkItemChange,
    WrongCall,
)
from rove_core.json_reader import first_moment, mapping, read_all, read_one, reply_object
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.items import NO_TIME, GitHubItems, part_of, read_issue, repository_of
from rove_github.keys import key_of, with_key, without_key
from rove_github.parents import ParentIssues
from rove_github.references import ParsedId, parse_id

#: The statuses of an issue, each with what GitHub calls it: its state, and the reason of that.
_STATUSES: Final = {
    "open": ItemStatus(name="open", category="todo"),
    "completed": ItemStatus(name="completed", category="done"),
    "not planned": ItemStatus(name="not planned", category="canceled"),
    "duplicate": ItemStatus(name="duplicate", category="canceled"),
}
_CHANGEABLE: Final[tuple[WorkField, ...]] = (
    "title",
    "description",
    "status",
    "assignee",
    "labels",
    "parent",
)
#: A repository or an owner that may be asked for by name.
_REPOSITORY: Final = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_LATEST: Final = 100


@frozen
class GitHubWork:
    """Reads and changes the issues that one token may write.

    Attributes:
        api: Requests to the vendor.
        items: Creates references to items.
        identity: Whose token it is, as far as is known.
    """

    api: GitHubApi
    items: GitHubItems
    identity: Identity | None

    async def read(self, ref: ItemRef) -> WorkItem:
        """Return the current state of an issue."""
        issue, raw = await self._issue(ref)
        return self.of(issue, parse_id(ref.id).repository, raw)

    def options(self, work: WorkItem) -> Sequence[StatusOption]:
        """Return what else an issue can become."""
        others = [each for each in _STATUSES.values() if each.name != work.status.name]
        return [StatusOption(status=each) for each in others]

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change an issue; GitHub cannot guard that, so it is read right before."""
        if other := [name for name in change.fields if name not in _CHANGEABLE]:
            raise WrongCall(f"an issue of GitHub has no {other[0]}")
        if change.status and change.status not in _STATUSES:
            possible = ", ".join(_STATUSES)
            raise WrongCall(f"{ref.id} cannot become {change.status!r}, only {possible}")
        named = parse_id(ref.id)
        issue, raw = await self._issue(ref)
        before = self.of(issue, named.repository, raw)
        if change.if_revision not in ("", before.revision):
            raise Conflict(f"{ref.id} was changed at {before.updated:%Y-%m-%d %H:%M:%S} UTC")
        if not change.fields:
            return before
        parent = change.parent
        is_moved = "parent" in change.fields and _id(parent) != _id(before.parent)
        if is_moved and parent:
            await self._parents.check(ref, parent)
        if is_moved:
            await self._parents.move(issue, ref, parent)
        if not (body := self._body(change, issue)):
            return await self.read(ref)
        reply = await self.api.patch(_path(named), body)
        after = self.of(read_issue(reply), named.repository, reply.json())
        _check_applied(change, after)
        return after

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create an issue, unless one of the latest of this person has its key."""
        if new.type not in {"ticket", "subtask"} or new.type_name:
            raise WrongCall(f"an issue of GitHub is no {new.type_name or new.type}")
        if not _REPOSITORY.fullmatch(new.container):
            raise WrongCall(f"{new.container!r} is no repository, like acme/api")
        place = f"{repository_path(new.container)}/issues"
        filters: dict[str, str | int] = {
            "creator": await self._login(),
            "state": "all",
            "sort": "created",
            "direction": "desc",
            "per_page": _LATEST,
        }
        latest = read_all(await self.api.get(place, params=filters), replies.IssueReply)
        there = [each for each in latest if key_of(each.body) == new.key]
        if there:
            return await self._put_below_parent(new, self.of(there[0], new.container))
        body = with_key(new.description, new.key)
        reply = await self.api.post(place, {"title": new.title, "body": body})
        made = self.of(read_issue(reply), new.container, reply.json())
        return await self._put_below_parent(new, made)

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on an issue or a pull request, or change the comment with this key."""
        named = parse_id(ref.id)
        place = f"{_path(named)}/comments"
        body: JSON = {"body": with_key(comment.content, comment.key)}
        me = await self._login()
        for each in await self.api.list(place, replies.CommentReply):
            # Others may copy what they see in the source of a comment.
            is_own = each.user is not None and each.user.login == me
            if is_own and key_of(each.body) == comment.key:
                if without_key(each.body) != comment.content:
                    edited = f"{repository_path(named.repository)}/issues/comments/{each.id}"
                    await self.api.patch(edited, body)
                return part_of(ref, "comment", each.id, "issuecomment-")
        result = read_one(await self.api.post(place, body), replies.CommentReply)
        return part_of(ref, "comment", result.id, "issuecomment-")

    def of(self, issue: replies.IssueReply, name: str, raw: JSON = None) -> WorkItem:
        """Return an issue as work.

        Args:
            issue: What GitHub sent.
            name: The repository that was asked.
            raw: All that GitHub sent of it; as much as was read unless given.
        """
        people = [each for each in (issue.assignees or (issue.assignee,)) if each]
        labels = [each if isinstance(each, str) else each.name for each in issue.labels]
        created = first_moment(issue.created_at) or NO_TIME
        return WorkItem(
            ref=self.items.names.numbered(repository_of(issue) or name, issue.number, "issue"),
            type_name="Issue",
            title=issue.title,
            description=without_key(issue.body),
            status=_STATUSES[_status(issue)],
            assignee=Assignee(id=people[0].login, name=people[0].login) if people else None,
            labels=tuple(labels),
            parent=self._parents.of(issue),
            created=created,
            updated=first_moment(issue.updated_at) or created,
            revision=_revision(issue, [each.login for each in people], labels),
            changeable=_CHANGEABLE,
            raw=dict(mapping(raw)) if raw else reply_object(issue),
        )

    async def _put_below_parent(self, new: NewWorkItem, made: WorkItem) -> WorkItem:
        """Put a new issue below its parent, also one that was made by an earlier try."""
        if new.parent is None or _id(made.parent) == new.parent.id:
            return made
        return await self.change(made.ref, WorkItemChange(parent=new.parent))

    @property
    def _parents(self) -> ParentIssues:
        return ParentIssues(self.api, self.items.names)

    async def _issue(self, ref: ItemRef) -> tuple[replies.IssueReply, JSON]:
        """Return an issue, and all that GitHub sent of it."""
        reply = await self.api.get(_path(parse_id(ref.id)))
        issue = read_issue(reply)
        if issue.pull_request is not None:
            raise WrongCall(f"{ref.id} is a pull request; what is planned is its issue")
        return issue, reply.json()

    async def _login(self) -> str:
        if self.identity:
            return self.identity.name
        return read_one(await self.api.get("user"), replies.UserReply).login

    def _body(self, change: WorkItemChange, issue: replies.IssueReply) -> dict[str, JSON]:
        """Return what GitHub calls the fields of a change."""
        body: dict[str, JSON] = {}
        if change.title is not None:
            body["title"] = change.title
        if change.description is not None or "description" in change.clear:
            key, words = key_of(issue.body), change.description or ""
            body["body"] = with_key(words, key) if key else words
        if change.status is not None:
            state = "open" if change.status == "open" else "closed"
            reason = change.status.replace(" ", "_") if state == "closed" else "reopened"
            body |= {"state": state, "state_reason": reason}
        if change.assignee is not None or "assignee" in change.clear:
            body["assignees"] = [change.assignee] if change.assignee else []
        if change.labels is not None or "labels" in change.clear:
            body["labels"] = [*(change.labels or ())]
        return body


def _id(ref: ItemRef | None) -> str:
    return ref.id if ref else ""


def _path(named: ParsedId) -> str:
    if named.sha:
        raise WrongCall(f"{named.repository}@{named.sha} is a commit, which nobody works on")
    return f"{repository_path(named.repository)}/issues/{named.number}"


def _status(issue: replies.IssueReply) -> str:
    if issue.state != "closed":
        return "open"
    reason = issue.state_reason.replace("_", " ")
    return reason if reason in _STATUSES else "completed"


def _revision(issue: replies.IssueReply, people: Sequence[str], labels: Sequence[str]) -> str:
    """Return a revision that also covers changes within one second."""
    around = (*sorted(people), "", *sorted(labels), "", issue.parent_issue_url)
    parts = (issue.title, issue.body, _status(issue), *around)
    text = "\0".join(parts).encode(errors="replace")
    return f"{issue.updated_at} {sha256(text).hexdigest()[:16]}"


def _check_applied(change: WorkItemChange, after: WorkItem) -> None:
    """Raise an error if GitHub left something out in silence, as it does without push access."""
    expected = {"labels": change.labels, "assignee": change.assignee}
    found = {"labels": after.labels, "assignee": after.assignee and after.assignee.id}
    for name, value in expected.items():
        actual = found[name]
        same = (
            sorted(value) == sorted(actual or ()) if name == "labels" and value else value == actual
        )
        if value and not same:
            raise ScopeMissing(
                f"GitHub did not set the {name} of {after.ref.id}: {value}",
                hint="It wants triage access to the repository, and somebody who can be assigned.",
            )
