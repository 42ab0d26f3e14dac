"""What GitHub's GraphQL API tells: what a pull request closes, and which threads are settled."""

from collections.abc import Callable, Mapping
from functools import partial

from attrs import frozen

from rove_core.plain import JSON
from rove_sim.company_github import PullRequest, Repository, RepositoryIssue, ReviewComment
from rove_sim.company_people import Person
from rove_sim.github.graph_pages import page
from rove_sim.github.hub import (
    HTML,
    Hub,
    Item,
    changed,
    item_id,
    page_of,
    repository_id,
    written,
)
from rove_sim.github.people import login_of
from rove_sim.github.pulls import review_comment_id
from rove_sim.github.timeline import thread_of
from rove_sim.graphql import Answer, Arguments, FieldError, Node


@frozen
class Graph:
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

    def root(self) -> Node:
        """Return where all questions begin."""
        return {
            "viewer": lambda _: self._actor(self.hub.company.owner),
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

    def _repository(self, given: Repository) -> Node:
        return {
            "id": f"R_{repository_id(given)}",
            "name": given.name.rpartition("/")[2],
            "nameWithOwner": given.name,
            "isPrivate": given.private,
            "url": f"{HTML}/{given.name}",
            "issue": lambda arguments: self._numbered(given, arguments, RepositoryIssue),
            "pullRequest": lambda arguments: self._numbered(given, arguments, PullRequest),
        }

    def _numbered(self, given: Repository, arguments: Arguments, kind: type[Item]) -> Answer:
        number = arguments["number"]
        for item in self.hub.items():
            if item.repository == given.name and item.number == number and isinstance(item, kind):
                return self._item(item)
        name = "PullRequest" if kind is PullRequest else "Issue"
        raise _missing(f"Could not resolve to a {name} with the number of {number}.")

    def _item(self, item: Item) -> Node:
        known = self.hub.repository(item.repository)
        shared: Node = {
            "number": item.number,
            "title": item.title,
            "url": page_of(item),
            "state": "MERGED" if getattr(item, "merged", None) else item.state.upper(),
            "createdAt": written(item.created),
            "updatedAt": written(changed(item)),
            "author": self._author(item.author),
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

        return {"id": f"I_{item_id(item)}", "closedByPullRequestsReferences": closing}

    def _pull(self, item: PullRequest) -> Node:
        def closes(arguments: Arguments) -> Answer:
            if self.starved:
                message = "Resource limits for this query exceeded."
                raise FieldError(message, {"type": "RESOURCE_LIMITS_EXCEEDED"})
            return page(self._closed_by(item), arguments, self._item, self.size)

        def threads(arguments: Arguments) -> Answer:
            first = [each for each in item.review_comments if not each.reply_to]
            return page(first, arguments, partial(self._thread, item), self.size)

        return {
            "id": f"PR_{item_id(item)}",
            "baseRefName": item.base,
            "headRefName": item.branch,
            "isDraft": item.draft,
            "merged": item.merged is not None,
            "closingIssuesReferences": closes,
            "reviewThreads": threads,
        }

    def _closed_by(self, item: PullRequest) -> list[RepositoryIssue]:
        named = self.hub.named(" ".join(item.closes), item.repository)
        return [each for each in named if isinstance(each, RepositoryIssue)]

    def _thread(self, item: PullRequest, first: ReviewComment) -> Node:
        def comments(arguments: Arguments) -> Answer:
            said = thread_of(item, first)
            return page(said, arguments, partial(self._comment, item), self.size)

        return {
            "id": f"PRRT_{review_comment_id(item, first)}",
            "isResolved": first.resolved,
            "isCollapsed": first.resolved or first.outdated,
            "isOutdated": first.outdated,
            "path": first.path,
            "line": None if first.outdated else first.line,
            "diffSide": "RIGHT",
            "comments": comments,
        }

    def _comment(self, item: PullRequest, said: ReviewComment) -> Node:
        id_ = review_comment_id(item, said)
        return {
            "id": f"PRRC_{id_}",
            "databaseId": id_ if id_ < 2**31 else None,
            "fullDatabaseId": str(id_),
            "author": self._author(said.author),
            "body": said.text,
            "createdAt": written(said.at),
            "updatedAt": written(said.updated or said.at),
            "outdated": said.outdated,
            "path": said.path,
            "url": f"{page_of(item)}#discussion_r{id_}",
        }

    def _author(self, who: str) -> Node | None:
        return self._actor(self.hub.company.person(who)) if who else None

    def _actor(self, person: Person) -> Node:
        login = login_of(person).removesuffix("[bot]")
        return {
            "__typename": "Bot" if person.bot else "User",
            "id": f"U_{login}",
            "databaseId": None,
            "login": login,
            "name": person.name,
            "url": f"{HTML}/{'apps/' if person.bot else ''}{login}",
        }


def _missing(message: str) -> FieldError:
    return FieldError(message, {"type": "NOT_FOUND"})
