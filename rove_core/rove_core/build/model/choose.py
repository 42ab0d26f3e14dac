"""Choosing the engine of a build, as the settings want it."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from attrs import field, frozen

from rove_core.build.engine import Engine
from rove_core.build.model.record import Record
from rove_core.clock import SYSTEM, Clock
from rove_core.project.settings import Settings

if TYPE_CHECKING:
    from rove_core.build.model.combine import Guard


@frozen(kw_only=True)
class Chosen:
    """The engine of one build.

    Attributes:
        engine: Whom to ask.
        model: The model that helps it; empty when none does.
        record: What became of the questions to the model, as far as it has come.
    """

    engine: Engine
    model: str = ""
    record: Record = field(factory=Record)


@asynccontextmanager
async def choose_engine(  # noqa: PLR0913  # a build makes it, in one place
    settings: Settings,
    *,
    base: Engine,
    guard: "Guard",
    clock: Clock = SYSTEM,
    environ: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> AsyncIterator[Chosen]:
    """Give the engine of one build, and close its connections at the end.

    Args:
        settings: What the project wants.
        base: The extractive engine.
        guard: Tells whether two texts may count as the same, whatever a model says.
        clock: Tells the time and waits.
        environ: The variables of the process, unless others are meant.
        dry_run: Whether to send nothing, and write down what would be sent.

    Raises:
        WrongSetting: The endpoint's address is none that can be asked.
    """
    if settings.ai.engine == "extractive":
        yield Chosen(engine=base)
        return
    # A build without a model pays for none of these.
    from rove_core.build.model.budget import Asker, Budget, Rehearsal  # noqa: PLC0415  # see above
    from rove_core.build.model.chat import Chat  # noqa: PLC0415  # see above
    from rove_core.build.model.endpoint import endpoint_of  # noqa: PLC0415  # see above
    from rove_core.build.model.openai_engine import OpenAiEngine  # noqa: PLC0415  # see above

    ai, record = settings.ai, Record()
    endpoint = endpoint_of(settings, ai, os.environ if environ is None else environ)
    if endpoint.withheld:
        record.note("key", f"none is sent: the one in {endpoint.withheld} is another endpoint's")
    if endpoint.lacks_key and not dry_run:
        record.note("model", "there is no key for it; set ROVE_AI_API_KEY")
        yield Chosen(engine=base, record=record)
        return
    budget = Budget(ai.max_calls, ai.max_tokens)
    async with AsyncExitStack() as closing:
        asker: Asker = Rehearsal(endpoint, budget, record)
        if not dry_run:
            seconds = ai.timeout.total_seconds()
            chat = Chat(endpoint, budget=budget, record=record, deadline=seconds, clock=clock)
            closing.push_async_callback(chat.aclose)
            asker = chat
        engine = OpenAiEngine(base, asker, guard=guard, record=record)
        yield Chosen(engine=engine, model=ai.model, record=record)
