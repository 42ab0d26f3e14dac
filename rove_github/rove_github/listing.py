"""Listing repositories: issues, pull requests and commits, those that changed last first."""

import json
import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from datetime import datetime
from functools import partial
from typing import Final

from attrs import define, evolve, frozen

from rove_core import (
    Clock,
    Container,
    ContextItem,
    ItemNotFound,
    ItemRef,
    KnownIds,
    ListedChange,
    ListingStep,
    ListScope,
    MalformedReply,
    NotFound,
    ScopeMissing,
    UpdateCursor,
    WorkItem,
    merge_listings,
    read_cursor,
)
from rove_core.json_reader import first_moment
from rove_github.commits import CommitListing, CommitPlace
from rove_github.detail import Details
from rove_github.graphql_items import whole_of
from rove_github.pages import Kind, ListedPage, RepositoryPages
from rove_github.references import parse_id
from rove_github.scopes import Scopes
from rove_github.work import GitHubWork

_LOG: Final = logging.getLogger("rove.github")

#: GitHub orders and counts these apart.
_KINDS: Final[tuple[Kind, ...]] = ("issue", "pr")
_COMMIT: Final = "commit"


@frozen
class RepositoryListing:
    """Lists the repositories of an account.

    Attributes:
        pages: Asks for pages of issues and of pull requests.
        commits: Lists commits.
        details: Makes items of them, and reads those of which a page tells a part.
        work: Makes work of issues.
        scopes: Where the account looks.
        clock: The clock.
    """

    pages: RepositoryPages
    commits: CommitListing
    details: Details
    work: GitHubWork
    scopes: Scopes
    clock: Clock

    async def containers(self, among: Sequence[str] | None = None) -> list[Container]:
        """Return the repositories of the account that it may read now.

        Args:
            among: The only ones to return, and to request by their names; all if None.
        """
        names = await self.scopes.readable_repositories(among)
        return [Container(name=each, title=each) for each in names]

    async def changes(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield what changed, and the issues and commits that are gone."""
        names = scope.containers or await self.scopes.repositories()
        lanes = [f"{kind} {name}" for name in names for kind in (*_KINDS, _COMMIT)]
        async with aclosing(merge_listings(scope, lanes, self._list)) as changes:
            async for change in changes:
                yield change

    async def recent(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the issues, pull requests and commits that changed since a time.

        One query finds the repositories with changes; only these are listed.

        Raises:
            ItemNotFound: A repository that cannot be read, or has another name now.
        """
        for repository, kind in await self.pages.changed(scope.containers, scope.since):
            if kind == _COMMIT:
                async with aclosing(self.commits.recent(repository, scope.since)) as items:
                    async for item in items:
                        yield ListedChange(item=item, whole=True, container=repository)
                continue
            place = _LanePlace(repository, kind, UpdateCursor(since=scope.since))
            page = await self._page(place)
            while True:
                async for step in self._changes_in(place, page):
                    yield evolve(step.change, container=repository)
                if not page.following or place.is_past(page):
                    break
                place.page = page.following
                page = await self._page(place)

    async def _list(self, scope: ListScope) -> AsyncGenerator[ListingStep, None]:
        """Yield what changed among the issues, pull requests or commits of one repository.

        What the login may not read for now is not gone: it lacks a permission, or a single sign-on.
        """
        kind, _, repository = scope.containers[0].partition(" ")
        if kind == _COMMIT:
            async with aclosing(self._list_commits(repository, scope)) as listed:
                async for step in listed:
                    yield step
            return
        place = _LanePlace.of(scope)
        try:
            async with aclosing(self._steps(place)) as steps:
                async for step in steps:
                    yield step
        except ScopeMissing as error:
            message = f"{place.repository}: {error.message}"
            raise ScopeMissing(message, hint=error.hint) from error
        except ItemNotFound as error:
            await self.scopes.check_lost(place.repository)
            for step in self._all_gone(place):
                yield step
            yield ListingStep(ListedChange(), str)
            raise ItemNotFound(f"{place.repository}: {error.message}") from error

    async def _list_commits(
        self, repository: str, scope: ListScope
    ) -> AsyncGenerator[ListingStep, None]:
        """Yield the new commits of a repository.

        Some tokens read issues and not code. The listing of the issues raises an error if the
        repository is not readable at all.

        Raises:
            ScopeMissing: The login lacks a permission that it had before.
        """
        place = CommitPlace.of(repository, scope)
        try:
            async with aclosing(self.commits.steps(place)) as steps:
                async for step in steps:
                    yield step
        except ScopeMissing as error:
            if place.head:
                raise
            _LOG.info("%s: its commits are not listed: %s", repository, error.message)
        except ItemNotFound as error:
            await self.scopes.check_lost(repository)
            _LOG.info("%s: its commits are not listed: %s", repository, error.message)
            for step in self.commits.all_gone(place):
                yield step
            place.begin_anew()
            yield ListingStep(ListedChange(), place.mark())

    async def _steps(self, place: "_LanePlace") -> AsyncGenerator[ListingStep, None]:
        page = await self._page(place)
        if place.name and page.repository != place.name:
            # With another name of the repository, all its items have other ids.
            for step in self._all_gone(place):
                yield step
            place.begin_anew()
            page = await self._page(place)
        place.name = page.repository
        while True:
            async for step in self._changes_in(place, page):
                yield step
            if not page.following or place.is_past(page):
                break
            place.page = page.following
            page = await self._page(place)
        async for step in self._swept(place, page):
            yield step
        yield ListingStep(ListedChange(), place.mark(done=True, now=self.clock.now()))

    async def _changes_in(
        self, place: "_LanePlace", page: ListedPage
    ) -> AsyncGenerator[ListingStep, None]:
        for node in page.items:
            at = first_moment(node.updatedAt, node.createdAt)
            name = f"{page.repository}#{node.number}"
            if at is None or not place.update.is_new(name, at):
                continue
            mark = place.mark(done=False)
            whole = whole_of(node) if page.is_whole else None
            item = self.details.item(whole, parse_id(name)) if whole else await self._item(name)
            is_work = whole is not None and place.kind == "issue"
            work = self.work.of(whole.issue, page.repository) if whole and is_work else None
            if item:
                yield _step(item, mark, work)

    async def _page(self, place: "_LanePlace") -> ListedPage:
        """Return a page; the first one where GitHub does not know the place any more."""
        ask = partial(self.pages.page, place.repository, place.kind, begin=place.update.begin)
        try:
            return await ask(place.page)
        except MalformedReply:
            if not place.page:
                raise
            place.page = ""
            return await ask("")

    def _all_gone(self, place: "_LanePlace") -> Iterator[ListingStep]:
        for name in place.update.forget_missing((), self.clock.now()):
            yield ListingStep(
                ListedChange(gone=self._ref(name, place.kind)), place.mark(done=False)
            )

    async def _swept(
        self, place: "_LanePlace", page: ListedPage
    ) -> AsyncGenerator[ListingStep, None]:
        """Yield the issues that are gone, and those that came in without a change.

        Pull requests cannot be deleted or moved. A count tells whether issues were.
        """
        update = place.update
        if place.kind == "pr" or page.count == len(update.known or ()):
            return
        numbers = await self.pages.numbers(place.repository, begin=update.begin)
        if numbers is None:
            return
        there = {f"{page.repository}#{number}" for number in numbers}
        for name in update.forget_missing(there, self.clock.now()):
            gone = ListedChange(gone=self._ref(name, place.kind))
            yield ListingStep(gone, place.mark(done=False))
        for name in sorted(there.difference(update.known or ())):
            if item := await self._item(name):
                update.note(name, item.timestamp)
                yield _step(item, place.mark(done=False))

    async def _item(self, name: str) -> ContextItem | None:
        """Return an item; None when it was deleted or moved meanwhile."""
        with suppress(NotFound):
            item = await self.details.read(self._ref(name, "issue"))
            return item if item.ref.id == name else None
        return None

    def _ref(self, name: str, kind: Kind) -> ItemRef:
        named = parse_id(name)
        return self.details.items.names.numbered(named.repository, named.number, kind)


@define
class _LanePlace:
    """The place in the listing of a repository's issues, or of its pull requests.

    Attributes:
        repository: What the repository is called by who lists it.
        kind: Which of the two.
        update: The place by time.
        page: The place of GitHub's page that is listed now.
        name: What the repository was called by GitHub, when it was listed last.
    """

    repository: str
    kind: Kind
    update: UpdateCursor
    page: str = ""
    name: str = ""

    @classmethod
    def of(cls, scope: ListScope) -> "_LanePlace":
        kind, _, repository = scope.containers[0].partition(" ")
        cursor = read_cursor(scope.cursor)
        update, page, name = (str(cursor.get(each, "")) for each in ("update", "page", "name"))
        unconfirmed = {ref: at for ref, at in scope.unconfirmed.items() if ref.kind == kind}
        return cls(
            repository,
            "pr" if kind == "pr" else "issue",
            UpdateCursor.of(evolve(scope, cursor=update, unconfirmed=unconfirmed), keep_ids=True),
            page,
            name,
        )

    def begin_anew(self) -> None:
        """Forget everything but the beginning of the scope."""
        since = self.update.begin
        self.update = UpdateCursor(since, begin=since, known=KnownIds())
        self.page = ""

    def is_past(self, page: ListedPage) -> bool:
        """Return whether all that follows a page was listed before, or is too old."""
        last = page.items[-1] if page.items else None
        at = first_moment(last.updatedAt, last.createdAt) if last else None
        since = self.update.since
        return since is not None and at is not None and at < since

    def mark(self, *, done: bool, now: datetime | None = None) -> Callable[[], str]:
        """Return a function that writes the cursor for continuing here."""
        update, name = self.update.mark(done=done, now=now), self.name
        page = "" if done else self.page
        return lambda: json.dumps({"update": update(), "page": page, "name": name})


def _step(item: ContextItem, mark: Callable[[], str], work: WorkItem | None = None) -> ListingStep:
    return ListingStep(ListedChange(item=item, whole=True, work=work), mark)
