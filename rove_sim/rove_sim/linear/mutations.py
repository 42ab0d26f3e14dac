"""Changes that Linear accepts."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final, TypeVar, cast
from uuid import UUID

import attrs
from attrs import frozen

from rove_sim import ids
from rove_sim.company_linear import LinearAttachment, LinearChange, LinearComment, LinearIssue
from rove_sim.graphql import Answer, Arguments, FieldError, Node
from rove_sim.linear.directory import cycle_id, label_id, state_id, team_id
from rove_sim.linear.faults import invalid, not_found
from rove_sim.linear.issues import attachment_nodes, comment_id, comment_nodes, issue_node
from rove_sim.linear.workspace import Workspace, changed, issue_id, team_key

#: Where a file stays that was uploaded.
_FILES: Final = "https://uploads.linear.app"
_TOLD: Final = ("state", "title", "assignee", "priority")
_TICK: Final = timedelta(milliseconds=1)
_PRIORITIES: Final = range(5)

_Found = TypeVar("_Found")


@frozen
class LinearMutations:
    """Changes the issues of a workspace, as its owner.

    Attributes:
        workspace: What is changed.
        origin: Where it is asked, which is where files are uploaded to.
    """

    workspace: Workspace
    origin: str

    def root(self) -> Node:
        """Return where all changes begin."""
        return {
            "attachmentCreate": self._attach,
            "commentCreate": self._comment,
            "commentUpdate": self._edit,
            "fileUpload": self._upload,
            "issueCreate": self._create,
            "issueUpdate": self._update,
        }

    def _update(self, arguments: Arguments) -> Answer:
        before = self._issue(arguments["id"])
        fields = _input(arguments)
        if not fields.get("title", before.title):
            raise invalid("title must not be empty")
        values = self._new_values(fields, team_key(before))
        after = attrs.evolve(before, **values, updated=self._now(changed(before)))
        lines = [
            LinearChange(author=self._who, at=self._now(), what=what, before=old, after=new)
            for what in _TOLD
            if (old := str(getattr(before, what))) != (new := str(getattr(after, what)))
        ]
        return self._save_issue(attrs.evolve(after, history=(*before.history, *lines)))

    def _create(self, arguments: Arguments) -> Answer:
        fields = _input(arguments)
        key = _first(self.workspace.teams(), team_id, fields["teamId"], "Team")
        used_ids = [issue_id(each) for each in self.workspace.issues.values()]
        numbers = [
            int(each.identifier.rpartition("-")[2])
            for each in self.workspace.issues.values()
            if team_key(each) == key
        ]
        if not fields.get("title"):
            raise invalid("title must not be empty")
        issue = LinearIssue(
            identifier=f"{key}-{max(numbers) + 1}",
            id=_new_id(fields, used_ids, "Issue"),
            title="",
            author=self._who,
            created=self._now(),
            state="Backlog",
        )
        return self._save_issue(attrs.evolve(issue, **self._new_values(fields, key)))

    def _comment(self, arguments: Arguments) -> Answer:
        fields = _input(arguments)
        issue = self._issue(fields.get("issueId"))
        used_ids = [
            comment_id(each, remark)
            for each in self.workspace.issues.values()
            for remark in each.comments
        ]
        comment = LinearComment(
            id=_new_id(fields, used_ids, "Comment"),
            author=self._who,
            at=self._now(),
            text=_text(fields, "body"),
            reply_to=str(fields.get("parentId") or ""),
        )
        self._keep(attrs.evolve(issue, comments=(*issue.comments, comment)))
        return self._comment_done(comment.id)

    def _edit(self, arguments: Arguments) -> Answer:
        id_, text = str(arguments["id"]), _text(_input(arguments), "body")
        for issue in self.workspace.visible():
            if id_ in [comment_id(issue, each) for each in issue.comments]:
                comments = [
                    attrs.evolve(each, text=text, updated=self._now(each.at))
                    if comment_id(issue, each) == id_
                    else each
                    for each in issue.comments
                ]
                self._keep(attrs.evolve(issue, comments=tuple(comments)))
                return self._comment_done(id_)
        raise not_found("Comment")

    def _upload(self, arguments: Arguments) -> Answer:
        name = ids.uuid(f"linear/file/{len(self.workspace.files)}/{arguments['filename']}")
        address = f"{_FILES}/{name}"
        self.workspace.files[address] = b""
        headers: Node = {"key": "x-goog-content-length-range", "value": f"{arguments['size']}"}
        file: Node = {
            "assetUrl": address,
            "contentType": str(arguments["contentType"]),
            "filename": str(arguments["filename"]),
            "headers": [headers],
            "size": cast("int", arguments["size"]),
            "uploadUrl": f"{self.origin}/upload/{name}",
        }
        return _done("uploadFile", file)

    def _attach(self, arguments: Arguments) -> Answer:
        fields = _input(arguments)
        issue, url = self._issue(fields["issueId"]), _text(fields, "url")
        used_ids = [
            str(node["id"])
            for each in self.workspace.issues.values()
            for node in attachment_nodes(self.workspace, each)
        ]
        # The address tells an attachment of an issue from the others: the same one is written over.
        same = next((each for each in issue.attachments if each.url == url), None)
        attachment = LinearAttachment(
            id=same.id if same else _new_id(fields, used_ids, "Attachment"),
            title=_text(fields, "title"),
            subtitle=str(fields.get("subtitle") or ""),
            url=url,
        )
        others = [each for each in issue.attachments if each is not same]
        issue = self._keep(attrs.evolve(issue, attachments=(*others, attachment)))
        return _done("attachment", attachment_nodes(self.workspace, issue)[-1])

    def _new_values(self, fields: Mapping[str, object], key: str) -> dict[str, Any]:
        """Return the new values of an issue under the simulator's names."""
        read: Mapping[str, tuple[str, Callable[[object], object]]] = {
            "title": ("title", str),
            "description": ("description", lambda text: str(text or "")),
            "priority": ("priority", _priority),
            "estimate": ("estimate", lambda size: size),
            "dueDate": ("due", lambda day: date.fromisoformat(str(day)) if day else None),
            "stateId": ("state", lambda id_: self._state(id_, key)),
            "assigneeId": ("assignee", self._member),
            "labelIds": ("labels", self._labels),
            "cycleId": ("cycle", lambda id_: self._cycle(id_, key)),
            "parentId": ("parent", lambda id_: self._issue(id_).identifier if id_ else ""),
        }
        return {
            name: reader(fields[field]) for field, (name, reader) in read.items() if field in fields
        }

    def _state(self, id_: object, key: str) -> str:
        states = self.workspace.states(key)
        return _first(states, lambda name: state_id(name, key), id_, "WorkflowState")

    def _member(self, id_: object) -> str:
        people = self.workspace.company.people
        return _first(people, lambda each: each.linear, id_, "User").key if id_ else ""

    def _labels(self, found: object) -> tuple[str, ...]:
        names = self.workspace.labels()
        id_list = found if isinstance(found, list) else []
        return tuple(_first(names, label_id, id_, "IssueLabel") for id_ in id_list)

    def _cycle(self, id_: object, key: str) -> int:
        return _first(self.workspace.cycles(key), cycle_id, id_, "Cycle").number if id_ else 0

    def _issue(self, name: object) -> LinearIssue:
        issue = self.workspace.find(str(name or ""))
        if issue is None:
            raise not_found("Issue")
        return issue

    def _save_issue(self, issue: LinearIssue) -> Answer:
        return _done("issue", issue_node(self.workspace, self._keep(issue)))

    def _keep(self, issue: LinearIssue) -> LinearIssue:
        self.workspace.issues[issue.identifier] = issue
        return issue

    def _comment_done(self, id_: str) -> Answer:
        nodes = [
            node
            for issue in self.workspace.visible()
            for node in comment_nodes(self.workspace, issue)
        ]
        return _done("comment", next(node for node in nodes if node["id"] == id_))

    @property
    def _who(self) -> str:
        return self.workspace.company.owner.key

    def _now(self, after: datetime | None = None) -> datetime:
        """Return the time, which is later than that of any earlier change."""
        now = self.workspace.now()
        return max(now, after + _TICK) if after else now


