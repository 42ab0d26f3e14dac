"""The ``openai`` engine for OpenAI-compatible endpoints, and their vectors."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

from rove_core import EngineKind, ModelUse, hookimpl

if TYPE_CHECKING:
    from rove_core import Endpoint, Http, ModelClient, VectorClient

__all__ = ["rove_api", "rove_engines"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_engines() -> Sequence[EngineKind]:
    """Bring the engine ``openai``."""
    return [
        EngineKind(
            name="openai", title="An OpenAI-compatible endpoint", open=_open, vectors=_vectors
        )
    ]


@asynccontextmanager
async def _open(use: ModelUse) -> "AsyncIterator[ModelClient]":
    from rove_openai.chat import Chat  # noqa: PLC0415  # only a build with a model needs it

    async with aclosing(Chat(use)) as chat:
        yield chat


def _vectors(endpoint: "Endpoint", http: "Http", deadline: float) -> "VectorClient":
    # 0.4 s of processor time that only an endpoint should cost.
    from rove_openai.client import OpenAiClient  # noqa: PLC0415  # see above

    return OpenAiClient(endpoint, http, deadline=deadline)
