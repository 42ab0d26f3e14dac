"""Listing repositories: the commits of the default branch, newest first."""

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import define, field, frozen

from rove_core import (
    Conflict,
    ContextItem,
    ItemNotFound,
    ListedChange,
    ListingStep,
    ListScope,
    ScopeMissing,
    read_cursor,
)
from rove_core.http import Parameters, next_link
from rove_core.json_reader import read_all
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.items import GitHubItems
from rove_github.references import parse_id

#: GitHub gives no more on a page.
_PER_PAGE: Final = 100
#: How much older than the newest known commit one may be that is pushed later, or taken back.
_LATE: Final = timedelta(days=14)
#: How many commits of that time a cursor has room for.
_MOST_KNOWN: Final = 1_000
#: How much older than a catch-up one of its commits may be.
_RECENTLY_MADE: Final = timedelta(days=1)


@frozen
class CommitPage:
    """A page of commits, newest first.

    Attributes:
        items: The commits.
        is_last: Whether no page follows.
    """

    items: tuple[ContextItem, ...]
    is_last: bool


@frozen
class CommitListing:
    """Lists the commits of default branches.

    The history of one commit never changes, so it is listed page by page from the branch's head;
    while the branch has the same head, one request shows that nothing is new.

    Attributes:
        api: Sends the requests.
        items: Makes items of the replies.
    """

    api: GitHubApi
    items: GitHubItems

    async def steps(self, place: "CommitPlace") -> AsyncGenerator[ListingStep, None]:
        """Yield the new commits, then those of the last weeks that are gone.

        Raises:
            ItemNotFound: There is no such repository.
            ScopeMissing: The account may not read its contents.
        """
        while True:
            page = await self._page_at(place)
            if not place.walk:
                head = _sha(page.items[0]) if page.items else ""
                if place.is_renamed(page):
                    for step in self.all_gone(place):
                        yield step
                    place.begin_anew()
                    continue
                if head == place.head and not place.unconfirmed:
                    break
                place.walk = head
            for item in page.items[place.index :]:
                place.index += 1
                if place.is_new(item):
                    yield ListingStep(ListedChange(item=item, whole=True), place.mark())
            if page.is_last:
                for sha in place.missing():
                    yield self._gone(place, sha)
                place.end_walk()
                break
            place.page, place.index = place.page + 1, 0
        yield ListingStep(ListedChange(), place.mark())

    async def recent(
        self, repository: str, since: datetime | None
    ) -> AsyncGenerator[ContextItem, None]:
        """Yield the newest commits that may have been pushed since a time, from one page."""
        begin = since - _RECENTLY_MADE if since else None
        with suppress(ItemNotFound, ScopeMissing):
            for item in (await self._page(repository, _since(begin))).items:
                yield item

    def all_gone(self, place: "CommitPlace") -> Iterator[ListingStep]:
        """Yield all commits that a cursor knows as gone; a check removes the older ones."""
        for sha in {**place.listed, **place.unconfirmed}:
            yield self._gone(place, sha)

    def _gone(self, place: "CommitPlace", sha: str) -> ListingStep:
        place.listed.pop(sha, None)
        place.met.pop(sha, None)
        place.unconfirmed.pop(sha, None)
        ref = self.items.names.commit(place.name or place.repository, sha)
        return ListingStep(ListedChange(gone=ref), place.mark())

    async def _page_at(self, place: "CommitPlace") -> CommitPage:
        """Return the page at a place; the first one if GitHub no longer has the place's commit."""
        if place.walk:
            pinned: dict[str, str | int] = {"sha": place.walk, "page": place.page}
            with suppress(ItemNotFound):
                return await self._page(place.repository, {**pinned, **_since(place.since)})
            place.begin_again()
        return await self._page(place.repository, _since(place.since))

    async def _page(self, repository: str, filters: Mapping[str, str | int]) -> CommitPage:
        params: Parameters = {"per_page": _PER_PAGE, **filters}
        try:
            reply = await self.api.get(f"{repository_path(repository)}/commits", params=params)
        except Conflict:
            return CommitPage((), is_last=True)  # The repository has no commit yet.
        commits = read_all(reply, replies.CommitReply)
        items = tuple(self.items.commit(each, repository) for each in commits if each.sha)
        return CommitPage(items, is_last=not next_link(reply))