def _input(arguments: Arguments) -> Mapping[str, object]:
    return cast("Mapping[str, object]", arguments["input"])


def _done(name: str, node: Node) -> Node:
    return {name: node, "lastSyncId": 1.0, "success": True}


def _text(fields: Mapping[str, object], name: str) -> str:
    """Return a text that must not be empty."""
    text = str(fields.get(name) or "")
    if not text.strip():
        raise invalid(f"{name} must not be empty")
    return text


def _priority(number: object) -> int:
    if number is None or number not in _PRIORITIES:
        raise invalid("priority must be from 0 to 4")
    return int(cast("int", number))


def _new_id(fields: Mapping[str, object], used_ids: list[str], what: str) -> str:
    """Return the client's id, which must be an unused random UUID."""
    own_id = fields.get("id")
    if own_id is None:
        return ids.uuid(f"linear/{what}/{len(used_ids)}")
    try:
        version = UUID(str(own_id)).version
    except ValueError:
        version = None
    if version != 4:  # as its documentation says: in UUID v4 format
        raise invalid("id must be a UUID")
    if own_id in used_ids:
        raise FieldError(f"Entity already exists: {what}", invalid("id is taken").extensions)
    return str(own_id)


def _first(
    found: "list[_Found] | tuple[_Found, ...]",
    id_of: Callable[[_Found], str],
    target: object,
    what: str,
) -> _Found:
    """Return the object with an id."""
    for each in found:
        if id_of(each) == target:
            return each
    raise not_found(what)
