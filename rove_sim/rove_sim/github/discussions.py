"""Discussions, available through GraphQL only."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

from attrs import frozen

from rove_sim import ids
from rove_sim.company_github import DiscussionComment, DiscussionReply, RepositoryDiscussion
from rove_sim.github.graph_pages import page
from rove_sim.github.hub import HTML, perhaps, written
from rove_sim.graphql import Answer, Arguments, Node

_Thing = TypeVar("_Thing")


def discussion_changed(talk: RepositoryDiscussion) -> datetime:
    """Return when a discussion last changed."""
    remarks = [*talk.comments, *(reply for each in talk.comments for reply in each.replies)]
    return talk.updated or max([talk.created, *(each.updated or each.at for each in remarks)])


def remarks_of(talk: RepositoryDiscussion) -> str:
    """Return the comments of a discussion as text."""
    remarks = [*talk.comments, *(reply for each in talk.comments for reply in each.replies)]
    return "\n".join(each.text for each in remarks)


@frozen
class GraphDiscussions:
    """Answers GraphQL queries about discussions.

    Attributes:
        author: Tells who wrote something; None when the account is gone.
        repository: Tells of a repository by its name.
        size: Tells how many a page holds.
    """

    author: Callable[[str], Node | None]
    repository: Callable[[str], Node | None]
    size: Callable[[int, int], int]

    def of(self, talk: RepositoryDiscussion) -> Node:
        """Return a discussion."""
        answer = next((each for each in talk.comments if each.answer), None)
        return {
            "__typename": "Discussion",
            "id": f"D_{talk.repository}_{talk.number}",
            "number": talk.number,
            "title": talk.title,
            "body": talk.body,
            "url": _page_of(talk),
            "author": self.author(talk.author),
            "category": {
                "id": f"DIC_{talk.category}",
                "name": talk.category,
                "isAnswerable": talk.answerable,
            },
            "isAnswered": answer is not None if talk.answerable else None,
            "answer": lambda _: self._comment(talk, answer) if answer else None,
            "closed": talk.closed is not None,
            "closedAt": perhaps(talk.closed),
            "createdAt": written(talk.created),
            "updatedAt": written(discussion_changed(talk)),
            "repository": lambda _: self.repository(talk.repository),
            "labels": self._pages(talk.labels, lambda name: {"id": f"LA_{name}", "name": name}),
            "comments": self._pages(talk.comments, partial(self._comment, talk)),
        }

    def _comment(self, talk: RepositoryDiscussion, remark: DiscussionComment) -> Node:
        return {
            **self._remark_node(talk, remark),
            "isAnswer": remark.answer,
            "replyTo": None,
            "replies": self._pages(remark.replies, partial(self._reply, talk, remark)),
        }

    def _reply(
        self, talk: RepositoryDiscussion, to: DiscussionComment, remark: DiscussionReply
    ) -> Node:
        return {
            **self._remark_node(talk, remark),
            "isAnswer": False,
            "replyTo": lambda _: self._comment(talk, to),
            "replies": self._pages((), partial(self._reply, talk, to)),
        }

    def _remark_node(self, talk: RepositoryDiscussion, remark: DiscussionReply) -> Node:
        number = _remark_id(talk, remark)
        return {
            "id": f"DC_{number}",
            "databaseId": number,
            "author": self.author(remark.author),
            "body": remark.text,
            "createdAt": written(remark.at),
            "updatedAt": written(remark.updated or remark.at),
            "url": f"{_page_of(talk)}#discussioncomment-{number}",
        }

    def _pages(
        self, things: Sequence[_Thing], write: Callable[[_Thing], Node]
    ) -> Callable[[Arguments], Answer]:
        return lambda arguments: page(things, arguments, write, self.size)


def _page_of(talk: RepositoryDiscussion) -> str:
    return f"{HTML}/{talk.repository}/discussions/{talk.number}"


def _remark_id(talk: RepositoryDiscussion, remark: DiscussionReply) -> int:
    """Return the number of something below a discussion, as given or derived."""
    path = f"{talk.repository}/{talk.number}/discussion/{remark.at}/{remark.author}"
    return int(remark.id) if remark.id else 10_000_000 + ids.number(f"github/{path}", below=2**30)
