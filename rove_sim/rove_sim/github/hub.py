"""A company's content on GitHub, with lookups between its parts."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from attrs import evolve, frozen

from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_github import (
    Access,
    CompanyRepository,
    PullRequest,
    RepositoryCommit,
    RepositoryDiscussion,
    RepositoryIssue,
)

Item: TypeAlias = RepositoryIssue | PullRequest

HTML: Final = "https://github.com"


class Hub:
    """The repositories, issues and pull requests of one company, as they are now."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self._repositories = {each.name.lower(): each for each in company.repositories}
        self._items: dict[tuple[str, int], Item] = {}
        self._words: dict[tuple[str, int], tuple[Item, str]] = {}
        items: list[Item] = [*company.repository_issues, *company.pull_requests]
        for item in items:
            self.put(item)
        self._discussions: dict[tuple[str, int], RepositoryDiscussion] = {}
        for discussion in company.discussions:
            self.put_discussion(discussion)

    def put_discussion(self, discussion: RepositoryDiscussion) -> None:
        """Add a discussion, or change it into this one."""
        name = discussion.repository.lower()
        self._repositories.setdefault(name, CompanyRepository(name=discussion.repository))
        self._discussions[name, discussion.number] = discussion

    def discussions(self) -> list[RepositoryDiscussion]:
        """Return the discussions that the token may read."""
        readable = {each.name for each in self.repositories()}
        return [each for each in self._discussions.values() if each.repository in readable]

    def put(self, item: Item) -> None:
        """Add an issue or a pull request, or change it into this one."""
        name = item.repository.lower()
        self._repositories.setdefault(name, CompanyRepository(name=item.repository))
        self._items[name, item.number] = item

    def move(self, name: str, to: str) -> None:
        """Rename a repository, or give it to another owner."""
        before = self._repositories.pop(name.lower())
        moved = evolve(before, name=to, old_names=(*before.old_names, before.name))
        self._repositories[to.lower()] = moved
        for item in [each for each in self._items.values() if each.repository == before.name]:
            del self._items[name.lower(), item.number]
            self.put(evolve(item, repository=to))

    def push(self, name: str, commits: Sequence[RepositoryCommit], at: datetime) -> None:
        """Replace a repository's own commits on the default branch, as a forced push may."""
        repository = self._repositories.get(name.lower()) or CompanyRepository(name=name)
        self._repositories[name.lower()] = evolve(repository, commits=tuple(commits), pushed=at)

    def allow(self, name: str, access: Access) -> None:
        """Change the token's permission in a repository."""
        self._repositories[name.lower()] = evolve(self._repositories[name.lower()], access=access)

    def repositories(self) -> list[CompanyRepository]:
        """Return those that the token may read."""
        return [each for each in self._repositories.values() if each.access == "read"]

    def every(self) -> list[CompanyRepository]:
        """Return all repositories, whatever the token may do there."""
        return list(self._repositories.values())

    def repository(self, name: str) -> CompanyRepository | None:
        """Return a repository by the name it has or had, whatever the token may do there."""
        key = name.lower()
        return self._repositories.get(key) or next(
            (
                each
                for each in self._repositories.values()
                if key in (old.lower() for old in each.old_names)
            ),
            None,
        )

    def repository_by_id(self, id_: str) -> CompanyRepository | None:
        """Return a repository by its number."""
        found = (each for each in self._repositories.values() if str(repository_id(each)) == id_)
        return next(found, None)

    def item(self, repository: str, number: int) -> Item | None:
        """Return an issue or a pull request, also one that is deleted or was moved."""
        return self._items.get((repository.lower(), number))

    def items(self) -> list[Item]:
        """Return the issues and pull requests that the token may read."""
        readable = {each.name for each in self.repositories()}
        return [
            each
            for each in self._items.values()
            if each.repository in readable
            if isinstance(each, PullRequest) or not (each.deleted or each.moved)
        ]

    def parent(self, item: Item) -> Item | None:
        """Return the issue that an issue is below."""
        return next((each for each in self.items() if _is_below(item, each)), None)

    def named(self, text: str, repository: str) -> list[Item]:
        """Return the items that a text names, as ``#12``, ``northwind/web#3`` or a URL."""
        found = [self.item(name or repository, int(number)) for name, number in _mentions(text)]
        return list(dict.fromkeys(filter(None, found)))

    def words(self, item: Item) -> str:
        """Return all words of an item, cached until it changes."""
        key = item.repository.lower(), item.number
        entry = self._words.get(key)
        if entry is None or entry[0] is not item:
            entry = self._words[key] = (
                item,
                plain_words("\n".join([item.title, item.body, comments_of(item)])),
            )
        return entry[1]


