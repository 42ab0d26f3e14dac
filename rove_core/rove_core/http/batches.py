"""Answer questions of the same moment with one request."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

from attrs import define, field

Question = TypeVar("Question")
Answer = TypeVar("Answer")


@define(eq=False)
class _Batch(Generic[Question, Answer]):
    """Questions to answer together.

    Attributes:
        questions: The questions.
        replied: The request, and its answers; None until somebody asks.
        callers: How many wait for it.
    """

    questions: list[Question] = field(factory=list)
    replied: "asyncio.Task[Mapping[Question, Answer]] | None" = None
    callers: int = 0


@define(eq=False)
class Batches(Generic[Question, Answer]):
    """Collects the questions of one moment, and has them answered together.

    For vendors that answer several questions in one request. Questions must be hashable; equal
    ones are asked once. If all who wait for an answer are cancelled, so is the request.

    Attributes:
        answer: Answers several different questions; it leaves out what it has no answer to.
    """

    answer: Callable[[Sequence[Question]], Awaitable[Mapping[Question, Answer]]]
    _open: "_Batch[Question, Answer]" = field(factory=_Batch, init=False)

    async def ask(self, question: Question) -> Answer | None:
        """Return the answer to a question, or None; an error is raised for all of its moment."""
        batch = self._open
        if batch.replied is None:
            batch.replied = asyncio.ensure_future(self._reply(batch))
        batch.questions.append(question)
        batch.callers += 1
        try:
            return (await asyncio.shield(batch.replied)).get(question)
        finally:
            batch.callers -= 1
            if not batch.callers:
                batch.replied.cancel()
                self._close(batch)

    async def _reply(self, batch: "_Batch[Question, Answer]") -> Mapping[Question, Answer]:
        """Return the answers to a batch, once all of its moment have joined."""
        self._close(batch)
        return await self.answer([*dict.fromkeys(batch.questions)])

    def _close(self, batch: "_Batch[Question, Answer]") -> None:
        if self._open is batch:
            self._open = _Batch()
