"""Build and refresh documents as tasks, in as many passes as the accounts' limits require."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

import attrs
from attrs import define

from rove_core.build.builder import DocumentBuilder
from rove_core.build.document_store import DocumentStore
from rove_core.build.engine import Engine
from rove_core.build.gather.fetches import (
    BACKGROUND,
    FIRST_PASS,
    NEXT_PASS,
    SHORT_PASS,
    FetchCache,
    LimitRules,
)
from rove_core.build.model.choose import ChosenEngine, choose_engine
from rove_core.build.model.record import PlannedCall
from rove_core.build.rank.copies import may_be_same
from rove_core.build.requests import BuildRequest, BuildResult
from rove_core.clock import Clock
from rove_core.errors import StoreUnusable
from rove_core.mirror.mirrors import OpenMirrors, no_mirrors
from rove_core.mirror.opened_mirrors import OpenedMirrors
from rove_core.plugins.accounts import Accounts
from rove_core.project.settings import Settings
from rove_core.store.tasks import Task
from rove_core.tasks.runner import ReportProgress, TaskRunner

if TYPE_CHECKING:
    from rove_core.build.model.client import EngineKind

_LOG: Final = logging.getLogger("rove.build")
#: Maximum further passes over a document: a vendor may never allow enough requests.
_MOST_PASSES: Final = 10


class BuilderOf(Protocol):
    """Returns the builder for one pass over a document."""

    def __call__(self, request: BuildRequest, rules: LimitRules, /) -> DocumentBuilder:
        """Return a builder that uses the accounts' limits by the given rules."""


