"""GraphQL: closing references and resolved threads."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from attrs import frozen

from rove_core import JSON
from rove_sim.company_github import (
    CompanyRepository,
    ProjectPlace,
    PullRequest,
    RepositoryIssue,
)
from rove_sim.github.discussions import GraphDiscussions
from rove_sim.github.graph_pages import page
from rove_sim.github.graph_parts import GraphParts
from rove_sim.github.hub import (
    HTML,
    Hub,
    Item,
    changed,
    item_id,
    page_of,
    perhaps,
    pushed,
    repository_id,
    written,
)
from rove_sim.github.query import WrongQueryError
from rove_sim.github.refusals import ORGANIZATION, SIGN_ON
from rove_sim.github.search import find_discussions, find_items, sorted_by
from rove_sim.github.timeline import naming
from rove_sim.graphql import Answer, Arguments, FieldError, Node

#: What a number names when nobody says which of the two.
_EITHER: Final = "issue or pull request"
_MOST_FOUND: Final = 1_000


@frozen
class HubGraph:
    """The hub as GraphQL sees it.

    Attributes:
        size: Tells how many a page holds.
        allowance: What is left of the limit.
        starved: Whether closing references cost more than GitHub has to spare.
        forbidden: What the token may not read: ``projects``, ``discussions``, ``contents``.
    """

    hub: Hub
    size: Callable[[int, int], int]
    allowance: Mapping[str, JSON]
    starved: bool = False
    forbidden: frozenset[str] = frozenset()

    @property
    def _parts(self) -> GraphParts:
        return GraphParts(self.hub.company, self.size)

    def root(self) -> Node:
        """Return where all questions begin."""
        return {
            "viewer": lambda _: self._parts.actor(self.hub.company.owner),
            "rateLimit": self.allowance,
            "repository": self._named,
            "repositoryOwner": self._owner,
            "search": self._search,
        }

    def _owner(self, arguments: Arguments) -> Answer:
        """Return the owner of repositories; None for an unknown name."""
        login = str(arguments["login"])
        own = [each for each in self.hub.every() if _owner_of(each) == login.lower()]
        if any(each.access in {"sso", "lapsed"} for each in own):
            return {"__typename": "Organization", "login": login, "databaseId": ORGANIZATION}
        is_known = any(each.access == "read" for each in own)
        return {"__typename": "User", "login": login} if is_known else None

    def _search(self, arguments: Arguments) -> Answer:
        """Return a page of search results; unreadable places are skipped."""
        text, first = str(arguments["query"]), arguments
        try:
            if arguments["type"] == "DISCUSSION":
                hidden = "discussions" in self.forbidden
                talks = [] if hidden else find_discussions(self.hub, text)
                found = page(talks, first, self._discussions.of, self.size)
                return {**found, "discussionCount": len(talks), "issueCount": 0}
            items = find_items(self.hub, text, sorted_by(text), descending=True, lenient=True)
        except WrongQueryError as error:
            raise FieldError(str(error), {"type": "UNPROCESSABLE"}) from None
        found = page(items[:_MOST_FOUND], first, self._item, self.size)
        return {**found, "issueCount": len(items), "discussionCount": 0}

    @property
    def _discussions(self) -> GraphDiscussions:
        return GraphDiscussions(self._parts.author, self._of_name, self.size)

    def _of_name(self, name: str) -> Node | None:
        repository = self.hub.repository(name)
        return self._repository(repository) if repository else None

    def _named(self, arguments: Arguments) -> Answer:
        name = f"{arguments['owner']}/{arguments['name']}"
        found = self.hub.repository(name)
        renamed = found is not None and found.name.lower() != name.lower()
        if (
            found is None
            or found.access in {"hidden", "lapsed"}
            or (renamed and not arguments["followRenames"])
        ):
            raise _missing(f"Could not resolve to a Repository with the name '{name}'.")
        if found.access == "sso":
            extensions: JSON = {"saml_failure": True}
            raise FieldError(SIGN_ON, {"type": "FORBIDDEN", "extensions": extensions})
        if found.access != "read":
            message = "Resource not accessible by personal access token"
            raise FieldError(message, {"type": "FORBIDDEN"})
        return self._repository(found)

    def _repository(self, repository: CompanyRepository) -> Node:
        return {
            "id": f"R_{repository_id(repository)}",
            "name": repository.name.rpartition("/")[2],
            "nameWithOwner": repository.name,
            "pushedAt": perhaps(pushed(self.hub, repository)),
            "isPrivate": repository.private,
            "url": f"{HTML}/{repository.name}",
            "issue": lambda arguments: self._numbered(repository, arguments, "Issue"),
            "pullRequest": lambda arguments: self._numbered(repository, arguments, "PullRequest"),
            "issueOrPullRequest": lambda arguments: self._numbered(repository, arguments, _EITHER),
            "issues": lambda arguments: self._listed(repository, arguments, "Issue"),
            "pullRequests": lambda arguments: self._listed(repository, arguments, "PullRequest"),
            "refs": lambda arguments: self._branches(repository, arguments),
            "hasDiscussionsEnabled": any(
                each.repository == repository.name for each in self.hub.discussions()
            ),
            "discussion": lambda arguments: self._discussion(repository, arguments),
        }

    def _numbered(self, repository: CompanyRepository, arguments: Arguments, kind: str) -> Answer:
        number = arguments["number"]
        for item in self.hub.items():
            if (item.repository, item.number) == (repository.name, number) and _is(item, kind):
                return self._item(item)
        article = "an" if kind == _EITHER else "a"
        raise _missing(f"Could not resolve to {article} {kind} with the number of {number}.")

    def _discussion(self, repository: CompanyRepository, arguments: Arguments) -> Answer:
        number = arguments["number"]
        self._must_be_allowed("discussions")
        for talk in self.hub.discussions():
            if (talk.repository, talk.number) == (repository.name, number):
                return self._discussions.of(talk)
        raise _missing(f"Could not resolve to a Discussion with the number of {number}.")

    def _must_be_allowed(self, what: str) -> None:
        if what in self.forbidden:
            message = "Resource not accessible by personal access token"
            raise FieldError(message, {"type": "FORBIDDEN"})

    def _projects(self, item: Item) -> Callable[[Arguments], Answer]:
        def places(arguments: Arguments) -> Answer:
            self._must_be_allowed("projects")
            return page(item.projects, arguments, partial(_in_project, item), self.size)

        return places

    def _listed(self, repository: CompanyRepository, arguments: Arguments, kind: str) -> Answer:
        """Return a page of a repository's items in the requested order."""
        since = _in(arguments, "filterBy").get("since")
        order = _in(arguments, "orderBy")
        found = [
            each
            for each in self.hub.items()
            if each.repository == repository.name and _is(each, kind)
            if not isinstance(since, str) or changed(each) >= datetime.fromisoformat(since)
        ]
        found.sort(key=_ORDERS[str(order.get("field") or "CREATED_AT")])
        if order.get("direction") == "DESC":
            found.reverse()
        return page(found, arguments, self._item, self.size)

    def _branches(self, repository: CompanyRepository, arguments: Arguments) -> Answer:
        """Return a page of branches by name; merging a pull request deletes its branch."""
        self._must_be_allowed("contents")
        words = str(arguments.get("query") or "")
        heads: dict[str, list[Item]] = {}
        for each in self.hub.items():
            if (
                each.repository == repository.name
                and isinstance(each, PullRequest)
                and not each.merged
            ):
                heads.setdefault(each.branch, []).append(each)
        found = sorted(name for name in heads if words in name)
        if arguments["refPrefix"] != "refs/heads/":
            found = []

        def branch(name: str) -> Node:
            return {
                "id": f"REF_{repository_id(repository)}_{name}",
                "name": name,
                "prefix": "refs/heads/",
                "associatedPullRequests": lambda asked: page(
                    heads[name], asked, self._item, self.size
                ),
            }

        return page(found, arguments, branch, self.size)

    def _item(self, item: Item) -> Node:
        repository = self.hub.repository(item.repository)
        shared: Node = {
            **self._parts.of(item),
            "number": item.number,
            "title": item.title,
            "url": page_of(item),
            "state": "MERGED" if getattr(item, "merged", None) else item.state.upper(),
            "createdAt": written(item.created),
            "updatedAt": written(changed(item)),
            "repository": lambda _: self._repository(repository) if repository else None,
            "projectItems": self._projects(item),
            "timelineItems": lambda asked: page(
                naming(self.hub, item), asked, self._cross_reference, self.size
            ),
        }
        return {
            **shared,
            **(self._pull(item) if isinstance(item, PullRequest) else self._issue(item)),
        }

    def _cross_reference(self, other: Item) -> Node:
        """Return the event that another item mentions one; no other kind is told of here."""
        return {
            "__typename": "CrossReferencedEvent",
            "id": f"CRE_{item_id(other)}",
            "createdAt": written(changed(other)),
            "source": lambda _: self._item(other),
        }

    def _issue(self, item: RepositoryIssue) -> Node:
        def closing(arguments: Arguments) -> Answer:
            closers = [
                other
                for other in self.hub.items()
                if isinstance(other, PullRequest) and item in self._closed_by(other)
                if other.state == "open" or other.merged or arguments["includeClosedPrs"]
            ]
            return page(closers, arguments, self._item, self.size)

        def below(arguments: Arguments) -> Answer:
            found = [self.hub.item(item.repository, number) for number in item.sub_issues]
            return page([each for each in found if each], arguments, self._item, self.size)

        above = self.hub.parent(item)
        reason = item.reason or ("completed" if item.state == "closed" else "")
        return {
            "__typename": "Issue",
            "id": f"I_{item_id(item)}",
            "stateReason": reason.upper() or None,
            "closedByPullRequestsReferences": closing,
            "parent": lambda _: self._item(above) if above else None,
            "subIssues": below,
        }

    def _pull(self, item: PullRequest) -> Node:
        def closes(arguments: Arguments) -> Answer:
            if self.starved:
                message = "Resource limits for this query exceeded."
                raise FieldError(message, {"type": "RESOURCE_LIMITS_EXCEEDED"})
            return page(self._closed_by(item), arguments, self._item, self.size)

        return {
            **self._parts.of_pull(item),
            "__typename": "PullRequest",
            "id": f"PR_{item_id(item)}",
            "baseRefName": item.base,
            "headRefName": item.branch,
            "isDraft": item.draft,
            "merged": item.merged is not None,
            "mergedAt": perhaps(item.merged),
            "closingIssuesReferences": closes,
            "files": lambda arguments: page(
                item.files,
                arguments,
                lambda each: {
                    "path": each.path,
                    "additions": each.additions,
                    "deletions": each.deletions,
                },
                self.size,
            ),
        }

    def _closed_by(self, item: PullRequest) -> list[RepositoryIssue]:
        named = self.hub.named(" ".join(item.closes), item.repository)
        return [each for each in named if isinstance(each, RepositoryIssue)]


