"""Linear's issues with their parts."""

import re
from functools import cache, partial
from typing import Final
from urllib.parse import urlsplit

from rove_sim import ids
from rove_sim.company_linear import (
    LinearAttachment,
    LinearChange,
    LinearComment,
    LinearIssue,
    LinearRelation,
)
from rove_sim.graphql import Node
from rove_sim.linear.directory import (
    actors,
    cycle,
    entity,
    label,
    member,
    state,
    team,
    user,
)
from rove_sim.linear.times import perhaps, written
from rove_sim.linear.wiki import LinearWiki
from rove_sim.linear.workspace import Workspace, changed, issue_id, issue_text, team_key

_PRIORITIES: Final = ("No priority", "Urgent", "High", "Medium", "Low")
_SOURCES: Final = {"github.com": "github", "slack.com": "slack", "zendesk.com": "zendesk"}
_ENDED: Final = {"completed": "completedAt", "canceled": "canceledAt"}


def issue_node(workspace: Workspace, issue: LinearIssue) -> Node:
    """Return an issue."""
    return workspace.cached_node(issue, _issue)


def comment_nodes(workspace: Workspace, issue: LinearIssue) -> list[Node]:
    """Return the comments below an issue, replies among them."""
    return [_comment(workspace, issue, comment) for comment in issue.comments]


def attachment_nodes(workspace: Workspace, issue: LinearIssue) -> list[Node]:
    """Return the attachments of an issue."""
    return [_attachment(workspace, issue, each) for each in issue.attachments]


def _issue(workspace: Workspace, issue: LinearIssue) -> Node:
    key, number = issue.identifier.rsplit("-", 1)
    about, cycle_of = workspace.project(issue), workspace.cycle(issue)
    return {
        **entity(issue_id(issue), issue.created, changed(issue)),
        "archivedAt": perhaps(issue.archived),
        "identifier": issue.identifier,
        "previousIdentifiers": list(issue.old_identifiers),
        "number": float(number),
        "title": issue.title,
        "description": issue.description or None,
        "url": _page(workspace, issue),
        "branchName": f"{workspace.company.owner.key}/{issue.identifier.lower()}-{_slug(issue)}",
        "priority": float(issue.priority),
        "priorityLabel": _PRIORITIES[issue.priority],
        "estimate": None if issue.estimate is None else float(issue.estimate),
        "dueDate": issue.due.isoformat() if issue.due else None,
        "trashed": issue.trashed or None,
        **actors(workspace, issue.author, "creator", "externalUserCreator"),
        "assignee": member(workspace, issue.assignee),
        "state": state(workspace, issue.state, key),
        **_milestones(workspace, issue),
        "team": team(workspace, key),
        "project": LinearWiki(workspace, partial(issue_node, workspace)).project(about)
        if about
        else None,
        "cycle": cycle(workspace, cycle_of) if cycle_of else None,
        "searchableContent": issue_text(issue, comments=True),
        "metadata": {},
        **_hanging(workspace, issue),
    }


def _hanging(workspace: Workspace, issue: LinearIssue) -> Node:
    """Return the fields that are computed on request only."""
    parent = workspace.find(issue.parent) if issue.parent else None
    several = workspace.several
    return {
        "documents": several(
            partial(
                LinearWiki(workspace, partial(issue_node, workspace)).documents, issue.identifier
            )
        ),
        "labels": several(lambda: [label(workspace, name) for name in issue.labels]),
        "parent": lambda _: issue_node(workspace, parent) if parent else None,
        "children": several(
            lambda: [issue_node(workspace, child) for child in workspace.below(issue)]
        ),
        # Made once for all pages: the whole of what hangs on an issue is made anew when it changes.
        "comments": several(cache(partial(comment_nodes, workspace, issue))),
        "attachments": several(partial(attachment_nodes, workspace, issue)),
        "relations": several(lambda: _relations(workspace, issue)),
        "inverseRelations": several(lambda: _inverse(workspace, issue)),
        "history": several(lambda: [_change(workspace, issue, each) for each in issue.history]),
    }


def _milestones(workspace: Workspace, issue: LinearIssue) -> Node:
    """Return when an issue was started and ended, from history or last change."""
    reached: dict[str, str | None] = {"startedAt": None, "completedAt": None, "canceledAt": None}
    for change in issue.history:
        if change.what == "state":
            kind = str(state(workspace, change.after, team_key(issue))["type"])
            reached[_ENDED.get(kind, "startedAt")] = written(change.at)
    now = str(state(workspace, issue.state, team_key(issue))["type"])
    if now in _ENDED and reached[_ENDED[now]] is None:
        reached[_ENDED[now]] = written(changed(issue))
    return dict(reached)


