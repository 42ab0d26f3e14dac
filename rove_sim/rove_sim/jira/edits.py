"""Changes that a site accepts: tickets, transitions, comments."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_core import JSON
from rove_core.json_reader import elements, mapping, string, text, value_at
from rove_sim.company_jira import Ticket, TicketChange, TicketComment
from rove_sim.jira.errors import MISSING, refuse
from rove_sim.jira.field_edits import FieldEdits, refuse_fields
from rove_sim.jira.fields import FieldRenderer, custom
from rove_sim.jira.store import with_comment
from rove_sim.jira.vocabulary import PRIORITIES, RESOLUTIONS, STATUSES, TYPES, number
from rove_sim.parameters import flag, some_of, taking, within
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.jira.site import Jira

_DONE: Final = "Done"
_MOST_TYPES: Final = 50


def _anything(value: JSON) -> str:  # noqa: ARG001  # the answer reads it from the body
    """Take a value of any form."""
    return ""


@frozen
class IssueEdits:
    """Changes tickets, as the token's owner."""

    jira: "Jira"
    render: FieldRenderer

    def routes(self) -> Sequence[VendorRoute]:
        """Return the routes for edits and for the metadata before them."""
        api = "/rest/api/3"
        issue = f"{api}/issue/{{key}}"
        body = taking("body", body=_anything, properties=_anything)
        new = taking("fields", fields=_anything, properties=_anything)
        done = taking("transition", transition=_anything, fields=_anything)
        screens = taking(expand=some_of("transitions.fields"))
        pages = taking(startAt=within(0, 10**6), maxResults=within(1, 200))
        changed = taking("fields", fields=_anything)
        quietly = taking(notifyUsers=flag)
        return [
            VendorRoute(method="POST", path=f"{api}/issue", answer=self.create, body=new),
            VendorRoute(method="PUT", path=issue, answer=self.change, body=changed, query=quietly),
            VendorRoute(method="GET", path=f"{issue}/editmeta", answer=self.editable),
            VendorRoute(
                method="GET", path=f"{issue}/transitions", answer=self.transitions, query=screens
            ),
            VendorRoute(
                method="POST", path=f"{issue}/transitions", answer=self.transition, body=done
            ),
            VendorRoute(method="POST", path=f"{issue}/comment", answer=self.comment, body=body),
            VendorRoute(
                method="PUT", path=f"{issue}/comment/{{id}}", answer=self.edit_comment, body=body
            ),
            VendorRoute(
                method="GET",
                path=f"{api}/issue/createmeta/{{project}}/issuetypes",
                answer=self.types,
                query=pages,
            ),
        ]

    def create(self, call: RoutedRequest) -> Response:
        """Create a ticket under the next number of its project."""
        self._check_writer(call)
        body = call.request.json()
        fields = {**mapping(body, "fields")}
        project = text(fields.pop("project", None), "key")
        if project not in [each.key for each in self.jira.tickets.projects()]:
            refuse_fields({"project": "valid project is required"})
        kind = self._type(fields.pop("issuetype", None))
        if "summary" not in fields:
            refuse_fields({"summary": "You must specify a summary of the issue."})
        if lacking := [each for each in self.jira.needed if custom(each) not in fields]:
            refuse_fields({custom(each): f"{each} is required." for each in lacking})
        if kind == "Sub-task" and "parent" not in fields:
            refuse_fields({"parent": "Issue type is a sub-task but parent issue key is missing."})
        if kind != "Sub-task" and "parent" in fields and self.jira.parents_stay:
            refuse_fields({"parent": "Issue type is not a sub-task but a parent is given."})
        now = self.jira.clock.now()
        empty = Ticket(
            key=self.jira.tickets.next_key(project),
            title="",
            type=kind,
            author=self._me,
            created=now,
            updated=now,
        )
        properties = {
            string(each, "key"): value_at(each, "value") for each in elements(body, "properties")
        }
        ticket = FieldEdits(self.jira).applied(evolve(empty, properties=properties), fields)
        made = self.jira.tickets.put(ticket)
        address = f"{self.render.parts.site}/rest/api/3/issue/{made.id}"
        return Response({"id": made.id, "key": made.key, "self": address}, 201)

    def change(self, call: RoutedRequest) -> Response:
        """Change the fields of a ticket; it says nothing then."""
        self._check_writer(call)
        ticket = self._ticket(call)
        fields = mapping(call.request.json(), "fields")
        if "parent" in fields and self.jira.parents_stay:
            refuse_fields({"parent": "Field 'parent' cannot be set. It is not on the screen."})
        self._put(FieldEdits(self.jira).applied(ticket, fields))
        return Response(None, 204)

    def editable(self, call: RoutedRequest) -> Response:
        """Return the editable fields and their allowed values."""
        ticket = self._ticket(call)
        priorities: list[JSON] = [self.render.parts.named("priority", each) for each in PRIORITIES]
        return Response(
            {
                "fields": {
                    "summary": _field("summary", "Summary", "string", required=True),
                    "labels": _field("labels", "Labels", "array"),
                    "priority": {
                        **_field("priority", "Priority", "priority"),
                        "allowedValues": priorities,
                    },
                    **{custom(each): _field(custom(each), each, "any") for each in ticket.fields},
                }
            }
        )

    def transitions(self, call: RoutedRequest) -> Response:
        """Return the possible transitions of a ticket."""
        shown = "transitions.fields" in call.words("expand")
        ticket = self._ticket(call)
        found: list[JSON] = [
            self._transition(to, ticket, fields=shown) for to in self._targets(ticket)
        ]
        return Response({"expand": "transitions", "transitions": found})

    def transition(self, call: RoutedRequest) -> Response:
        """Move a ticket to another status, if possible and complete."""
        self._check_writer(call)
        ticket, body = self._ticket(call), call.request.json()
        target_id = text(body, "transition", "id")
        targets = {self._transition_id(ticket, to): to for to in self._targets(ticket)}
        if target_id not in targets:
            refuse(
                400,
                "It seems that you have tried to perform an illegal workflow operation "
                f"({target_id}). The transition may not be possible from the current status.",
            )
        to = targets[target_id]
        resolution = text(body, "fields", "resolution", "name")
        if to in self.jira.needs_resolution and resolution not in RESOLUTIONS:
            refuse_fields({"resolution": "Resolution is required."})
        now = self.jira.clock.now()
        line = TicketChange(at=now, author=self._me, field="status", before=ticket.status, after=to)
        is_over = to == _DONE
        self._put(
            evolve(
                ticket,
                status=to,
                resolution=(resolution or _DONE) if is_over else "",
                resolved=now if is_over else None,
                changelog=(*ticket.changelog, line),
            )
        )
        return Response(None, 204)

    def comment(self, call: RoutedRequest) -> Response:
        """Add a comment."""
        self._check_writer(call)
        ticket = self._ticket(call)
        draft = TicketComment(author=self._me, at=self.jira.clock.now(), adf=self._document(call))
        added = self._put(with_comment(ticket, draft))
        return Response(self.render.discussion.comment(added, added.comments[-1]), 201)

    def edit_comment(self, call: RoutedRequest) -> Response:
        """Edit the user's own comment."""
        self._check_writer(call)
        ticket = self._ticket(call)
        found = [each for each in ticket.comments if each.id == call.path["id"]]
        if not found:
            refuse(404, f"Can not find a comment for the id: {call.path['id']}.")
        now = self.jira.clock.now()
        after = evolve(found[0], text="", adf=self._document(call), updated=now)
        changed = self._put(with_comment(ticket, after))
        return Response(self.render.discussion.comment(changed, after))

    def types(self, call: RoutedRequest) -> Response:
        """Return the issue types of a project."""
        keys = [each.key for each in self.jira.tickets.projects()]
        if call.path["project"] not in keys:
            refuse(404, "No project could be found with key or id.")
        found: list[JSON] = [self.render.parts.type(each) for each in TYPES]
        start = call.number("startAt")
        page = found[start : start + call.number("maxResults", _MOST_TYPES)]
        return Response(
            {"startAt": start, "maxResults": _MOST_TYPES, "total": len(found), "issueTypes": page}
        )

    def _type(self, value: JSON) -> str:
        for name in TYPES:
            if name == text(value, "name") or number("type", name) == text(value, "id"):
                return name
        return refuse_fields({"issuetype": "Specify a valid issue type"})

    def _targets(self, ticket: Ticket) -> list[str]:
        allowed = self.jira.workflow.get(ticket.status)
        statuses = STATUSES if allowed is None else allowed
        return [name for name in statuses if name != ticket.status]

    def _transition_id(self, ticket: Ticket, to: str) -> str:
        """Return the id of a transition, which is another one from each status."""
        return number("transition", f"{ticket.status} {to}")

    def _transition(self, to: str, ticket: Ticket, *, fields: bool) -> JSON:
        is_needed = to in self.jira.needs_resolution
        shown: dict[str, JSON] = {
            "id": self._transition_id(ticket, to),
            "name": f"Move to {to}",
            "to": self.render.parts.status(to),
            "hasScreen": is_needed,
            "isGlobal": False,
            "isInitial": False,
            "isAvailable": True,
            "isConditional": False,
            "looped": False,
        }
        if fields:
            needed = _field("resolution", "Resolution", "resolution", required=True)
            shown["fields"] = {"resolution": needed} if is_needed else {}
        return shown

    def _check_writer(self, call: RoutedRequest) -> None:
        """Refuse a login that may only read."""
        if refusal := self.jira.read_only(call.request):
            refuse(refusal[0], refusal[1])

    def _document(self, call: RoutedRequest) -> JSON:
        """Return the text of a comment."""
        body: JSON = call.request.json().get("body")
        if not self.jira.is_text(body):
            refuse_fields({"comment": "Comment body is not valid!"})
        return body

    def _ticket(self, call: RoutedRequest) -> Ticket:
        ticket = self.jira.tickets.find(call.path["key"])
        return ticket or refuse(404, MISSING)

    def _put(self, ticket: Ticket) -> Ticket:
        return self.jira.tickets.put(evolve(ticket, updated=self.jira.clock.now()))

    @property
    def _me(self) -> str:
        owner = self.jira.company.owner
        return owner.key or owner.name


def _field(key: str, name: str, kind: str, *, required: bool = False) -> dict[str, JSON]:
    return {
        "required": required,
        "schema": {"type": kind, "system": key},
        "name": name,
        "key": key,
        "operations": ["set"],
    }
