"""A ticket's fields as Jira's JSON."""

from collections.abc import Callable, Mapping

from attrs import frozen

from rove_core import JSON
from rove_sim import ids
from rove_sim.company_jira import File, Ticket, TicketLink
from rove_sim.jira import development
from rove_sim.jira.discussion import Discussion
from rove_sim.jira.files import attachment_id, media_type
from rove_sim.jira.parts import SiteValues
from rove_sim.jira.vocabulary import number
from rove_sim.jira.words import html

#: How a link's type reads from the ticket that has it, and from the other one.
_LINKS = {
    "Blocks": ("blocks", "is blocked by"),
    "Relates": ("relates to", "relates to"),
    "Duplicate": ("duplicates", "is duplicated by"),
    "Cloners": ("clones", "is cloned by"),
}
_MOST_COMMENTS = 20
#: The id of the field for sprints.
SPRINT = "customfield_10020"
_STANDARD = {
    "summary": "Summary",
    "description": "Description",
    "issuetype": "Issue Type",
    "project": "Project",
    "status": "Status",
    "priority": "Priority",
    "resolution": "Resolution",
    "resolutiondate": "Resolved",
    "creator": "Creator",
    "reporter": "Reporter",
    "assignee": "Assignee",
    "created": "Created",
    "updated": "Updated",
    "labels": "Labels",
    "components": "Components",
    "fixVersions": "Fix versions",
    "duedate": "Due date",
    "environment": "Environment",
    "parent": "Parent",
    "subtasks": "Sub-tasks",
    "issuelinks": "Linked Issues",
    "attachment": "Attachment",
    "comment": "Comment",
    SPRINT: "Sprint",
}
#: What `*navigable` leaves out.
_NOT_NAVIGABLE = frozenset({"comment", "attachment"})


@frozen
class FieldRenderer:
    """Renders the fields of tickets."""

    parts: SiteValues
    discussion: Discussion

    def fields(self, ticket: Ticket) -> dict[str, JSON]:
        """Return all fields of a ticket."""
        status, kind = self.parts.status(ticket.status), self.parts.type(ticket.type)
        author = self.parts.user(ticket.author)
        parent = self.parts.tickets.find(ticket.parent) if ticket.parent else None
        fields: dict[str, JSON] = {
            "summary": ticket.title,
            "description": self.parts.tickets.document(ticket.description, ticket.adf),
            "issuetype": kind,
            "project": self.parts.project(self.parts.tickets.project(ticket)),
            "status": status,
            "priority": self.parts.named("priority", ticket.priority),
            "resolution": self.parts.named("resolution", ticket.resolution),
            "resolutiondate": self.parts.time(ticket.resolved) if ticket.resolved else None,
            "creator": author,
            "reporter": author,
            "assignee": self.parts.user(ticket.assignee) if ticket.assignee else None,
            "created": self.parts.time(ticket.created),
            "updated": self.parts.time(ticket.updated or ticket.created),
            "labels": list(ticket.labels),
            "components": [self.parts.named("component", each) for each in ticket.components],
            "fixVersions": [],
            "duedate": ticket.due or None,
            "environment": None,
            "subtasks": self._subtasks(ticket),
            "issuelinks": self._links(ticket),
            "attachment": [self.file(ticket, each) for each in ticket.attachments],
            "comment": self._first_comments(ticket),
            SPRINT: [self._sprint(ticket.sprint)] if ticket.sprint else None,
        }
        if parent:
            fields["parent"] = self.parts.brief(parent)
        if ticket.development:
            fields[development.FIELD] = development.summary_text(ticket)
        return {**fields, **{custom(name): value for name, value in ticket.fields.items()}}

    def file(self, ticket: Ticket, file: File) -> JSON:
        """Return a file as Jira names it."""
        own = attachment_id(ticket, file)
        return {
            "self": f"{self.parts.rest}/attachment/{own}",
            "id": own,
            "filename": file.name,
            "author": self.parts.user(file.author or ticket.author),
            "created": self.parts.time(file.at or ticket.created),
            "size": file.size or len(file.text.encode()),
            "mimeType": media_type(file),
            "content": f"{self.parts.rest}/attachment/content/{own}",
        }

    def names(self, ticket: Ticket) -> dict[str, str]:
        """Return what people call the fields, by their ids."""
        own = {custom(name): name for name in ticket.fields}
        return {**_STANDARD, development.FIELD: "Development", **own}

    def rendered(self, ticket: Ticket) -> dict[str, JSON]:
        """Return the fields that have another form for people, in it."""
        comments: list[JSON] = [
            {**self.discussion.comment(ticket, each), "body": self.discussion.html(each)}
            for each in ticket.comments
        ]
        return {
            "description": html(self.parts.tickets.document(ticket.description, ticket.adf)),
            "created": ticket.created.astimezone(self.parts.zone).strftime("%d/%b/%y %I:%M %p"),
            "comment": {"comments": comments[:_MOST_COMMENTS]},
        }

    def _subtasks(self, ticket: Ticket) -> list[JSON]:
        below = [
            each for each in self.parts.tickets.pointing(ticket.key) if each.parent == ticket.key
        ]
        return [self.parts.brief(each) for each in below if each.type == "Sub-task"]

    def _links(self, ticket: Ticket) -> list[JSON]:
        """Return the links of a ticket from its own side, also those that others have to it."""
        own = [self._link(ticket, link, "outwardIssue", link.to) for link in ticket.links]
        theirs = [
            self._link(each, link, "inwardIssue", each.key)
            for each in self.parts.tickets.pointing(ticket.key)
            for link in each.links
            if link.to == ticket.key
        ]
        return [link for link in [*own, *theirs] if link]

    def _link(self, holder: Ticket, link: TicketLink, side: str, key: str) -> JSON:
        other = self.parts.tickets.find(key)
        if other is None:
            return None
        outward, inward = _LINKS.get(link.type, (link.type.lower(), link.type.lower()))
        own = number("link", f"{holder.key} {link.type} {link.to}")
        kind = number("linktype", link.type)
        kinds: JSON = {"id": kind, "name": link.type, "inward": inward, "outward": outward}
        return {"id": own, "type": kinds, side: self.parts.brief(other)}

    def _first_comments(self, ticket: Ticket) -> JSON:
        comments = [self.discussion.comment(ticket, each) for each in ticket.comments]
        return {
            "comments": comments[-_MOST_COMMENTS:],
            "self": f"{self.parts.rest}/issue/{ticket.id}/comment",
            "maxResults": _MOST_COMMENTS,
            "total": len(comments),
            "startAt": max(0, len(comments) - _MOST_COMMENTS),
        }

    def _sprint(self, name: str) -> JSON:
        state = self.parts.tickets.sprint_state(name)
        return {"id": int(number("sprint", name)), "name": name, "state": state, "boardId": 1}


def custom(name: str) -> str:
    """Return the id of a further field."""
    return f"customfield_{10_100 + ids.number(f'jira/field/{name}', below=900)}"


def chosen(fields: Mapping[str, JSON], names: tuple[str, ...]) -> dict[str, JSON]:
    """Return the requested fields: by name, by group, or excluding some."""
    out = {name[1:] for name in names if name.startswith("-")}
    inside = {name for name in names if not name.startswith("-")}
    tests: list[Callable[[str], bool]] = [inside.__contains__]
    if "*all" in inside or (out and not inside):
        tests.append(lambda _: True)
    if "*navigable" in inside:
        tests.append(lambda name: name not in _NOT_NAVIGABLE)
    return {
        name: value
        for name, value in fields.items()
        if name not in out and any(test(name) for test in tests)
    }