def _comment(workspace: Workspace, issue: LinearIssue, comment: LinearComment) -> Node:
    id_ = comment_id(issue, comment)
    above = None
    if comment.reply_to:
        above = next((each for each in issue.comments if each.id == comment.reply_to), None)

    def replies() -> list[Node]:
        below = [each for each in issue.comments if comment.id and each.reply_to == comment.id]
        return [_comment(workspace, issue, each) for each in below]

    return {
        **entity(id_, comment.at, comment.updated),
        "body": comment.text,
        "url": f"{_page(workspace, issue)}#comment-{id_[:8]}",
        "editedAt": perhaps(comment.updated),
        **actors(workspace, comment.author, "user", "externalUser"),
        "issue": lambda _: issue_node(workspace, issue),
        "issueId": issue_id(issue),
        "parent": lambda _: _comment(workspace, issue, above) if above else None,
        "parentId": comment_id(issue, above) if above else None,
        "children": workspace.several(replies),
        "documentContentId": None,
    }


def comment_id(issue: LinearIssue, comment: LinearComment) -> str:
    """Return the UUID of a comment."""
    named = f"{issue.identifier}/{comment.at.isoformat()}/{comment.author}"
    return comment.id or ids.uuid(f"linear/comment/{named}")


def _attachment(workspace: Workspace, issue: LinearIssue, attachment: LinearAttachment) -> Node:
    return {
        **entity(attachment_id(issue, attachment), issue.created),
        "title": attachment.title,
        "subtitle": attachment.subtitle or None,
        "url": attachment.url,
        "sourceType": attachment.source or _source(attachment.url),
        "metadata": {},
        "creator": user(workspace, workspace.company.owner),
        "issue": lambda _: issue_node(workspace, issue),
    }


def attachment_id(issue: LinearIssue, attachment: LinearAttachment) -> str:
    """Return the UUID of an attachment."""
    return attachment.id or ids.uuid(f"linear/attachment/{issue.identifier}/{attachment.url}")


def _source(url: str) -> str:
    host = urlsplit(url).hostname or ""
    return _SOURCES.get(".".join(host.split(".")[-2:]), "unknown")


def _relations(workspace: Workspace, issue: LinearIssue) -> list[Node]:
    found = [(each, workspace.find(each.issue)) for each in issue.relations]
    return [_relation(workspace, issue, each, other) for each, other in found if other]


def _inverse(workspace: Workspace, issue: LinearIssue) -> list[Node]:
    return [
        _relation(workspace, other, each, issue)
        for other in workspace.relating(issue)
        for each in other.relations
        if workspace.find(each.issue) == issue
    ]


def _relation(
    workspace: Workspace, issue: LinearIssue, relation: LinearRelation, other: LinearIssue
) -> Node:
    named = f"{issue.identifier}/{relation.kind}/{other.identifier}"
    return {
        **entity(ids.uuid(f"linear/relation/{named}"), issue.created),
        "type": relation.kind,
        "issue": lambda _: issue_node(workspace, issue),
        "relatedIssue": lambda _: issue_node(workspace, other),
    }


def _change(workspace: Workspace, issue: LinearIssue, change: LinearChange) -> Node:
    named = f"{issue.identifier}/{change.at.isoformat()}/{change.what}"
    return {
        **entity(ids.uuid(f"linear/history/{named}"), change.at),
        **actors(workspace, change.author, "actor"),
        "actorId": (workspace.member(change.author) or workspace.company.owner).linear,
        "issue": lambda _: issue_node(workspace, issue),
        **_difference(workspace, issue, change),
    }


def _difference(workspace: Workspace, issue: LinearIssue, change: LinearChange) -> Node:
    """Return the history fields of a change; all others are null."""
    match change.what:
        case "state":
            before, after = (
                state(workspace, name, team_key(issue)) if name else None
                for name in (change.before, change.after)
            )
            return {"fromState": before, "toState": after}
        case "assignee":
            before, after = (member(workspace, who) for who in (change.before, change.after))
            return {"fromAssignee": before, "toAssignee": after}
        case "priority":
            return {"fromPriority": float(change.before or 0), "toPriority": float(change.after)}
        case "title":
            return {"fromTitle": change.before, "toTitle": change.after}
        case "archived":
            return {"archived": change.after != "false"}


def _page(workspace: Workspace, issue: LinearIssue) -> str:
    return f"{workspace.home}/issue/{issue.identifier}/{_slug(issue)}"


def _slug(issue: LinearIssue) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", issue.title.lower()))
