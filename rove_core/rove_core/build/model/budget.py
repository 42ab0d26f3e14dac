"""The model budget of a build, and a dry run that sends nothing."""

from typing import Final

from attrs import frozen

from rove_core.build.model.answers import Answer
from rove_core.build.model.endpoint import Endpoint
from rove_core.build.model.prompts import Prompt
from rove_core.build.model.record import ModelRecord, PlannedCall

#: Tokens that an answer is expected to take, when it is decided whether the budget allows it.
_EXPECTED: Final = 500


class NoAnswer(Exception):  # noqa: N818  # no error: the question is answered in another way
    """The model gave no answer that can be used.

    Attributes:
        reason: Why, for people.
        is_final: Whether it makes no sense to ask it anything else in this build.
    """

    def __init__(self, reason: str, *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_final = is_final


class NotSent(Exception):  # noqa: N818  # no error: nothing was to be sent
    """It was only to be seen what would be sent."""


@frozen
class Budget:
    """The model budget of one build.

    Attributes:
        calls: How many requests it may send.
        tokens: How many tokens it may send and receive.
    """

    calls: int
    tokens: int

    def check(self, prompt: Prompt, *, calls: int, tokens: int) -> None:
        """Raise NoAnswer when a question is one too many, after so many calls and tokens."""
        if calls >= self.calls:
            raise NoAnswer(f"the {self.calls} requests of ai.max_calls are used up", is_final=True)
        if tokens + prompt.tokens + _EXPECTED > self.tokens:
            raise NoAnswer(f"the {self.tokens} tokens of ai.max_tokens are used up", is_final=True)


@frozen
class Rehearsal:
    """Writes down what would be sent."""

    endpoint: Endpoint
    budget: Budget
    record: ModelRecord

    async def ask(self, prompt: Prompt) -> Answer:
        """Write the question down and raise NotSent; NoAnswer where the budget ends."""
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
