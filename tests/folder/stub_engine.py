"""A model that answers what a test wants, and remembers what it was shown."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import ModuleType

from attrs import define, field

from rove_core import JSON, EngineKind, ModelUse, NoAnswer, Prompt, hookimpl

ANSWERED = 20


@define
class StubModel:
    """Answers questions, in place of a model that others run.

    Attributes:
        answer: What it says to a question; None if it fails.
        seen: What it was asked.
    """

    answer: Callable[[Prompt], str | None] = lambda _: "Said by the model"
    seen: list[Prompt] = field(factory=list)

    @property
    def texts(self) -> str:
        """All that it was shown."""
        return "\n".join(each.content for prompt in self.seen for each in prompt.messages)

    def plugin(self) -> ModuleType:
        """Return a package that brings it as the engine ``stub``."""
        module = ModuleType("brings_a_stub")
        engine = EngineKind(name="stub", title="Stub", open=self._opened)
        module.rove_engines = hookimpl(lambda: [engine])  # type: ignore[attr-defined]  # a plugin
        return module

    @asynccontextmanager
    async def _opened(self, use: ModelUse) -> "AsyncIterator[_Asked]":
        yield _Asked(self, use)


@define
class _Asked:
    model: StubModel
    use: ModelUse

    async def ask(self, prompt: Prompt) -> Mapping[str, JSON]:
        self.use.budget.check(prompt, calls=self.use.record.calls, tokens=self.use.record.tokens)
        self.use.record.calls += 1
        self.use.record.tokens_in += prompt.tokens
        self.model.seen.append(prompt)
        said = self.model.answer(prompt)
        if said is None:
            raise NoAnswer("it fails")
        self.use.record.tokens_out += ANSWERED
        return {"summary": said}
