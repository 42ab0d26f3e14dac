"""The model budget of a build, and a dry run that sends nothing."""

from typing import Final

from attrs import frozen

from rove_core.build.model.answers import Answer
from rove_core.build.model.endpoint import Endpoint
from rove_core.build.model.prompts import Prompt
from rove_core.build.model.record import ModelRecord, PlannedCall

#: Tokens reserved for an answer when a question is checked against the budget.
_EXPECTED: Final = 500


class NoAnswer(Exception):  # noqa: N818  # no error: the question is answered in another way
    """The model gave no usable answer.

    Attributes:
        reason: Why, for people.
        is_final: Whether asking it anything else in this build is pointless.
    """

    def __init__(self, reason: str, *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_final = is_final


class NotSent(Exception):  # noqa: N818  # no error: nothing was to be sent
    """Dry run: nothing was sent."""


@frozen
class Budget:
    """The model budget of one build.

    Attributes:
        calls: Maximum requests.
        tokens: Maximum tokens sent and received.
    """

    calls: int
    tokens: int

    def check(self, prompt: Prompt, *, calls: int, tokens: int) -> None:
        """Raise NoAnswer if a question exceeds the budget, after that many calls and tokens."""
        if calls >= self.calls:
            raise NoAnswer(f"the {self.calls} requests of ai.max_calls are used up", is_final=True)
        if tokens + prompt.tokens + _EXPECTED > self.tokens:
            raise NoAnswer(f"the {self.tokens} tokens of ai.max_tokens are used up", is_final=True)


@frozen
class Rehearsal:
    """Records what would be sent."""

    endpoint: Endpoint
    budget: Budget
    record: ModelRecord

    async def ask(self, prompt: Prompt) -> Answer:
        """Record the question and raise NotSent, or NoAnswer once the budget is spent."""
        planned = self.record.planned
        tokens = sum(call.tokens + _EXPECTED for call in planned)
        self.budget.check(prompt, calls=len(planned), tokens=tokens)
        planned.append(
            PlannedCall(
                question=prompt.question,
                endpoint=self.endpoint.base_url,
                model=self.endpoint.model,
                messages=prompt.messages,
                tokens=prompt.tokens,
            )
        )
        raise NotSent