@define(eq=False, kw_only=True)
class Builds:
    """Builds the documents of one project.

    Attributes:
        documents: The stored state of documents.
        settings: The project's settings.
        tasks: Runs each build as a task.
        accounts: The accounts to query.
        titles: Display titles of the accounts' kinds.
        unconnected: Reasons why accounts could not be connected, by account name.
        engine: The engine that works without a model.
        engines: The engines of installed packages, by name.
        clock: The clock.
        mirrors: Opens the mirrors that may be searched instead of accounts.
    """

    documents: DocumentStore
    settings: Settings
    tasks: TaskRunner
    accounts: Accounts
    titles: Mapping[str, str]
    unconnected: Mapping[str, str]
    engine: Engine
    engines: "Mapping[str, EngineKind]"
    clock: Clock
    mirrors: OpenMirrors = no_mirrors

    async def build(
        self, request: BuildRequest, fetched: FetchCache, *, wait: bool = True
    ) -> BuildResult:
        """Build or refresh a document as a task, or as a part of the current one.

        The first pass writes a document with what the accounts' limits allow at once. Further
        passes complete it as soon as the limits allow.

        Args:
            request: The build request.
            fetched: Results of other builds of the same call, which are not fetched again.
            wait: Whether to wait for limits that are lifted soon; otherwise the result's ``rest``
                says when a call with ``resumed`` can fetch the rest.
        """
        if request.resumed:
            request = request.resume(request.resumed)

        async def work(task: Task, report: ReportProgress) -> BuildResult:
            async with self._engine() as chosen, self._opened_mirrors() as mirrors:
                builder = partial(
                    self._builder,
                    task=task,
                    report=report,
                    chosen=chosen,
                    fetched=fetched,
                    mirrors=mirrors,
                )
                passes = self._to_the_end if wait else self._one_pass
                damaged = mirrors.damaged
                while True:
                    try:
                        return await passes(request, builder, report)
                    except StoreUnusable:
                        if mirrors.damaged == damaged:
                            raise
                        damaged = mirrors.damaged  # It is not opened any more.

        if claimed := self.tasks.inside:
            built = await work(claimed.task, await self.tasks.take(claimed, request.subject))
        else:
            call = request.as_call()
            built = await self.tasks.run(
                "build", call, work, subject=request.subject, is_partial=_is_partial
            )
        if built.resume_at is None:
            for account, why in built.failures.items():
                _LOG.warning("%s without %s: %s", request.ticket.id, account, why)
        return built

    async def _one_pass(
        self, request: BuildRequest, builder: "BuilderOf", tell: ReportProgress
    ) -> BuildResult:
        """Build with what the accounts' limits allow at once."""
        built = await builder(request, SHORT_PASS if request.resumed else FIRST_PASS).make()
        if built.resume_at and not request.resumed:
            # The next pass may use more of the limits, after the first pass of others.
            return attrs.evolve(built, rest=dict.fromkeys(built.rest, self.clock.now()))
        await self._report_waits(built, tell)
        return built

    async def _to_the_end(
        self, request: BuildRequest, builder: "BuilderOf", tell: ReportProgress
    ) -> BuildResult:
        """Build in as many passes as the limits require, and wait between them."""
        begun = request.resumed or self.clock.now()
        built = await builder(request, NEXT_PASS if request.resumed else FIRST_PASS).make()
        if built.rest and not request.resumed:
            # The next pass may use more of the limits than the first.
            built = await builder(request.resume(begun), NEXT_PASS).make()
        for _ in range(_MOST_PASSES):
            if not await self._wait_for_limits(built, tell):
                break
            built = await builder(request.resume(begun), NEXT_PASS).make()
        return built

    async def _wait_for_limits(self, built: BuildResult, tell: ReportProgress) -> bool:
        """Wait until postponed requests are allowed; return whether that is soon."""
        if (until := built.resume_at) is None:
            return False
        await self._report_waits(built, tell)
        await self.clock.sleep(max(0.0, (until - self.clock.now()).total_seconds()))
        return True

    async def _report_waits(self, built: BuildResult, tell: ReportProgress) -> None:
        for account, until in built.rest.items():
            await tell("waiting", account=account, note=f"until {until:%H:%M:%S} UTC")

    async def planned(self, request: BuildRequest) -> tuple[PlannedCall, ...]:
        """Return the model calls that a build would make, without making any."""

        async def report(*_: object, **__: object) -> None:
            """Ignore progress."""

        async with self._engine(dry_run=True) as chosen:
            await self._builder(
                request,
                chosen=chosen,
                report=report,
                fetched=FetchCache(),
                mirrors=self.mirrors,
            ).rehearse()
            return tuple(chosen.record.planned)

    @asynccontextmanager
    async def _opened_mirrors(self) -> AsyncIterator[OpenedMirrors]:
        mirrors = OpenedMirrors(self.mirrors)
        try:
            yield mirrors
        finally:
            await mirrors.forget_dropped(self.documents.places.index)

    def _engine(self, *, dry_run: bool = False) -> AbstractAsyncContextManager[ChosenEngine]:
        return choose_engine(
            self.settings,
            base=self.engine,
            guard=may_be_same,
            engines=self.engines,
            clock=self.clock,
            dry_run=dry_run,
        )

    def _builder(  # noqa: PLR0913  # all that a pass is made with
        self,
        request: BuildRequest,
        rules: LimitRules = NEXT_PASS,
        /,
        *,
        chosen: ChosenEngine,
        report: ReportProgress,
        fetched: FetchCache,
        mirrors: OpenMirrors,
        task: Task | None = None,
    ) -> DocumentBuilder:
        """Return the builder for one pass over the document."""
        # Nobody waits for a planned task.
        is_planned = task is not None and task.planned
        return DocumentBuilder(
            request=attrs.evolve(request, retries=False) if is_planned else request,
            documents=self.documents,
            accounts=self.accounts,
            titles=self.titles,
            unconnected=self.unconnected,
            chosen=chosen,
            clock=self.clock,
            report=report,
            max_tokens=self.settings.context.max_tokens,
            shape=self.settings.context.shape,
            max_hops=self.settings.ai.max_hops,
            commit=self.settings.context.commit,
            link_hosts=self.settings.context.link_hosts,
            rules=BACKGROUND if is_planned else attrs.evolve(rules, begun=request.resumed),
            fetched=fetched,
            mirrors=mirrors,
            task=task.id if task else "",
        )


def _is_partial(built: BuildResult) -> bool:
    return bool(built.failures)
