"""The interface of model engines."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen
from attrs.validators import matches_re

from rove_core.build.model.answers import Answer
from rove_core.build.model.budget import Budget
from rove_core.build.model.endpoint import Endpoint
from rove_core.build.model.prompts import Prompt
from rove_core.build.model.record import ModelRecord
from rove_core.clock import Clock

if TYPE_CHECKING:
    from rove_core.http import Http, Reply


class ModelClient(Protocol):
    """Sends prompts to one model."""

    async def ask(self, prompt: Prompt) -> Answer:
        """Return the model's answer, a JSON object.

        Raises:
            NoAnswer: There is no usable answer.
        """


class VectorClient(Protocol):
    """Requests vectors from one endpoint."""

    async def embed(self, texts: Sequence[str], dimensions: int = 0) -> "Reply":
        """Return the reply to a request for vectors, whatever its status.

        Args:
            texts: The texts to embed, without secrets.
            dimensions: The length of each vector; 0 for the model's own.

        Raises:
            RoveError: There is no reply.
        """


@frozen(kw_only=True)
class ModelUse:
    """The limits of one use of a model, such as one build.

    Attributes:
        endpoint: The model's endpoint, with its key.
        budget: The limits of requests and tokens; check it before each request.
        record: Records what was spent.
        deadline: Seconds until an answer must be there, including waits and retries.
        clock: The clock, for time and waiting.
    """

    endpoint: Endpoint
    budget: Budget
    record: ModelRecord
    deadline: float
    clock: Clock


@frozen(kw_only=True)
class EngineKind:
    """An engine for models, which ``ai.engine`` names.

    Attributes:
        name: Its name in ``ai.engine``.
        title: Its display title.
        open: Opens a client for one use, and closes its connections at the end.
        vectors: Returns a client for vectors, which sends through Rove's own HTTP, with a deadline
            in seconds; None if it has no vectors.
    """

    name: str = field(validator=matches_re(r"[a-z][a-z0-9-]*"))
    title: str
    open: Callable[[ModelUse], AbstractAsyncContextManager[ModelClient]]
    vectors: "Callable[[Endpoint, Http, float], VectorClient] | None" = None
