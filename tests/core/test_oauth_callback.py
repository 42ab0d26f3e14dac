"""Receive the redirect of a browser login."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from rove_core import LoginRefused, TimedOut
from rove_core.auth.oauth_callback import Loopback, listening
from rove_core.errors import Locked

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
async def loopback() -> AsyncIterator[Loopback]:
    """Give a place that listens on any free port."""
    async with listening() as opened:
        yield opened


async def _sent(loopback: Loopback, head: str, *, host: str = "127.0.0.1") -> str:
    """Send the head of a request, and return the whole reply."""
    reader, writer = await asyncio.open_connection(host, urlsplit(loopback.uri).port)
    writer.write(head.replace("\n", "\r\n").encode())
    reply = (await reader.read()).decode()
    writer.close()
    return reply


async def _visited(loopback: Loopback, target: str, *, method: str = "GET", host: str = "") -> str:
    named = host or urlsplit(loopback.uri).netloc
    return await _sent(loopback, f"{method} {target} HTTP/1.1\nHost: {named}\n\n")


async def test_a_browser_comes_back(loopback: Loopback) -> None:
    """What it brings is what the login gets, and the person is sent back to the terminal."""
    reply = await _visited(loopback, f"/callback?code=c%2B1&state={loopback.state}")
    came = await loopback.redirected()

    assert reply.startswith("HTTP/1.1 200 ")
    assert came.uri == loopback.uri
    assert came.parameters["code"].reveal() == "c+1"


async def test_a_page_shows_nothing_of_what_came(loopback: Loopback) -> None:
    """The page is the same for all, without a script, and nothing may be loaded by it."""
    reply = await _visited(loopback, f"/callback?code=c-canary&state={loopback.state}")

    assert "canary" not in reply
    assert loopback.state not in reply
    assert "<script" not in reply
    assert "content-security-policy: default-src 'none'" in reply
    assert "cache-control: no-store" in reply
    assert "referrer-policy: no-referrer" in reply


async def test_a_person_declines(loopback: Loopback) -> None:
    """A refusal ends the login as a code does."""
    await _visited(loopback, f"/callback?error=access_denied&state={loopback.state}")
    came = await loopback.redirected()

    assert came.parameters["error"].reveal() == "access_denied"


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/callback?code=c&state=wrong", "400"),
        ("/callback?code=c&state=", "400"),
        ("/callback?code=c&state=%F0%9F%92%A9", "400"),
        ("/callback?code=c", "400"),
        ("/callback", "400"),
        ("/callback?code=c&code=d&state={state}", "400"),
        ("/callback?code=c&state={state}&state={state}", "400"),
        ("http://evil.example/callback?code=c&state={state}", "421"),
        ("/?code=c&state={state}", "404"),
        ("/favicon.ico", "404"),
        ("/callback/?code=c&state={state}", "404"),
    ],
)
async def test_what_is_not_awaited_ends_nothing(
    loopback: Loopback, target: str, status: str
) -> None:
    """Another's request is refused, and the right one is still taken after it."""
    reply = await _visited(loopback, target.format(state=loopback.state))
    good = await _visited(loopback, f"/callback?code=good&state={loopback.state}")

    assert reply.split()[1] == status
    assert good.split()[1] == "200"
    assert (await loopback.redirected()).parameters["code"].reveal() == "good"


@pytest.mark.parametrize("method", ["POST", "OPTIONS", "get"])
async def test_only_a_look_is_taken(loopback: Loopback, method: str) -> None:
    """A browser that is sent back asks for a page, and does nothing else."""
    target = f"/callback?code=c&state={loopback.state}"

    assert (await _visited(loopback, target, method=method)).split()[1] == "405"


async def test_a_name_that_leads_here_is_not_enough(loopback: Loopback) -> None:
    """A page of somebody whose name was made to mean this machine is refused."""
    target = f"/callback?code=c&state={loopback.state}"

    assert (await _visited(loopback, target, host="evil.example")).split()[1] == "421"
    assert (await _sent(loopback, f"GET {target} HTTP/1.1\n\n")).split()[1] == "400"


