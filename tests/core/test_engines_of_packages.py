"""The ways to ask a model that packages bring."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType

import pytest
from docs_src.hooks import rove_echo

from rove_core import (
    EngineKind,
    ModelClient,
    ModelUse,
    Prompt,
    WrongSetting,
    hookimpl,
    open_project,
)
from rove_core.auth.credentials import MemoryStore
from rove_core.build.extractive import Extractive
from rove_core.build.model.choose import choose_engine
from rove_core.plugins.loader import use_plugins
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import load_settings
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import FaultProxy, SeenRequest, ServerReply

PROMPT = Prompt(question="weather", rule="How is it?", material={"sky": "blue"}, schema={})


def _module(*engines: object) -> ModuleType:
    module = ModuleType("brings_engines")
    module.rove_engines = hookimpl(lambda: engines)  # type: ignore[attr-defined]  # a plugin
    return module


def _answer(seen: SeenRequest) -> ServerReply:
    """Answer as that vendor does: with the model's words alone."""
    assert json.loads(seen.body)["model"] == "m"
    return ServerReply(body=b'Surely: {"weather": "fine"}')


@pytest.mark.anyio
async def test_the_settings_name_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the project open asks the model that ai.engine names."""
    async with FaultProxy(_answer) as proxy:
        monkeypatch.setenv("ROVE_AI_ENGINE", "echo")
        monkeypatch.setenv("ROVE_AI_API_BASE", proxy.url)
        monkeypatch.setenv("ROVE_AI_MODEL", "m")
        async with (
            open_project(
                tmp_path, accounts=(), plugins=[rove_echo], credentials=MemoryStore()
            ) as rove,
            rove.model() as model,
        ):
            answer = await model.ask(PROMPT)

    assert answer == {"weather": "fine"}


@pytest.mark.anyio
async def test_an_engine_that_nobody_brings(places: ProjectPaths) -> None:
    """A build does without it and notes why; whoever needs a model is told what to install."""
    settings = load_settings(places, environ={"ROVE_AI_ENGINE": "openia"})
    base = Extractive()
    async with choose_engine(
        settings, base=base, guard=lambda _, __: True, engines={}, environ={}
    ) as chosen:
        notes = chosen.record.notes

    said = "ai.engine = 'openia': no installed package provides it; available: extractive"
    assert chosen.engine is base
    assert notes == [f"model: {said}; pip install rove-openia"]


@pytest.mark.anyio
async def test_without_an_engine_there_is_no_model(tmp_path: Path) -> None:
    """Asking for one says so."""
    async with open_project(tmp_path, accounts=(), plugins=(), credentials=MemoryStore()) as rove:
        with pytest.raises(WrongSetting, match="so no model is used"):
            async with rove.model():
                pass


@asynccontextmanager
async def _does_not_open(_: ModelUse) -> AsyncIterator[ModelClient]:
    raise ZeroDivisionError("enough")
    yield  # it makes this a generator


class _Raises:
    async def ask(self, _: Prompt) -> None:
        """Raise what no client should."""
        raise ZeroDivisionError("enough")


@asynccontextmanager
async def _raises(_: ModelUse) -> AsyncIterator[ModelClient]:
    yield _Raises()  # type: ignore[misc]  # as a plugin without types would


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("opens", "said"),
    [
        (_does_not_open, "model: the engine 'bad' raises ZeroDivisionError: enough"),
        (_raises, "same: the engine raises ZeroDivisionError: enough"),
    ],
)
async def test_a_bad_engine_costs_its_answers_alone(
    places: ProjectPaths, opens: object, said: str
) -> None:
    """The build goes on with the extractive engine, and notes what the other one did."""
    variables = {"ROVE_AI_ENGINE": "bad", "ROVE_AI_API_BASE": "http://127.0.0.1:9"}
    bad = EngineKind(name="bad", title="Bad", open=opens)  # type: ignore[arg-type]  # one of the above
    async with choose_engine(
        load_settings(places, environ=variables),
        base=Extractive(),
        guard=lambda _, __: True,
        engines={"bad": bad},
        clock=VirtualClock(),
        environ=variables,
    ) as chosen:
        answers = await chosen.engine.same(["It is blue.", "It is red."])

    assert answers == [None, None]
    assert chosen.record.notes == [said]


def test_rove_s_own_name_is_taken() -> None:
    """A package that brings an engine called extractive is broken."""
    mine = EngineKind(name="extractive", title="Mine", open=_raises)

    assert "is one of Rove's own" in use_plugins([_module(mine)]).broken[0].error


def test_two_packages_cannot_bring_one_engine() -> None:
    """The second one is broken, and says whose it is."""
    (echo,) = rove_echo.rove_engines()

    assert "the engine 'echo' that" in use_plugins([rove_echo, _module(echo)]).broken[0].error
