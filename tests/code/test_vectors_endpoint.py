"""Vectors from an endpoint, with the real ``openai`` package and a server on loopback."""

import asyncio
import json
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from attrs import define, field

import rove_openai
from rove_code.ranking.arrays import Floats
from rove_code.vectors.embedder import NoVectors, checked
from rove_code.vectors.endpoint import EndpointEmbedder
from rove_core import JSON, Endpoint, Http, VectorClient
from rove_core.safety.secret import Secret
from rove_core.testing import VirtualClock
from rove_core.testing.faults import FAULTS, Fault, FaultProxy, SeenRequest, ServerReply

pytestmark = pytest.mark.anyio

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
TEXTS = ("def pay(): ...", "class Basket: ...", "weather = 1")
VECTORS: list[JSON] = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
GIVEN: JSON = [{"index": at, "embedding": row} for at, row in enumerate(VECTORS)]


def _vectors(endpoint: Endpoint, http: Http, deadline: float) -> VectorClient:
    """Ask as the engine ``openai`` does."""
    (engine,) = rove_openai.rove_engines()
    assert engine.vectors
    return engine.vectors(endpoint, http, deadline)


@define
class Server:
    """Answers as an OpenAI-compatible endpoint does.

    Attributes:
        data: What it gives for three texts.
        bodies: What it was asked so far.
    """

    data: JSON = GIVEN
    bodies: list[dict[str, JSON]] = field(factory=list)

    def __call__(self, seen: SeenRequest) -> ServerReply:
        """Return the reply to a request."""
        self.bodies.append(json.loads(seen.body))
        return ServerReply(body=json.dumps({"data": self.data, "model": "m"}).encode())


async def embedded(
    url: str, texts: Sequence[str] = TEXTS, *, dimension: int = 0, key: str = ""
) -> Floats:
    """Return the vectors of texts, asked for as an engine does: in a thread."""
    endpoint = Endpoint(base_url=url, model="m", key=Secret(key) if key else None)
    embedder = EndpointEmbedder(endpoint, _vectors, dimension, VirtualClock())
    return await asyncio.to_thread(embedder.embed, texts, 20.0)


async def why_not(url: str) -> str:
    """Return why there are no vectors."""
    with pytest.raises(NoVectors) as caught:
        await embedded(url)
    assert caught.value.reason.startswith("the endpoint of vectors ")
    return caught.value.reason


async def test_each_text_gets_its_vector() -> None:
    """In whatever order the endpoint has them."""
    server = Server([{"index": at, "embedding": VECTORS[at]} for at in (2, 0, 1)])
    async with FaultProxy(server) as proxy:
        vectors = await embedded(proxy.url)

    assert vectors == pytest.approx(np.array(VECTORS, np.float32))
    assert vectors.dtype == np.float32


async def test_what_is_sent() -> None:
    """The texts, the model, the key; a length only where one is wanted."""
    server = Server()
    async with FaultProxy(server) as proxy:
        await embedded(proxy.url, key="sk-ours")
        await embedded(proxy.url, dimension=2)

    assert server.bodies[0] == {"input": list(TEXTS), "model": "m", "encoding_format": "float"}
    assert server.bodies[1]["dimensions"] == 2
    assert [each.path for each in proxy.requests] == ["/embeddings", "/embeddings"]
    assert proxy.requests[0].headers["authorization"] == "Bearer sk-ours"
    assert "authorization" not in proxy.requests[1].headers


async def test_no_secret_is_sent() -> None:
    """Neither one with a form of its own nor one that is alive in this process."""
    server = Server()
    living = Secret("hunter22hunter22")
    async with FaultProxy(server) as proxy:
        await embedded(proxy.url, [f"a = '{TOKEN}'", f"b = '{living.reveal()}'", "c"])

    assert TOKEN not in str(server.bodies)
    assert living.reveal() not in str(server.bodies)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "sent 0 vectors for 3 texts"),
        ([{"index": 0, "embedding": [1.0]}] * 3, "sent 1 vectors for 3 texts"),
        ([{"index": at, "embedding": [1.0]} for at in range(4)], "sent 4 vectors for 3 texts"),
        ([{"embedding": [1.0] * (at + 1)} for at in range(3)], "sent vectors of different"),
        ([{"embedding": [[1.0], 2.0]}] * 3, "sent vectors with what is not a number"),
        ([{"embedding": "AACAPw=="}] * 3, "sent 0 vectors"),
        ("nothing", "sent 0 vectors"),
        (None, "sent 0 vectors"),
    ],
)
async def test_an_endpoint_that_lies(data: JSON, said: str) -> None:
    """What it sends is not what it was asked for, and is left."""
    async with FaultProxy(Server(data)) as proxy:
        assert said in await why_not(proxy.url)


