"""Linear in a box."""

import re
from collections.abc import Mapping
from datetime import datetime

from rove_core.plain import JSON
from rove_sim.company import Comment, Company, Issue
from rove_sim.server import Request, Response

_ROOT_FIELD = re.compile(r"\{\s*(\w+)")


class Linear:
    """Answers as Linear's GraphQL API would for one workspace.

    It goes by the first field that is asked for and by the variables, and gives all it knows
    of an object, whatever else the query selects.
    """

    def __init__(self, company: Company) -> None:
        self._company = company
        self._issues = {issue.identifier: issue for issue in company.issues}

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        if request.path != "/graphql":
            return Response({"message": "Not Found"}, 404)
        if request.headers.get("authorization") != self._company.token:
            return _refusal("AUTHENTICATION_ERROR", "Authentication required", 401)
        asked = request.json()
        root = _ROOT_FIELD.search(str(asked.get("query", "")))
        return self._answer(root[1] if root else "", asked.get("variables"))

    def _answer(self, root: str, variables: JSON) -> Response:
        match root, variables:
            case "viewer", _:
                return Response({"data": self._who()})
            case "issue", {"id": str(identifier)}:
                return self._issue(identifier)
            case "searchIssues", {"term": str(term), "first": int(first), "filter": limits}:
                found = self._search(term, limits)
                nodes = [_issue(issue) for issue in found[:first]]
                return Response({"data": {"searchIssues": {"nodes": nodes}}})
            case _:
                message = f'Cannot query field "{root}" on type "Query" with these variables.'
                return _refusal("GRAPHQL_VALIDATION_FAILED", message, 400)

    def _who(self) -> JSON:
        organization: JSON = {"name": self._company.name, "urlKey": "northwind"}
        keys = dict.fromkeys(issue.identifier.partition("-")[0] for issue in self._company.issues)
        return {
            "viewer": {"id": "u1", "name": "Robin Doe", "organization": organization},
            "teams": {"nodes": [{"key": key} for key in keys]},
        }

    def _issue(self, identifier: str) -> Response:
        issue = self._issues.get(identifier)
        if issue is None:
            return _refusal("INPUT_ERROR", "Entity not found: Issue", 200)
        parent = self._issues.get(issue.parent)
        children = [other for other in self._issues.values() if other.parent == identifier]
        whole: JSON = {
            **_issue(issue),
            "parent": _linked(parent) if parent else None,
            "children": {"nodes": [_linked(child) for child in children]},
            "attachments": {
                "nodes": [{"title": each.title, "url": each.url} for each in issue.attachments]
            },
            "comments": {"nodes": [_comment(issue, comment) for comment in issue.comments]},
        }
        return Response({"data": {"issue": whole}})

    def _search(self, term: str, limits: JSON) -> list[Issue]:
        words = term.lower().split()
        return [
            issue
            for issue in self._company.issues
            if all(word in _everything(issue) for word in words) and _within(issue, limits)
        ]


def _refusal(code: str, message: str, status: int) -> Response:
    error: JSON = {"message": message, "extensions": {"code": code}}
    return Response({"data": None, "errors": [error]}, status)


def _everything(issue: Issue) -> str:
    said = [issue.identifier, issue.title, issue.description, *(c.text for c in issue.comments)]
    return "\n".join(said).lower()


def _within(issue: Issue, limits: JSON) -> bool:
    """Tell whether an issue was changed within the limits of a filter."""
    updated = limits.get("updatedAt") if isinstance(limits, Mapping) else None
    given = updated if isinstance(updated, Mapping) else {}
    since = datetime.fromisoformat(str(given.get("gte", "0001-01-01T00:00:00Z")))
    until = datetime.fromisoformat(str(given.get("lte", "9999-12-31T00:00:00Z")))
    return since <= datetime.fromisoformat(issue.updated) <= until


def _linked(issue: Issue) -> dict[str, JSON]:
    return {
        "identifier": issue.identifier,
        "url": _page(issue),
    }


def _page(issue: Issue) -> str:
    slug = "-".join(re.findall(r"[a-z0-9]+", issue.title.lower()))
    return f"https://linear.app/northwind/issue/{issue.identifier}/{slug}"


def _issue(issue: Issue) -> dict[str, JSON]:
    return {
        **_linked(issue),
        "title": issue.title,
        "description": issue.description,
        "createdAt": issue.created,
        "updatedAt": issue.updated,
        "creator": {"name": issue.author},
        "externalUserCreator": None,
        "botActor": None,
        "state": {"name": issue.state},
        "labels": {"nodes": [{"name": label} for label in issue.labels]},
    }


def _comment(issue: Issue, comment: Comment) -> JSON:
    return {
        "id": comment.id,
        "body": comment.text,
        "url": f"{_page(issue)}#comment-{comment.id}",
        "createdAt": comment.at,
        "updatedAt": comment.at,
        "user": {"name": comment.author},
        "externalUser": None,
        "botActor": None,
    }
