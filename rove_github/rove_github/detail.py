"""Whole items: what is said below them, at their lines and in their commits."""

import asyncio
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TypeAlias

from attrs import evolve, frozen

from rove_core import ContextItem, ItemRef
from rove_github import replies
from rove_github.api import Api, repository_path
from rove_github.graph import Around, read_around
from rove_github.items import Items
from rove_github.names import Named, parse_id
from rove_github.reading import moment, read_one
from rove_github.together import good

#: Where a part has its place: when its thread began, which thread, and when it was said.
_Place: TypeAlias = tuple[datetime, int, datetime]
_Placed: TypeAlias = tuple[_Place, ContextItem]


@frozen
class Details:
    """Reads whole items of one account."""

    api: Api
    items: Items

    async def read(self, ref: ItemRef) -> ContextItem:
        """Return the whole item; one that was moved has the id it has now."""
        named = parse_id(ref.id)
        place = repository_path(named.repository)
        if named.sha:
            reply = await self.api.get(f"{place}/commits/{named.sha}")
            commit = read_one(reply, replies.Commit)
            return self.items.commit(evolve(commit, sha=commit.sha or named.sha), named.repository)
        reply = await self.api.get(f"{place}/issues/{named.number}")
        issue = read_one(reply, replies.Issue)
        issue = evolve(issue, number=issue.number or int(named.number))
        item = self.items.issue(issue, named.repository)
        if issue.pull_request is None:
            return await self._issue(item)
        return await self._pull(item)

    async def _issue(self, item: ContextItem) -> ContextItem:
        named = parse_id(item.ref.id)
        said, around = await asyncio.gather(
            self._comments(named),
            read_around(self.api, named, is_pull=False),
            return_exceptions=True,
        )
        links = self._links(good(around), "pr")
        return evolve(item, links=links, thread=_ordered(self._said(good(said), item)))

    async def _pull(self, item: ContextItem) -> ContextItem:
        named = parse_id(item.ref.id)
        place = f"{repository_path(named.repository)}/pulls/{named.number}"
        pull, said, reviews, lines, commits, around = await asyncio.gather(
            self.api.get(place),
            self._comments(named),
            self.api.list(f"{place}/reviews", replies.Review),
            self.api.list(f"{place}/comments", replies.LineComment),
            self.api.list(f"{place}/commits", replies.Commit),
            read_around(self.api, named, is_pull=True),
            return_exceptions=True,
        )
        ends = read_one(good(pull), replies.Pull)
        known = {"branch": ends.head.ref, "base": ends.base.ref}
        parts = [
            *self._said(good(said), item),
            *self._reviews(good(reviews), item),
            *self._lines(good(lines), item, good(around)),
            *self._commits(good(commits), named),
        ]
        return evolve(
            item,
            metadata={**item.metadata, **{name: text for name, text in known.items() if text}},
            links=self._links(good(around), "issue"),
            thread=_ordered(parts),
        )

    async def _comments(self, named: Named) -> list[replies.Comment]:
        place = f"{repository_path(named.repository)}/issues/{named.number}/comments"
        return await self.api.list(place, replies.Comment)

    def _said(self, comments: Iterable[replies.Comment], below: ContextItem) -> Iterator[_Placed]:
        for comment in comments:
            item = self.items.comment(comment, below)
            at = moment(comment.created_at) or item.timestamp
            yield (at, comment.id, at), item

    def _reviews(self, reviews: Iterable[replies.Review], below: ContextItem) -> Iterator[_Placed]:
        for review in reviews:
            item = self.items.review(review, below)
            # One without a word is the envelope of comments at lines.
            if item.content:
                yield (item.timestamp, review.id, item.timestamp), item

    def _lines(
        self, comments: Iterable[replies.LineComment], below: ContextItem, around: Around
    ) -> Iterator[_Placed]:
        """Yield comments at lines, those of one thread together where it began."""
        began: dict[int, datetime] = {}
        for comment in sorted(comments, key=lambda each: each.in_reply_to_id or 0):
            thread = comment.in_reply_to_id or comment.id
            item = self.items.line_comment(comment, below, resolved=around.resolved.get(thread))
            at = moment(comment.created_at) or item.timestamp
            yield (began.setdefault(thread, at), thread, at), item

    def _commits(self, commits: Iterable[replies.Commit], named: Named) -> Iterator[_Placed]:
        for commit in commits:
            item = self.items.commit(commit, named.repository)
            yield (item.timestamp, 0, item.timestamp), item

    def _links(self, around: Around, kind: str) -> tuple[ItemRef, ...]:
        names = self.items.names
        return tuple(names.numbered(place, number, kind) for place, number in around.links)


def _ordered(parts: Iterable[_Placed]) -> tuple[ContextItem, ...]:
    """Return parts in their order, each once: pages overlap when something is added meanwhile."""
    known: dict[tuple[str, str], ContextItem] = {}
    for _, item in sorted(parts, key=lambda part: part[0]):
        nameless = item.ref.id.endswith("/0")
        known.setdefault((item.ref.id, item.content if nameless else ""), item)
    return tuple(known.values())