@define
class CommitPlace:
    """The place in the listing of a repository's commits.

    Attributes:
        repository: The repository's name in the mirror.
        begin: The beginning of the scope.
        since: Where a listing ends: everything older was listed before.
        name: GitHub's name of the repository when it was listed last.
        head: The newest commit of the last complete listing.
        walk: The commit from which history is listed now; empty between listings.
        page: The page of it that comes next.
        index: How many commits of that page were listed.
        listed: The commits of the last weeks that were listed, with their times in seconds.
        met: Those of them that this listing has met, too.
        unconfirmed: The commits that were stored since the last complete listing, with their times
            in seconds.
        latest: Returns the time of a commit, at most that of the listing: anybody can make a commit
            of next year, and all others would be too old after it.
    """

    repository: str
    begin: datetime | None = None
    since: datetime | None = None
    name: str = ""
    head: str = ""
    walk: str = ""
    page: int = 1
    index: int = 0
    listed: dict[str, int] = field(factory=dict)
    met: dict[str, int] = field(factory=dict)
    unconfirmed: dict[str, int] = field(factory=dict, kw_only=True)
    latest: Callable[[datetime], datetime] = field(default=lambda at: at, kw_only=True)

    @classmethod
    def of(cls, repository: str, scope: ListScope) -> "CommitPlace":
        """Return the place of a scope's cursor; the beginning for an unknown cursor."""
        cursor = read_cursor(scope.cursor)
        since = _time(cursor.get("since"))
        is_ahead = since is not None and scope.latest(since) < since
        unconfirmed = {
            parse_id(ref.id).sha: int(scope.latest(at).timestamp())
            for ref, at in scope.unconfirmed.items()
            if ref.kind == "commit"
        }
        if not cursor or is_ahead:
            return cls(
                repository,
                begin=scope.since,
                since=scope.since,
                unconfirmed=unconfirmed,
                latest=scope.latest,
            )
        name, head, walk = (str(cursor.get(each, "")) for each in ("name", "head", "walk"))
        return cls(
            repository,
            begin=_time(cursor.get("begin")),
            since=since,
            name=name,
            head=head,
            walk=walk,
            page=max(1, _number(cursor.get("page"))),
            index=_number(cursor.get("index")),
            listed=_times(cursor.get("known")),
            met=_times(cursor.get("met")),
            unconfirmed=unconfirmed,
            latest=scope.latest,
        )

    def is_renamed(self, page: CommitPage) -> bool:
        """Return whether the repository has another name now, so that all ids are others."""
        now = parse_id(page.items[0].ref.id).repository if page.items else self.name
        is_other = bool(self.name) and now != self.name
        self.name = self.name or now
        return is_other

    def is_new(self, item: ContextItem) -> bool:
        """Note a commit; return whether it was not listed before."""
        sha, at = _sha(item), int(self.latest(item.timestamp).timestamp())
        is_recent = len(self.met) < _MOST_KNOWN and at >= self._late(at)
        if is_recent or sha in self.listed or sha in self.unconfirmed:
            # After a quiet month, the known commits are all older than what is recent.
            self.met[sha] = at
        if sha in self.listed:
            return False
        return self.begin is None or item.timestamp >= self.begin

    def missing(self) -> list[str]:
        """Return the known commits that history lacks now: somebody replaced the branch's head."""
        late = self._late(0)
        doubtful = {sha: at for sha, at in self.unconfirmed.items() if at >= late}
        known = doubtful if self.head in self.met else {**self.listed, **doubtful}
        oldest = int(self.since.timestamp()) if self.since else 0
        return [sha for sha, at in known.items() if sha not in self.met and at > oldest]

    def _late(self, latest: int) -> int:
        """Return the time in seconds before which no commit is recent, nor pushed later."""
        return max(self.met.values(), default=latest) - int(_LATE.total_seconds())

    def end_walk(self) -> None:
        """Note that all of a history was listed."""
        late = self._late(0)
        self.met = {sha: at for sha, at in self.met.items() if at >= late}
        if self.met:
            if len(self.met) >= _MOST_KNOWN:
                late = max(late, min(self.met.values()))
            since = datetime.fromtimestamp(late, UTC)
            self.since = max(since, self.since) if self.since else since
        self.head, self.listed = self.walk, self.met
        self.walk, self.page, self.index, self.met = "", 1, 0, {}

    def begin_again(self) -> None:
        """Leave a history that GitHub no longer has, and remember what was listed of it."""
        self.listed, self.met = {**self.listed, **self.met}, {}
        self.walk, self.page, self.index = "", 1, 0

    def begin_anew(self) -> None:
        """Forget everything but the beginning of the scope."""
        self.since, self.name, self.head, self.walk = self.begin, "", "", ""
        self.page, self.index, self.listed, self.met = 1, 0, {}, {}

    def mark(self) -> Callable[[], str]:
        """Return what returns the cursor that goes on from here."""
        place: dict[str, object] = {
            "begin": self.begin and self.begin.isoformat(),
            "since": self.since and self.since.isoformat(),
            "name": self.name,
            "head": self.head,
            "walk": self.walk,
            "page": self.page,
            "index": self.index,
            "known": dict(self.listed),
            "met": dict(self.met),
        }
        return lambda: json.dumps(place, separators=(",", ":"))


def _sha(item: ContextItem) -> str:
    return parse_id(item.ref.id).sha


def _since(begin: datetime | None) -> dict[str, str]:
    return {"since": begin.astimezone(UTC).isoformat(timespec="seconds")} if begin else {}


def _time(value: object) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    return None


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _times(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping):
        return {}
    return {str(sha): at for sha, at in value.items() if isinstance(at, int)}