@pytest.mark.parametrize("number", [1e300, None])
async def test_what_is_no_number_is_not_kept(number: JSON) -> None:
    """Neither what is too large for one nor what is none at all."""
    async with FaultProxy(Server([{"embedding": [number]}] * 3)) as proxy:
        vectors = await embedded(proxy.url)

    with pytest.raises(NoVectors, match="what is not a number"):
        checked(vectors, 3, 0)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(status=400), "refuses the texts, or sent what cannot be read"),
        (Fault(status=401), "rejected the key"),
        (Fault(status=404), "has no model m"),
        (Fault(status=429, headers={"retry-after": "600"}), "asks to wait"),
        (Fault(status=500), "cannot be reached, or fails"),
        (Fault(vanish=True), "cannot be reached, or fails"),
        (Fault(body=b'{"data": NaN}'), "refuses the texts, or sent what cannot be read"),
        (Fault(body=b" " * 17_000_000), "refuses the texts, or sent what cannot be read"),
    ],
)
async def test_an_endpoint_that_fails(fault: Fault, said: str) -> None:
    """Why is said in words of ours."""
    async with FaultProxy(Server()) as proxy:
        proxy.play(fault, times=None)
        assert said in await why_not(proxy.url)


@pytest.mark.parametrize("name", ["429, seconds", "503, seconds", "500"])
async def test_what_passes_is_waited_for(name: str) -> None:
    """A limit that ends soon, and a server that fails once, cost time and no vector."""
    async with FaultProxy(Server()) as proxy:
        proxy.play(FAULTS[name])
        assert len(await embedded(proxy.url)) == 3


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - {"drip", "latency", "never answers"}))
async def test_any_fault_ends_in_no_vectors(name: str) -> None:
    """Nothing else is raised, whatever is wrong with each reply."""
    async with FaultProxy(Server()) as proxy:
        proxy.play(FAULTS[name], times=None)
        try:
            vectors = await embedded(proxy.url)
        except NoVectors:
            return
    assert vectors == pytest.approx(np.array(VECTORS, np.float32))


async def test_an_endpoint_that_never_answers() -> None:
    """It is left when the time is over."""
    async with FaultProxy(Server()) as proxy:
        proxy.play(Fault(silent=True), times=None)
        embedder = EndpointEmbedder(Endpoint(base_url=proxy.url, model="m"), _vectors)
        with pytest.raises(NoVectors, match=r"did not answer within 0\.1 s"):
            await asyncio.to_thread(embedder.embed, TEXTS, 0.1)


@pytest.mark.parametrize(
    ("endpoint", "said"),
    [
        (Endpoint(base_url="https://api.openai.com/v1", model="m"), "there is no key for"),
        (
            Endpoint(base_url="https://m.example", model="m", withheld="file:2"),
            "the key in file:2 is another endpoint's",
        ),
    ],
)
def test_without_the_right_key_nothing_is_sent(endpoint: Endpoint, said: str) -> None:
    """It is known before anything leaves this machine."""
    with pytest.raises(NoVectors, match=said):
        EndpointEmbedder(endpoint, _vectors).embed(TEXTS, 1.0)


def test_its_name_tells_its_vectors_from_others() -> None:
    """Another place, another model or another length is another name."""
    make: Callable[[str, str, int], str] = lambda url, model, length: (  # noqa: E731  # a table below
        EndpointEmbedder(Endpoint(base_url=url, model=model), _vectors, length).name
    )
    names = {make(url, model, size) for url in "ab" for model in "mn" for size in (0, 8)}

    assert len(names) == 8
