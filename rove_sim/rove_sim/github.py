"""GitHub in a box."""

import re

from rove_core.plain import JSON
from rove_sim.company import Company, PullRequest
from rove_sim.server import Request, Response

_MISSING = Response({"message": "Not Found"}, 404)
_PULL = re.compile(r"/repos/([^/]+/[^/]+)/(pulls|issues)/(\d+)(/comments)?")


class GitHub:
    """Answers as GitHub's REST API would."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._pulls = {(pull.repository, pull.number): pull for pull in company.pull_requests}

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        if request.headers.get("authorization") != f"Bearer {self._company.token}":
            return Response({"message": "Bad credentials"}, 401)
        if request.path == "/user":
            return Response({"login": "robin", "id": 1, "html_url": "https://github.com/robin"})
        if request.path == "/search/issues":
            return self._search(request.query.get("q", ""))
        if match := _PULL.fullmatch(request.path):
            pull = self._pulls.get((match[1], int(match[3])))
            if pull is None:
                return _MISSING
            return Response(_comments(pull) if match[4] else _pull(pull))
        return _MISSING

    def _search(self, query: str) -> Response:
        words = [word for word in query.replace('"', "").lower().split() if ":" not in word]
        found = [
            _pull(pull)
            for pull in self._company.pull_requests
            if all(word in f"{pull.title}\n{pull.body}".lower() for word in words)
        ]
        return Response({"total_count": len(found), "incomplete_results": False, "items": found})


def _pull(pull: PullRequest) -> JSON:
    page = f"https://github.com/{pull.repository}/pull/{pull.number}"
    return {
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "state": pull.state,
        "user": {"login": pull.author},
        "html_url": page,
        "repository_url": f"https://api.github.com/repos/{pull.repository}",
        "created_at": pull.created,
        "updated_at": pull.updated,
        "pull_request": {"html_url": page},
    }


def _comments(pull: PullRequest) -> JSON:
    page = f"https://github.com/{pull.repository}/pull/{pull.number}"
    return [
        {
            "id": int(comment.id),
            "user": {"login": comment.author},
            "body": comment.text,
            "html_url": f"{page}#issuecomment-{comment.id}",
            "created_at": comment.at,
            "updated_at": comment.at,
        }
        for comment in pull.comments
    ]