@pytest.mark.parametrize("head", ["\n\n", "GET\n\n", "\x00\x01\n\n", "GET / HTTP/1.1\nHost\n\n"])
async def test_noise_is_answered(loopback: Loopback, head: str) -> None:
    """Whatever is sent, nothing breaks."""
    assert (await _sent(loopback, head)).startswith("HTTP/1.1 4")


async def test_a_head_without_end_is_left(loopback: Loopback) -> None:
    """Nobody fills the memory of this machine."""
    with suppress(ConnectionError):
        await _sent(loopback, "GET /" + "a" * 200_000)
    await _visited(loopback, f"/callback?code=c&state={loopback.state}")
    assert (await loopback.redirected()).parameters["code"].reveal() == "c"


async def test_a_second_one_is_too_late(loopback: Loopback) -> None:
    """One redirect is taken; whoever loads the page again changes nothing."""
    target = f"/callback?code={{}}&state={loopback.state}"
    await _visited(loopback, target.format("first"))

    assert (await _visited(loopback, target.format("second"))).split()[1] == "400"
    assert (await loopback.redirected()).parameters["code"].reveal() == "first"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
async def test_a_person_pastes_the_address(loopback: Loopback, host: str) -> None:
    """It counts as if the browser had come."""
    port = urlsplit(loopback.uri).port

    assert loopback.take(f" http://{host}:{port}/callback?code=c&state={loopback.state}\n")
    assert (await loopback.redirected()).parameters["code"].reveal() == "c"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "c",
        "https://vendor.example/authorize?code=c&state={state}",
        "http://localhost:1/callback?code=c&state={state}",
        "https://localhost:{port}/callback?code=c&state={state}",
        "http://[::1/callback?code=c&state={state}",
    ],
)
async def test_another_address_is_not_taken(loopback: Loopback, address: str) -> None:
    """What is pasted has to be where the browser ended."""
    port = urlsplit(loopback.uri).port

    assert not loopback.take(address.format(state=loopback.state, port=port))


async def test_nobody_comes(loopback: Loopback) -> None:
    """After a while that is told, with what to do."""
    with pytest.raises(TimedOut, match="browser did not return") as caught:
        await loopback.redirected(patience=0.01)
    assert "approve" in caught.value.hint


async def test_only_another_log_in_comes_back(loopback: Loopback) -> None:
    """A wrong state is told as that."""
    await _visited(loopback, "/callback?code=c&state=wrong")

    with pytest.raises(LoginRefused, match="another login"):
        await loopback.redirected(patience=0.01)


async def test_a_port_that_is_taken() -> None:
    """It is named, and how to use another."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(Locked, match=str(port)) as caught:
            async with listening(port):
                pass

    assert "redirect_port" in caught.value.hint


async def test_nobody_else_gets_the_other_loopback() -> None:
    """Where ``localhost`` may be read in two ways, both are this process's, or none is."""
    try:
        other = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with other, pytest.raises(Locked):
        async with listening(other.getsockname()[1]):
            pass


async def test_a_port_may_be_fixed() -> None:
    """Then it is the one that the app is registered with, also right after another login."""
    async with listening() as first:
        port = urlsplit(first.uri).port or 0
        await _visited(first, "/")
    async with listening(port) as second:
        assert second.uri == f"http://localhost:{port}/callback"


async def test_states_differ(loopback: Loopback) -> None:
    """Each login has one that nobody guesses, and that nothing shows."""
    async with listening() as other:
        assert len({loopback.state, other.state}) == 2
        assert len(other.state) >= 43
        assert other.state not in repr(other)


async def test_nothing_is_logged(loopback: Loopback, caplog: pytest.LogCaptureFixture) -> None:
    """Neither a code nor a state gets into a log, on any level."""
    caplog.set_level(logging.DEBUG)
    await _visited(loopback, f"/callback?code=c-canary&state={loopback.state}")
    await _visited(loopback, "/callback?code=c-canary&state=s-canary")
    came = await loopback.redirected()

    assert "canary" not in caplog.text + repr(came)
    assert loopback.state not in caplog.text + repr(came)
