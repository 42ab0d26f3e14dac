"""The engine that asks a model, with the extractive engine as its fallback."""

import asyncio
from collections.abc import Sequence
from typing import Final, TypeVar

from rove_core.build.compose.outline import OpenQuestion, Statement, Topic
from rove_core.build.engine import Engine
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.build.model.answers import Answer
from rove_core.build.model.budget import NoAnswer, NotSent
from rove_core.build.model.client import ModelClient
from rove_core.build.model.combine import (
    Guard,
    join_gaps,
    join_grades,
    join_keywords,
    join_places,
    join_same,
)
from rove_core.build.model.questions import (
    ModelQuestion,
    ask_gaps,
    ask_grades,
    ask_keywords,
    ask_places,
    ask_same,
)
from rove_core.build.model.record import ModelRecord
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem

Found = TypeVar("Found")

#: Maximum candidates that the model grades: the best of those not linked with the ticket.
MOST_JUDGED: Final = 40


class ModelEngine:
    """Answers the questions of one build with a model's help.

    The extractive engine answers each question first. The model's answer only adds to that, so a
    failed or hostile one leaves what would have been there without it.

    Args:
        base: The extractive engine.
        client: Sends prompts to the model.
        guard: Returns whether two texts may count as the same, whatever the model says.
        record: Records what was answered without the model.
    """

    def __init__(
        self, base: Engine, client: ModelClient, *, guard: Guard, record: ModelRecord
    ) -> None:
        self._base = base
        self._client = client
        self._guard = guard
        self._record = record
        self._gave_up = ""

    async def keywords(self, ticket: ContextItem, seen: Sequence[ContextItem]) -> Sequence[str]:
        """Return the distinguishing words; the model's are checked against the ticket."""
        own = await self._base.keywords(ticket, seen)
        return join_keywords(own, await self._ask_batches(ask_keywords(ticket, seen)), ticket)

    async def relevance(
        self,
        ticket: ContextItem,
        candidates: Sequence[Candidate],
        everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    ) -> Sequence[RankedItem]:
        """Return the candidates with their relevance; the model graded the best of them."""
        own = await self._base.relevance(ticket, candidates, everywhere)
        judged = [each for each in own if not each.candidate.is_linked][:MOST_JUDGED]
        batches = ask_grades(ticket, [each.candidate.item for each in judged])
        return join_grades(own, judged, await self._ask_batches(batches))

    async def same(self, texts: Sequence[str]) -> Sequence[int | None]:
        """Return for each text the position of an earlier one that says the same, or None."""
        own = await self._base.same(texts)
        return join_same(own, texts, await self._ask_batches(ask_same(texts)), self._guard)

    async def place(
        self, statements: Sequence[Statement], topics: Sequence[Topic]
    ) -> Sequence[int]:
        """Return the topic of each statement."""
        own = await self._base.place(statements, topics)
        if not topics:
            return own
        return join_places(own, await self._ask_batches(ask_places(statements, topics)))

    async def gaps(
        self, ticket: ContextItem, statements: Sequence[Statement]
    ) -> Sequence[OpenQuestion]:
        """Return the extractive engine's questions, and those that the model adds."""
        own = await self._base.gaps(ticket, statements)
        return join_gaps(own, await self._ask_batches(ask_gaps(ticket, statements)), statements)

    async def _ask_batches(self, askings: Sequence[ModelQuestion[Found]]) -> Sequence[Found]:
        """Return the model's results from all batches that it answered.

        The first is sent alone: it shows whether the endpoint works, and in which form.
        """
        first = [await self._read(asking) for asking in askings[:1]]
        rest = await asyncio.gather(*map(self._read, askings[1:]))
        return [each for batch in (*first, *rest) for each in batch]

    async def _read(self, asking: ModelQuestion[Found]) -> Sequence[Found]:
        question = asking.prompt.question
        if self._gave_up:
            self._record.note(question, self._gave_up)
            return ()
        try:
            answer = await self._client.ask(asking.prompt)
        except NotSent:
            return ()
        except NoAnswer as failure:
            if failure.is_final:
                self._gave_up = failure.reason
            self._record.note(question, failure.reason)
            return ()
        except Exception as error:  # noqa: BLE001  # a plugin's code: it costs its answers alone
            self._gave_up = f"the engine raises {type(error).__name__}: {error}"
            self._record.note(question, self._gave_up)
            return ()
        found = list(asking.read(answer))
        if not found and _has_content(answer):
            self._record.note(question, "the model's answer refers to nothing it was sent")
        return found


def _has_content(answer: Answer) -> bool:
    return any(answer.values())
