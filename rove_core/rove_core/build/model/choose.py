"""Choose the engine of a build, and open the configured model."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from attrs import field, frozen

from rove_core.build.engine import Engine
from rove_core.build.model.record import ModelRecord
from rove_core.clock import SYSTEM, Clock
from rove_core.errors import RoveError, WrongSetting
from rove_core.project.settings import Settings
from rove_core.project.settings.ai_section import EXTRACTIVE

if TYPE_CHECKING:
    from rove_core.build.model.client import EngineKind, ModelClient, ModelUse
    from rove_core.build.model.combine import Guard


@frozen(kw_only=True)
class ChosenEngine:
    """The engine of one build.

    Attributes:
        engine: The engine itself.
        model: The model that helps it; empty if none does.
        record: The record of the model calls so far.
    """

    engine: Engine
    model: str = ""
    record: ModelRecord = field(factory=ModelRecord)


@asynccontextmanager
async def choose_engine(  # noqa: PLR0913  # a build makes it, in one place
    settings: Settings,
    *,
    base: Engine,
    guard: "Guard",
    engines: "Mapping[str, EngineKind]",
    clock: Clock = SYSTEM,
    environ: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> AsyncIterator[ChosenEngine]:
    """Yield the engine of one build.

    Args:
        settings: The project's settings.
        base: The extractive engine.
        guard: Returns whether two texts may count as the same, whatever a model says.
        engines: The engines of installed packages, by name.
        clock: The clock, for time and waiting.
        environ: The environment variables; those of the process unless given.
        dry_run: Whether to send nothing and record what would be sent.

    Raises:
        WrongSetting: The endpoint's URL is invalid.
    """
    if settings.ai.engine == EXTRACTIVE:
        yield ChosenEngine(engine=base)
        return
    # A build without a model does not pay for these imports.
    from rove_core.build.model.budget import Rehearsal  # noqa: PLC0415  # see above
    from rove_core.build.model.model_engine import ModelEngine  # noqa: PLC0415  # see above

    use = _use(settings, os.environ if environ is None else environ, clock)
    record = use.record
    async with AsyncExitStack() as closing:
        client: ModelClient | None
        if dry_run:
            client = Rehearsal(use.endpoint, use.budget, record)
        else:
            client = await _open_client(settings.ai.engine, engines, use, closing)
        if client is None:
            yield ChosenEngine(engine=base, record=record)
            return
        engine = ModelEngine(base, client, guard=guard, record=record)
        yield ChosenEngine(engine=engine, model=settings.ai.model, record=record)


@asynccontextmanager
async def open_model(
    settings: Settings,
    engines: "Mapping[str, EngineKind]",
    *,
    clock: Clock = SYSTEM,
    environ: Mapping[str, str] | None = None,
    record: ModelRecord | None = None,
) -> "AsyncIterator[ModelClient]":
    """Yield the configured model.

    Args:
        settings: The project's settings.
        engines: The engines of installed packages, by name.
        clock: The clock, for time and waiting.
        environ: The environment variables; those of the process unless given.
        record: Records what is spent.

    Raises:
        WrongSetting: The settings name no model, or one that cannot be used.
    """
    name = settings.ai.engine
    if name == EXTRACTIVE:
        raise WrongSetting(
            "ai.engine is extractive, so no model is used",
            hint="docs/how-to/use-a-model.md says how to set one.",
        )
    if name not in engines:
        raise WrongSetting(lacking(name, engines), hint=f"Install it: pip install rove-{name}")
    use = _use(settings, os.environ if environ is None else environ, clock, record)
    async with engines[name].open(use) as client:
        yield client


def lacking(name: str, engines: "Mapping[str, EngineKind]") -> str:
    """Return the message for an engine that no installed package provides."""
    names = ", ".join(sorted([EXTRACTIVE, *engines]))
    return f"ai.engine = {name!r}: no installed package provides it; available: {names}"


def _use(
    settings: Settings,
    environ: Mapping[str, str],
    clock: Clock,
    record: ModelRecord | None = None,
) -> "ModelUse":
    from rove_core.build.model.budget import Budget  # noqa: PLC0415  # only a model needs it
    from rove_core.build.model.client import ModelUse  # noqa: PLC0415  # as above
    from rove_core.build.model.endpoint import endpoint_of  # noqa: PLC0415  # as above

    ai, record = settings.ai, ModelRecord() if record is None else record
    endpoint = endpoint_of(settings, ai, environ)
    if endpoint.withheld:
        record.note("key", f"none is sent: the one in {endpoint.withheld} is another endpoint's")
    return ModelUse(
        endpoint=endpoint,
        budget=Budget(ai.max_calls, ai.max_tokens),
        record=record,
        deadline=ai.timeout.total_seconds(),
        clock=clock,
    )


async def _open_client(
    name: str, engines: "Mapping[str, EngineKind]", use: "ModelUse", closing: AsyncExitStack
) -> "ModelClient | None":
    """Return the client of an engine; None if the build does without it, and note why."""
    if name not in engines:
        use.record.note("model", f"{lacking(name, engines)}; pip install rove-{name}")
        return None
    if use.endpoint.lacks_key:
        use.record.note("model", "there is no key for it; set ROVE_AI_API_KEY")
        return None
    try:
        return await closing.enter_async_context(engines[name].open(use))
    except RoveError as error:
        use.record.note("model", error.message)
    except Exception as error:  # noqa: BLE001  # a plugin's code: it costs its answers alone
        use.record.note("model", f"the engine {name!r} raises {type(error).__name__}: {error}")
    return None
