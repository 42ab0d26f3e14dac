"""Vectors from an OpenAI-compatible endpoint, which gets code without known secrets."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Floats
from rove_code.vectors.embedder import NoVectors
from rove_core import (
    JSON,
    Endpoint,
    FixSettings,
    ItemNotFound,
    LoginNeeded,
    RateLimited,
    RoveError,
    TimedOut,
    Unavailable,
    VectorClient,
)
from rove_core.clock import SYSTEM, Clock

if TYPE_CHECKING:
    from rove_core import Http, Reply

#: Gives what asks an endpoint for vectors, through Rove's HTTP and with a deadline in seconds.
VectorsOf: TypeAlias = "Callable[[Endpoint, Http, float], VectorClient]"

#: Bytes of one reply: more than 64 vectors of 8192 numbers take, written out.
_MOST_BYTES: Final = 16_000_000
_IT: Final = "the endpoint of vectors"
_WHY: Final[Mapping[type[RoveError], str]] = {
    TimedOut: "did not answer within {seconds:g} s",
    RateLimited: "asks to wait",
    Unavailable: "cannot be reached, or fails",
    LoginNeeded: "rejected the key",
    ItemNotFound: "has no model {model}",
}


@frozen
class EndpointEmbedder:
    """Requests vectors from an endpoint, with a new connection each time.

    Attributes:
        endpoint: Which, and for which model.
        vectors: Gives what asks it, as an engine brings it.
        dimension: How many numbers a vector is asked to have; 0 for as many as the model gives.
        clock: The clock, for time and waiting.
    """

    endpoint: Endpoint
    vectors: VectorsOf
    dimension: int = 0
    clock: Clock = SYSTEM

    @property
    def name(self) -> str:
        """Where it is, and the model."""
        numbers = f", {self.dimension} numbers" if self.dimension else ""
        return f"{self.endpoint.model} at {self.endpoint.base_url}{numbers}"

    def embed(self, texts: Sequence[str], deadline: float) -> Floats:
        """Return the vectors that the endpoint gives for texts."""
        if self.endpoint.withheld:
            raise NoVectors(f"the key in {self.endpoint.withheld} is another endpoint's")
        if self.endpoint.lacks_key:
            raise NoVectors(f"there is no key for {_IT}; set ROVE_EMBEDDING_API_KEY")
        try:
            return asyncio.run(self._embed(texts, deadline))
        except RoveError as error:
            raise NoVectors(self._why(error, deadline)) from error

    async def _embed(self, texts: Sequence[str], deadline: float) -> Floats:
        from rove_core import Caps, Http, sealed  # noqa: PLC0415  # only an endpoint needs them

        http = Http(
            account="embedding",
            base_url=self.endpoint.base_url,
            credential=self.endpoint.credential,
            clock=self.clock,
            caps=Caps(deadline=deadline, body=_MOST_BYTES, at_once=1),
        )
        async with aclosing(http):
            client = self.vectors(self.endpoint, http, deadline)
            clean = [str(sealed(text)) for text in texts]
            return _vectors(await client.embed(clean, self.dimension), len(texts))

    def _why(self, error: RoveError, deadline: float) -> str:
        """Explain a failure without the endpoint's own text."""
        if isinstance(error, FixSettings):
            return error.message
        phrases = (words for kind, words in _WHY.items() if isinstance(error, kind))
        why = next(phrases, "refuses the texts, or sent what cannot be read")
        return f"{_IT} {why.format(seconds=deadline, model=self.endpoint.model)}"


def _vectors(reply: "Reply", count: int) -> Floats:
    """Return the vectors in the order of their texts, whatever order the endpoint has them in."""
    found = dict(_numbered(reply.json()))
    if found.keys() != set(range(count)):
        raise NoVectors(f"{_IT} sent {len(found)} vectors for {count} texts")
    if len({len(vector) for vector in found.values()}) != 1:
        raise NoVectors(f"{_IT} sent vectors of different lengths")
    try:
        with np.errstate(over="ignore"):
            return np.array([found[number] for number in range(count)], np.float32)
    except (ValueError, TypeError, OverflowError) as error:
        raise NoVectors(f"{_IT} sent vectors with what is not a number") from error


def _numbered(reply: JSON) -> Iterator[tuple[int, Sequence[JSON]]]:
    data = reply.get("data") if isinstance(reply, Mapping) else None
    for place, each in enumerate(data if isinstance(data, list) else ()):
        vector = each.get("embedding") if isinstance(each, Mapping) else None
        number = each.get("index", place) if isinstance(each, Mapping) else None
        if isinstance(number, int) and isinstance(vector, list):
            yield number, vector
