"""The timeline of an issue or pull request, in order."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

from attrs import frozen

from rove_core import JSON
from rove_sim.company_github import (
    PullRequest,
    PullRequestReview,
    RepositoryComment,
    RepositoryCommit,
    ReviewComment,
)
from rove_sim.github.hub import Hub, HubView, Item, changed, closed, comments_of, part_id, written
from rove_sim.github.issues import comment, issue
from rove_sim.github.people import user
from rove_sim.github.pulls import commit, review, review_comment, review_comment_id, signature


@frozen
class TimelineEntry:
    """Something that happened.

    Attributes:
        when: The time by which it has its place.
        kind: What GitHub calls it.
        build: Builds the event.
    """

    when: datetime
    kind: str
    build: Callable[[], JSON]

    def event(self) -> JSON:
        """Return the event."""
        return self.build()


def timeline(view: HubView, item: Item, exclude: Sequence[str]) -> list[TimelineEntry]:
    """Return what happened, oldest first, without the kinds of event that are not wanted."""
    happened = [each for each in _happenings(view, item) if each.kind not in exclude]
    return sorted(happened, key=lambda each: each.when)


def _happenings(view: HubView, item: Item) -> Iterator[TimelineEntry]:
    for remark in item.comments:
        yield TimelineEntry(remark.at, "commented", partial(_commented, view, item, remark))
    for name in item.labels:
        yield TimelineEntry(item.created, "labeled", partial(_labeled, view, item, name))
    for other in naming(view.hub, item):
        yield TimelineEntry(changed(other), "cross-referenced", partial(_referenced, view, other))
    if isinstance(item, PullRequest):
        yield from _of_pull(view, item)
    if when := closed(item):
        yield TimelineEntry(when, "closed", partial(_event, view, item, "closed", when))


def _of_pull(view: HubView, item: PullRequest) -> Iterator[TimelineEntry]:
    for made in item.commits:
        yield TimelineEntry(made.at, "committed", partial(_committed, view, item, made))
    for entry in item.reviews:
        yield TimelineEntry(entry.at, "reviewed", partial(_reviewed, view, item, entry))
    for remark in item.review_comments:
        if not remark.reply_to:
            yield TimelineEntry(remark.at, "line-commented", partial(_thread, view, item, remark))
    if item.merged:
        merge = partial(_event, view, item, "merged", item.merged)
        yield TimelineEntry(item.merged, "merged", merge)


def naming(hub: Hub, item: Item) -> list[Item]:
    """Return the items whose text names this one."""
    return [
        other
        for other in hub.items()
        if other is not item
        if item in hub.named(f"{other.body}\n{comments_of(other)}", other.repository)
    ]


def _commented(view: HubView, item: Item, remark: RepositoryComment) -> JSON:
    seen = comment(view, item, remark)
    return {**seen, "event": "commented", "actor": seen["user"]}


def _labeled(view: HubView, item: Item, name: str) -> JSON:
    event = _event(view, item, f"labeled {name}", item.created)
    return {**event, "event": "labeled", "label": {"name": name, "color": "ededed"}}


def _referenced(view: HubView, other: Item) -> JSON:
    return {
        "event": "cross-referenced",
        "actor": user(view, other.author),
        "created_at": written(changed(other)),
        "updated_at": written(changed(other)),
        "source": {"type": "issue", "issue": issue(view, other)},
    }


def _event(view: HubView, item: Item, kind: str, when: datetime) -> dict[str, JSON]:
    id_ = part_id(item, "", "event", kind)
    return {
        "id": id_,
        "node_id": f"EV_{id_}",
        "url": f"{view.repository(item.repository)}/issues/events/{id_}",
        "actor": user(view, item.author),
        "event": kind,
        "commit_id": None,
        "commit_url": None,
        "created_at": written(when),
        "performed_via_github_app": None,
        **({"state_reason": None} if kind == "closed" else {}),
    }


def _committed(view: HubView, item: PullRequest, made: RepositoryCommit) -> JSON:
    """Return the event of a commit, which has no number and is a commit as Git has it."""
    seen = commit(view, item.repository, made)
    inside = seen["commit"]
    person = view.hub.company.person(made.author)
    return {
        **(inside if isinstance(inside, dict) else {}),
        **{name: seen[name] for name in ("sha", "node_id", "html_url", "parents")},
        "event": "committed",
        "author": signature(person, made),
        "committer": signature(person, made),
        "verification": {
            "verified": False,
            "reason": "unsigned",
            "signature": None,
            "payload": None,
            "verified_at": None,
        },
    }


def _reviewed(view: HubView, item: PullRequest, entry: PullRequestReview) -> JSON:
    """Return a review event, whose state is in lower case here only."""
    seen = review(view, item, entry)
    return {**seen, "event": "reviewed", "state": entry.verdict.lower()}


def _thread(view: HubView, item: PullRequest, first: ReviewComment) -> JSON:
    return {
        "event": "line-commented",
        "node_id": f"PRRT_{review_comment_id(item, first)}",
        "comments": [review_comment(view, item, each) for each in thread_of(item, first)],
    }


def thread_of(item: PullRequest, first: ReviewComment) -> list[ReviewComment]:
    """Return a comment at a line with the answers to it."""
    id_ = str(review_comment_id(item, first))
    return [first, *(each for each in item.review_comments if each.reply_to == id_)]
