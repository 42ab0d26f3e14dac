"""Ask a model of another vendor, in that vendor's own form."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from attrs import frozen

from rove_core import (
    JSON,
    Caps,
    EngineKind,
    Http,
    ModelUse,
    NoAnswer,
    Prompt,
    RoveError,
    estimated_tokens,
    hookimpl,
    read_answer,
)


@frozen
class Echo:
    """Asks one model for one build."""

    use: ModelUse
    http: Http

    async def ask(self, prompt: Prompt) -> Mapping[str, JSON]:
        """Return the model's answer."""
        record = self.use.record
        self.use.budget.check(prompt, calls=record.calls, tokens=record.tokens)
        record.calls += 1
        record.tokens_in += prompt.tokens
        messages = [{"role": each.role, "content": each.content} for each in prompt.messages]
        try:
            reply = await self.http.post(
                "/generate",
                json={"model": self.use.endpoint.model, "messages": messages},
                repeatable=True,
            )
            text = reply.text
            record.tokens_out += estimated_tokens(text)
            return read_answer(text)
        except (RoveError, ValueError) as error:
            raise NoAnswer(f"the model gave no answer: {error}") from error


@asynccontextmanager
async def _opened(use: ModelUse) -> AsyncIterator[Echo]:
    http = Http(
        account="ai",
        base_url=use.endpoint.base_url,
        credential=use.endpoint.credential,
        clock=use.clock,
        caps=Caps(deadline=use.deadline),
    )
    try:
        yield Echo(use, http)
    finally:
        await http.aclose()


@hookimpl
def rove_engines() -> tuple[EngineKind, ...]:
    """Bring the engine that ``ai.engine = "echo"`` names."""
    return (EngineKind(name="echo", title="Echo", open=_opened),)
