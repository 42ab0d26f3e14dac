"""What GitHub's GraphQL API tells: what a pull request closes, and which threads are settled."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from attrs import frozen

from rove_core import JSON
from rove_sim.company_github import CompanyRepository, PullRequest, RepositoryIssue
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
    repository_id,
    written,
)
from rove_sim.graphql import Answer, Arguments, FieldError, Node

#: What a number names when nobody says which of the two.
_EITHER: Final = "issue or pull request"


@frozen
class HubGraph:
    """The hub as GraphQL sees it.

    Attributes:
        size: Tells how many a page holds.
        allowance: What is left of the limit.
        starved: Whether closing references cost more than GitHub has to spare.
    """

    hub: Hub
    size: Callable[[int, int], int]
    allowance: Mapping[str, JSON]
    starved: bool = False

    @property
    def _parts(self) -> GraphParts:
        return GraphParts(self.hub.company, self.size)

    def root(self) -> Node:
        """Return where all questions begin."""
        return {
            "viewer": lambda _: self._parts.actor(self.hub.company.owner),
            "rateLimit": self.allowance,
            "repository": self._named,
        }

    def _named(self, arguments: Arguments) -> Answer:
        name = f"{arguments['owner']}/{arguments['name']}"
        found = self.hub.repository(name)
        renamed = found is not None and found.name.lower() != name.lower()
        if (
            found is None
            or found.access == "hidden"
            or (renamed and not arguments["followRenames"])
        ):
            raise _missing(f"Could not resolve to a Repository with the name '{name}'.")
        if found.access != "read":
            message = "Resource not accessible by personal access token"
            raise FieldError(message, {"type": "FORBIDDEN"})
        return self._repository(found)

    def _repository(self, given: CompanyRepository) -> Node:
        return {
            "id": f"R_{repository_id(given)}",
            "name": given.name.rpartition("/")[2],
            "nameWithOwner": given.name,
            "isPrivate": given.private,
            "url": f"{HTML}/{given.name}",
            "issue": lambda arguments: self._numbered(given, arguments, "Issue"),
            "pullRequest": lambda arguments: self._numbered(given, arguments, "PullRequest"),
            "issueOrPullRequest": lambda arguments: self._numbered(given, arguments, _EITHER),
            "issues": lambda arguments: self._listed(given, arguments, "Issue"),
            "pullRequests": lambda arguments: self._listed(given, arguments, "PullRequest"),
        }

    def _numbered(self, given: CompanyRepository, arguments: Arguments, kind: str) -> Answer:
        number = arguments["number"]
        for item in self.hub.items():
            if (item.repository, item.number) == (given.name, number) and _is(item, kind):
                return self._item(item)
        article = "an" if kind == _EITHER else "a"
        raise _missing(f"Could not resolve to {article} {kind} with the number of {number}.")

    def _listed(self, given: CompanyRepository, arguments: Arguments, kind: str) -> Answer:
        """Return a page of what is in a repository, in the order that is asked for."""
        since = _in(arguments, "filterBy").get("since")
        order = _in(arguments, "orderBy")
        found = [
            each
            for each in self.hub.items()
            if each.repository == given.name and _is(each, kind)
            if not isinstance(since, str) or changed(each) >= datetime.fromisoformat(since)
        ]
        found.sort(key=_ORDERS[str(order.get("field") or "CREATED_AT")])
        if order.get("direction") == "DESC":
            found.reverse()
        return page(found, arguments, self._item, self.size)

    def _item(self, item: Item) -> Node:
        known = self.hub.repository(item.repository)
        shared: Node = {
            **self._parts.of(item),
            "number": item.number,
            "title": item.title,
            "url": page_of(item),
            "state": "MERGED" if getattr(item, "merged", None) else item.state.upper(),
            "createdAt": written(item.created),
            "updatedAt": written(changed(item)),
            "repository": lambda _: self._repository(known) if known else None,
        }
        return {
            **shared,
            **(self._pull(item) if isinstance(item, PullRequest) else self._issue(item)),
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

        reason = item.reason or ("completed" if item.state == "closed" else "")
        return {
            "__typename": "Issue",
            "id": f"I_{item_id(item)}",
            "stateReason": reason.upper() or None,
            "closedByPullRequestsReferences": closing,
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


def _in(arguments: Arguments, name: str) -> Mapping[str, object]:
    """Return an argument that is an object; an empty one when it was not given."""
    given = arguments.get(name)
    return given if isinstance(given, Mapping) else {}


def _is(item: Item, kind: str) -> bool:
    return kind == _EITHER or (kind == "PullRequest") == isinstance(item, PullRequest)


def _missing(message: str) -> FieldError:
    return FieldError(message, {"type": "NOT_FOUND"})