#: What lists can be ordered by; among equals by number.
_ORDERS: Final[Mapping[str, Callable[[Item], Any]]] = {
    "COMMENTS": lambda item: (len(item.comments), item.number),
    "CREATED_AT": lambda item: (item.created, item.number),
    "UPDATED_AT": lambda item: (changed(item), item.number),
}


def _in_project(item: Item, place: ProjectPlace) -> Node:
    """Return an issue's or a pull request's place in a project."""
    owner = item.repository.partition("/")[0]

    def valued(arguments: Arguments) -> Answer:
        if arguments["name"] != "Status" or not place.status:
            return None
        return {"__typename": "ProjectV2ItemFieldSingleSelectValue", "name": place.status}

    project: Node = {
        "id": f"PVT_{owner}_{place.number}",
        "title": place.project,
        "number": place.number,
        "closed": False,
        "url": f"{HTML}/orgs/{owner}/projects/{place.number}",
    }
    return {
        "id": f"PVTI_{item_id(item)}_{place.number}",
        "isArchived": False,
        "project": project,
        "fieldValueByName": valued,
    }


def _in(arguments: Arguments, name: str) -> Mapping[str, object]:
    """Return an argument that is an object; an empty one when it was not given."""
    value = arguments.get(name)
    return value if isinstance(value, Mapping) else {}


def _is(item: Item, kind: str) -> bool:
    return kind == _EITHER or (kind == "PullRequest") == isinstance(item, PullRequest)


def _owner_of(repository: CompanyRepository) -> str:
    return repository.name.partition("/")[0].lower()


def _missing(message: str) -> FieldError:
    return FieldError(message, {"type": "NOT_FOUND"})