@frozen
class HubView:
    """The hub as one client sees it.

    Attributes:
        api: Where it talks to the API.
    """

    hub: Hub
    api: str

    def repository(self, name: str) -> str:
        """Return where a repository is in the API."""
        return f"{self.api}/repos/{name}"

    def issue(self, item: Item) -> str:
        """Return where an item is in the API, seen as an issue."""
        return f"{self.repository(item.repository)}/issues/{item.number}"

    def pull(self, item: Item) -> str:
        """Return where a pull request is in the API."""
        return f"{self.repository(item.repository)}/pulls/{item.number}"


def page_of(item: Item) -> str:
    """Return where people see an item."""
    folder = "pull" if isinstance(item, PullRequest) else "issues"
    return f"{HTML}/{item.repository}/{folder}/{item.number}"


def repository_id(repository: CompanyRepository) -> int:
    """Return a repository's number, which stays when it is renamed."""
    first = (*repository.old_names, repository.name)[0]
    return 100_000_000 + ids.number(f"github/repository/{first.lower()}", below=900_000_000)


def item_id(item: Item) -> int:
    """Return an item's number among all of GitHub."""
    return 1_000_000_000 + ids.number(f"github/{item.repository}#{item.number}", below=2**31)


def part_id(item: Item, explicit_id: str, *named: object) -> int:
    """Return the id of an item's part, given or derived."""
    path = "/".join(map(str, (item.repository, item.number, *named)))
    return (
        int(explicit_id)
        if explicit_id
        else 1_000_000_000 + ids.number(f"github/{path}", below=2**31)
    )


def _is_below(item: Item, other: Item) -> bool:
    if isinstance(other, PullRequest) or isinstance(item, PullRequest):
        return False
    return other.repository == item.repository and item.number in other.sub_issues


def comments_of(item: Item) -> str:
    """Return the comments of an item as text."""
    texts = [comment.text for comment in item.comments]
    if isinstance(item, PullRequest):
        texts += [each.text for each in item.reviews]
        texts += [each.text for each in item.review_comments]
    return "\n".join(texts)


def changed(item: Item) -> datetime:
    """Return when an item last changed."""
    times = [item.created, *(each.updated or each.at for each in item.comments)]
    times += [each for each in (item.closed,) if each]
    if isinstance(item, PullRequest):
        times += [each.at for each in item.reviews]
        times += [each.updated or each.at for each in item.review_comments]
        times += [each.at for each in item.commits]
        times += [item.merged] if item.merged else []
    return item.updated or max(times)


def closed(item: Item) -> datetime | None:
    """Return when an item was closed; a merged one was closed by that."""
    if item.state == "open":
        return None
    merged = item.merged if isinstance(item, PullRequest) else None
    return item.closed or merged or changed(item)


def written(when: datetime) -> str:
    """Return a time as GitHub writes it."""
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def perhaps(when: datetime | None) -> str | None:
    """Return a time that may not be there."""
    return written(when) if when else None


def commits_of(hub: Hub, repository: CompanyRepository) -> list[RepositoryCommit]:
    """Return the commits of a default branch: its own, and those that were merged into it."""
    merged = [
        commit
        for item in hub.items()
        if isinstance(item, PullRequest) and item.repository == repository.name and item.merged
        for commit in item.commits
    ]
    return list({commit.sha: commit for commit in (*repository.commits, *merged)}.values())


def pushed(hub: Hub, repository: CompanyRepository) -> datetime | None:
    """Return when a repository was last pushed to; None if it never was."""
    times = [each.at for each in every_commit(hub, repository)]
    times += [each for each in (repository.pushed,) if each]
    return max(times, default=None)


def every_commit(hub: Hub, repository: CompanyRepository) -> list[RepositoryCommit]:
    """Return the commits of a repository, also those that are on a branch alone."""
    pulls = [each for each in hub.items() if isinstance(each, PullRequest)]
    theirs = [each for pull in pulls if pull.repository == repository.name for each in pull.commits]
    return [*repository.commits, *theirs]


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, with a space around each."""
    found = re.findall(r"\w+", text.lower())
    return f" {' '.join(found)} "


_MENTION: Final = re.compile(
    r"https://github\.com/([\w.-]+/[\w.-]+)/(?:pull|issues)/(\d+)"
    r"|(?<![\w/.-])([\w.-]+/[\w.-]+)?#(\d+)\b"
)


def _mentions(text: str) -> list[tuple[str, str]]:
    return [(match[1] or match[3] or "", match[2] or match[4]) for match in _MENTION.finditer(text)]
