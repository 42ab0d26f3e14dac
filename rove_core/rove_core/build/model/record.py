"""Record of a build's model calls, their cost and fallbacks."""

from attrs import define, field, frozen

from rove_core.build.model.prompts import Message


@frozen(kw_only=True)
class PlannedCall:
    """A request to a model as it would be sent.

    Attributes:
        question: The engine's question that it asks.
        endpoint: The endpoint it would go to.
        model: The model that would answer it.
        messages: The messages to the model.
        tokens: Their tokens, overestimated rather than underestimated.
    """

    question: str
    endpoint: str
    model: str
    messages: tuple[Message, ...]
    tokens: int


@define(kw_only=True)
class ModelRecord:
    """The record of one build's model calls.

    Attributes:
        notes: What was answered without the model, and why: one sentence each.
        planned: What a dry run would have sent.
        calls: The number of requests sent.
        tokens_in: The tokens in the requests.
        tokens_out: The tokens in the answers.
    """

    notes: list[str] = field(factory=list)
    planned: list[PlannedCall] = field(factory=list)
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """Tokens sent and received."""
        return self.tokens_in + self.tokens_out

    @property
    def summaries(self) -> tuple[str, ...]:
        """A line for each reason why the model was not used, with the questions it concerns."""
        reasons: dict[str, list[str]] = {}
        for sentence in self.notes:
            question, _, reason = sentence.partition(": ")
            reasons.setdefault(reason, []).append(question)
        return tuple(f"model ({', '.join(each)}): {why}" for why, each in reasons.items())

    def note(self, question: str, reason: str) -> None:
        """Record that a question was answered without the model."""
        sentence = f"{question}: {reason}"
        if sentence not in self.notes:
            self.notes.append(sentence)
