"""Parts of an issue or pull request in GitHub's GraphQL API."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from attrs import frozen

from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_github import (
    PullRequest,
    PullRequestReview,
    RepositoryComment,
    RepositoryCommit,
    ReviewComment,
)
from rove_sim.company_people import Person
from rove_sim.github.graph_pages import page
from rove_sim.github.hub import HTML, Item, page_of, part_id, written
from rove_sim.github.people import login_of
from rove_sim.github.pulls import review_comment_id
from rove_sim.github.timeline import thread_of
from rove_sim.graphql import Answer, Arguments, Node

_Thing = TypeVar("_Thing")


@frozen
class GraphParts:
    """Answers GraphQL queries about the parts of items.

    Attributes:
        company: Whose people speak.
        size: Tells how many a page holds.
    """

    company: Company
    size: Callable[[int, int], int]

    def of(self, item: Item) -> Node:
        """Return the fields that issues and pull requests share."""
        people = [self.company.person(who) for who in item.assignees]
        return {
            "author": self.author(item.author),
            "body": item.body,
            "assignees": self._pages(people, self.actor),
            "labels": self._pages(item.labels, partial(_label, item)),
            "comments": self._pages(item.comments, partial(self._comment_node, item)),
        }

    def of_pull(self, item: PullRequest) -> Node:
        """Return the fields that only pull requests have."""
        first = [each for each in item.review_comments if not each.reply_to]
        return {
            "reviewThreads": self._pages(first, partial(self._thread, item)),
            "reviews": self._pages(item.reviews, partial(self._review, item)),
            "commits": self._pages(item.commits, partial(self._commit, item)),
        }

    def author(self, who: str) -> Node | None:
        """Return who wrote something; None when the account is gone."""
        return self.actor(self.company.person(who)) if who else None

    def actor(self, person: Person) -> Node:
        """Return a person, or a robot."""
        login = login_of(person).removesuffix("[bot]")
        return {
            "__typename": "Bot" if person.bot else "User",
            "id": f"U_{login}",
            "databaseId": None,
            "login": login,
            "name": person.name,
            "url": f"{HTML}/{'apps/' if person.bot else ''}{login}",
        }

    def _pages(
        self, things: Sequence[_Thing], write: Callable[[_Thing], Node]
    ) -> Callable[[Arguments], Answer]:
        return lambda arguments: page(things, arguments, write, self.size)

    def _comment_node(self, item: Item, comment: RepositoryComment) -> Node:
        id_ = part_id(item, comment.id, "comment", comment.at, comment.author)
        return {
            "id": f"IC_{id_}",
            "fullDatabaseId": str(id_),
            "author": self.author(comment.author),
            "body": comment.text,
            "createdAt": written(comment.at),
            "updatedAt": written(comment.updated or comment.at),
            "url": f"{page_of(item)}#issuecomment-{id_}",
        }

    def _review(self, item: PullRequest, review: PullRequestReview) -> Node:
        id_ = part_id(item, review.id, "review", review.at, review.author)
        return {
            "id": f"PRR_{id_}",
            "fullDatabaseId": str(id_),
            "author": self.author(review.author),
            "body": review.text,
            "state": review.verdict,
            "createdAt": written(review.at),
            "submittedAt": written(review.at),
            "url": f"{page_of(item)}#pullrequestreview-{id_}",
        }

    def _thread(self, item: PullRequest, first: ReviewComment) -> Node:
        comments = thread_of(item, first)
        return {
            "id": f"PRRT_{review_comment_id(item, first)}",
            "isResolved": first.resolved,
            "isCollapsed": first.resolved or first.outdated,
            "isOutdated": first.outdated,
            "path": first.path,
            "line": None if first.outdated else first.line,
            "diffSide": "RIGHT",
            "comments": self._pages(comments, partial(self._at_line, item, first)),
        }

    def _at_line(self, item: PullRequest, first: ReviewComment, comment: ReviewComment) -> Node:
        id_ = review_comment_id(item, comment)
        return {
            "id": f"PRRC_{id_}",
            "databaseId": id_ if id_ < 2**31 else None,
            "fullDatabaseId": str(id_),
            "author": self.author(comment.author),
            "body": comment.text,
            "createdAt": written(comment.at),
            "updatedAt": written(comment.updated or comment.at),
            "outdated": comment.outdated,
            "path": comment.path,
            "line": None if comment.outdated else comment.line,
            "originalLine": comment.line,
            "replyTo": lambda _: self._at_line(item, first, first) if comment.reply_to else None,
            "url": f"{page_of(item)}#discussion_r{id_}",
        }

    def _commit(self, item: PullRequest, commit: RepositoryCommit) -> Node:
        person = self.company.person(commit.author)
        who: Node = {
            "name": person.name,
            "email": person.email,
            "user": None if person.bot else self.actor(person),
        }
        made: Node = {
            "id": f"C_{commit.sha}",
            "oid": commit.sha,
            "url": f"{HTML}/{item.repository}/commit/{commit.sha}",
            "message": commit.message,
            "authoredDate": written(commit.at),
            "committedDate": written(commit.at),
            "author": who,
            "committer": who,
        }
        return {"id": f"PURC_{commit.sha}", "commit": made}


def _label(item: Item, name: str) -> Node:
    id_ = ids.number(f"github/label/{item.repository}/{name}", below=2**31)
    return {"id": f"LA_{id_}", "name": name}
