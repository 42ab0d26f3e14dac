"""Build and refresh documents as tasks, each with one line in the performance log."""

import logging
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
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
from rove_core.errors import RoveError
from rove_core.http import counting
from rove_core.mirror.mirrors import OpenMirrors, no_mirrors
from rove_core.plugins.accounts import Accounts
from rove_core.project.logs import TaskMetrics, log_performance
from rove_core.project.settings import Settings
from rove_core.store.tasks import Task
from rove_core.tasks.runner import TaskRunner, Tell

if TYPE_CHECKING:
    from rove_core.build.model.client import EngineKind

_LOG: Final = logging.getLogger("rove.build")
_PARTIAL: Final = 5
#: How often a document is taken up again; a vendor may never allow enough.
_MOST_PASSES: Final = 10


class OnePass(Protocol):
    """Writes a document with what the vendors' limits allow now."""

    async def __call__(self, request: BuildRequest, rules: LimitRules, /) -> BuildResult:
        """Write it, taking the limits in one way."""


@define(eq=False, kw_only=True)
class Builds:
    """Builds the documents of one project.

    Attributes:
        keeping: What is kept of documents.
        settings: What the project wants.
        tasks: What runs each build.
        accounts: Whom to ask.
        titles: How people name the kind of each account.
        unconnected: Why an account that should be asked cannot be, by its name.
        engine: The engine that works without a model.
        engines: What installed packages ask a model with, by name.
        clock: What tells the time.
        mirrors: Gives the mirrors that may be searched instead of accounts.
    """

    keeping: DocumentStore
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
        """Build or refresh a document as a task.

        The first pass writes a document with what can be asked at once. What the limits of the
        accounts do not allow then is asked as soon as they do, and the document is completed.

        Args:
            request: What is asked for.
            fetched: What other builds of the same call fetched: it is not asked for again.
            wait: Whether to wait for limits that are lifted soon; else ``rest`` of what is
                returned tells when a call with ``resumed`` can ask for the rest.
        """
        if request.resumed:
            request = request.resume(request.resumed)

        async def work(task: Task, tell: Tell) -> BuildResult:
            async with self._engine() as chosen:
                one_pass = partial(
                    self._one_pass, task=task, tell=tell, chosen=chosen, fetched=fetched
                )
                if wait:
                    return await self._to_the_end(request, one_pass, tell)
                built = await one_pass(request, SHORT_PASS if request.resumed else FIRST_PASS)
                if built.resume_at and not request.resumed:
                    # The next pass may use more of the limits, once others have had their first.
                    return attrs.evolve(built, rest=dict.fromkeys(built.rest, self.clock.now()))
                await self._tell_rest(built, tell)
                return built

        call = request.as_call()
        built = await self.tasks.run(
            "build", call, work, subject=request.subject, is_partial=_is_partial
        )
        if built.resume_at is None:
            for account, why in built.failures.items():
                _LOG.warning("%s without %s: %s", request.ticket.id, account, why)
        return built

    async def _to_the_end(
        self, request: BuildRequest, one_pass: "OnePass", tell: Tell
    ) -> BuildResult:
        """Build in as many passes as the limits want, and wait between them."""
        begun = request.resumed or self.clock.now()
        built = await one_pass(request, NEXT_PASS if request.resumed else FIRST_PASS)
        if built.rest and not request.resumed:
            # The next pass may use more of the limits than the first.
            built = await one_pass(request.resume(begun), NEXT_PASS)
        for _ in range(_MOST_PASSES):
            if not await self._waited(built, tell):
                break
            built = await one_pass(request.resume(begun), NEXT_PASS)
        return built

    async def _one_pass(  # noqa: PLR0913  # all that a pass is made with
        self,
        request: BuildRequest,
        rules: LimitRules,
        /,
        *,
        task: Task,
        tell: Tell,
        chosen: ChosenEngine,
        fetched: FetchCache,
    ) -> BuildResult:
        """Write the document with what the limits allow now, and log its figures.

        Nobody waits for what is planned.
        """
        rules = BACKGROUND if task.planned else attrs.evolve(rules, begun=request.resumed)
        making = self._making(request, chosen, tell, fetched, rules)
        wall, cpu, code = self.clock.monotonic(), sum(os.times()[:2]), 1
        with counting() as counts:
            try:
                built = await making.make()
                code = _PARTIAL if built.failures else 0
            except RoveError as error:
                code = error.exit_code
                raise
            finally:
                requests = counts.requests - chosen.record.calls
                log_performance(
                    TaskMetrics(
                        task=task.id,
                        ticket=request.ticket.id,
                        accounts=self.accounts.names,
                        requests=requests,
                        bytes=counts.bytes,
                        items=making.items,
                        hops=making.hops,
                        model_calls=chosen.record.calls,
                        tokens=chosen.record.tokens,
                        wall=self.clock.monotonic() - wall,
                        cpu=sum(os.times()[:2]) - cpu,
                        exit=code,
                    )
                )
        return built

    async def _waited(self, built: BuildResult, tell: Tell) -> bool:
        """Wait until postponed requests are allowed; return whether that is soon."""
        if (until := built.resume_at) is None:
            return False
        await self._tell_rest(built, tell)
        await self.clock.sleep(max(0.0, (until - self.clock.now()).total_seconds()))
        return True

    async def _tell_rest(self, built: BuildResult, tell: Tell) -> None:
        for account, until in built.rest.items():
            await tell("waiting", account=account, note=f"until {until:%H:%M:%S} UTC")

    async def planned(self, request: BuildRequest) -> tuple[PlannedCall, ...]:
        """Return the model calls that a build would make, without making any."""

        async def tell(*_: object, **__: object) -> None:
            """Ignore progress: nothing happens."""

        async with self._engine(dry_run=True) as chosen:
            await self._making(request, chosen, tell, FetchCache()).rehearse()
            return tuple(chosen.record.planned)

    def _engine(self, *, dry_run: bool = False) -> AbstractAsyncContextManager[ChosenEngine]:
        return choose_engine(
            self.settings,
            base=self.engine,
            guard=may_be_same,
            engines=self.engines,
            clock=self.clock,
            dry_run=dry_run,
        )

    def _making(
        self,
        request: BuildRequest,
        chosen: ChosenEngine,
        tell: Tell,
        fetched: FetchCache,
        rules: LimitRules = NEXT_PASS,
    ) -> DocumentBuilder:
        return DocumentBuilder(
            request=request,
            keeping=self.keeping,
            accounts=self.accounts,
            titles=self.titles,
            unconnected=self.unconnected,
            chosen=chosen,
            clock=self.clock,
            tell=tell,
            max_tokens=self.settings.context.max_tokens,
            shape=self.settings.context.shape,
            max_hops=self.settings.ai.max_hops,
            commit=self.settings.context.commit,
            rules=rules,
            fetched=fetched,
            mirrors=self.mirrors,
        )


def _is_partial(built: BuildResult) -> bool:
    return bool(built.failures)
