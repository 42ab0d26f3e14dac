"""Jira Cloud in a box."""

import re
from base64 import b64decode

from rove_core.plain import JSON
from rove_sim.company import Comment, Company, Ticket
from rove_sim.server import Request, Response

_ISSUE = re.compile(r"/rest/api/3/issue/([A-Z]+-\d+)(/comment)?")
_MISSING = Response(
    {"errorMessages": ["Issue does not exist or you do not have permission to see it."]}, 404
)


class Jira:
    """Answers as Jira Cloud would for one company."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._tickets = {ticket.key: ticket for ticket in company.tickets}

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        if not self._knows(request.headers.get("authorization", "")):
            return Response({"errorMessages": ["You are not authenticated."]}, 401)
        if request.path == "/rest/api/3/myself":
            return Response({"accountId": "u1", "displayName": "Robin Doe", "timeZone": "UTC"})
        if request.path == "/rest/api/3/serverInfo":
            return Response(
                {"baseUrl": "https://northwind.atlassian.net", "deploymentType": "Cloud"}
            )
        if request.path == "/rest/api/3/search/jql":
            return self._search(str(request.json().get("jql", "")))
        match = _ISSUE.fullmatch(request.path)
        ticket = self._tickets.get(match[1]) if match else None
        if match is None or ticket is None:
            return _MISSING
        return Response(_comments(ticket) if match[2] else _issue(ticket))

    def _knows(self, header: str) -> bool:
        scheme, _, basic = header.partition(" ")
        return scheme == "Basic" and b64decode(basic).endswith(f":{self._company.token}".encode())

    def _search(self, jql: str) -> Response:
        words = re.findall(r'text ~ "((?:[^"\\]|\\.)*)"', jql)
        wanted = [word.replace('\\"', "").lower() for word in words]
        found = [
            ticket
            for ticket in self._company.tickets
            if all(word in _everything(ticket) for word in wanted)
        ]
        return Response({"issues": [_issue(ticket) for ticket in found], "isLast": True})


def _everything(ticket: Ticket) -> str:
    said = [ticket.key, ticket.title, ticket.description, *(c.text for c in ticket.comments)]
    return "\n".join(said).lower()


def _issue(ticket: Ticket) -> JSON:
    fields: JSON = {
        "summary": ticket.title,
        "description": _document(ticket.description),
        "creator": {"displayName": ticket.author},
        "created": ticket.created,
        "updated": ticket.updated,
        "labels": list(ticket.labels),
        "status": {"name": ticket.status},
    }
    return {"id": ticket.key.partition("-")[2], "key": ticket.key, "fields": fields}


def _comments(ticket: Ticket) -> JSON:
    comments = [_comment(comment) for comment in ticket.comments]
    return {"comments": comments, "total": len(comments), "startAt": 0, "maxResults": 100}


def _comment(comment: Comment) -> JSON:
    return {
        "id": comment.id,
        "author": {"displayName": comment.author},
        "body": _document(comment.text),
        "created": comment.at,
        "updated": comment.at,
    }


def _document(text: str) -> JSON:
    paragraph: JSON = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return {"type": "doc", "version": 1, "content": [paragraph]}
