"""Names of others that lead into this machine's network: resolved once, and refused."""

import socket
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest

from rove_core.errors import Unavailable, WrongCall
from rove_core.http import Http
from rove_core.http.addresses import parse_address
from rove_core.http.public_addresses import public_addresses
from rove_core.http.request_limits import Counts
from rove_core.http.transport import Transport, WireRequest
from rove_core.testing.faults import FaultProxy

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]
#: Makes names lead to addresses, one after the other; the last one stays.
Resolve: TypeAlias = Callable[[Mapping[str, list[str]]], list[str]]

_OUTSIDE = "93.184.216.34"


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Resolve:
    """Return what sets a name server's answers, and gives the names that were asked for."""
    real = socket.getaddrinfo
    for name in (
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)

    def answers(known: Mapping[str, list[str]]) -> list[str]:
        asked: list[str] = []

        def resolve(name: str | bytes, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401  # the library's
            host = name.decode() if isinstance(name, bytes) else name
            if host not in known:
                return real(host, *arguments, **options)
            asked.append(host)
            ips = known[host]
            if not ips[0]:
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            return real(ips.pop(0) if len(ips) > 1 else ips[0], *arguments, **options)

        monkeypatch.setattr("socket.getaddrinfo", resolve)
        return asked

    return answers


@pytest.mark.parametrize(
    "ip",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "64:ff9b::7f00:1", "0.0.0.0"],  # noqa: S104  # no server listens
)
async def test_a_name_that_leads_here(
    ip: str, proxy: FaultProxy, client: MakeHttp, names: Resolve
) -> None:
    """Anybody can register a name for an inner address; nothing is sent there."""
    names({"evil.example": [ip], "acme.example": [_OUTSIDE]})
    http = client("https://acme.example", elsewhere=True)

    with pytest.raises(WrongCall, match=r"evil\.example:\d+ leads to .* on your own network"):
        await http.get(f"http://evil.example:{proxy.port}/thing")
    assert proxy.requests == []


async def test_a_name_is_resolved_once(names: Resolve) -> None:
    """What was checked is what the connection goes to, whatever the name says next."""
    asked = names({"files.example": [_OUTSIDE, "127.0.0.1"]})
    address = parse_address("https://files.example/thing")

    assert await public_addresses(address, ["8.8.8.8"], "acme") == [_OUTSIDE]
    assert asked == ["files.example"]


@pytest.mark.parametrize(
    ("variable", "excepted", "found"),
    [("HTTPS_PROXY", "", []), ("HTTPS_PROXY", "files.example", []), ("HTTP_PROXY", "", [_OUTSIDE])],
)
async def test_behind_a_proxy(
    variable: str, excepted: str, found: list[str], names: Resolve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy resolves names itself; a name that goes past it is checked, and used as it is."""
    asked = names({"files.example": [_OUTSIDE]})
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", excepted)
    address = parse_address("https://files.example/thing")

    assert list(await public_addresses(address, ["8.8.8.8"], "acme")) == found
    assert bool(asked) == bool(excepted or found)


def _pinned(proxy: FaultProxy, *ips: str) -> WireRequest:
    address = parse_address(f"http://files.example:{proxy.port}/thing?a=1")
    return WireRequest(method="GET", address=address, headers={}, content=None, pinned=ips)


async def test_a_pinned_request(proxy: FaultProxy, names: Resolve) -> None:
    """It tries one address after the other, and is in all else what it would be by name."""
    names({"files.example": ["127.0.0.9"]})
    transport = Transport(most_bytes=1000, counts=Counts())
    try:
        reply = await transport.send(_pinned(proxy, "127.0.0.9", "127.0.0.1"))

        assert proxy.requests[0].headers["host"] == f"files.example:{proxy.port}"
        assert reply.url == f"http://files.example:{proxy.port}/thing?a=1"
    finally:
        await transport.aclose()


async def test_a_pinned_request_goes_nowhere_else(proxy: FaultProxy, names: Resolve) -> None:
    """Where nobody answers at the checked addresses, the name is not asked again."""
    asked = names({"files.example": ["127.0.0.1"]})
    transport = Transport(most_bytes=1000, counts=Counts())
    try:
        with pytest.raises(Unavailable):
            await transport.send(_pinned(proxy, "127.0.0.9"))
        assert (asked, proxy.requests) == ([], [])
    finally:
        await transport.aclose()


async def test_a_name_that_is_not_there_at_first(
    proxy: FaultProxy, client: MakeHttp, names: Resolve
) -> None:
    """A name that cannot be checked is not tried unchecked."""
    names({"evil.example": [""], "acme.example": [_OUTSIDE]})
    http = client("https://acme.example", elsewhere=True)

    with pytest.raises(Unavailable, match="Name or service not known"):
        await http.get(f"http://evil.example:{proxy.port}/thing")


async def test_an_account_in_the_own_network(
    proxy: FaultProxy, client: MakeHttp, names: Resolve
) -> None:
    """A company's own servers send each other logins; they are reached by their names."""
    names({"login.corp.example": ["127.0.0.1"], "jira.corp.example": ["10.0.0.7"]})
    http = client("https://jira.corp.example", elsewhere=True)

    assert (await http.get(f"http://login.corp.example:{proxy.port}/thing")).status == 200


async def test_hosts_of_the_account_are_not_resolved(
    proxy: FaultProxy, client: MakeHttp, names: Resolve
) -> None:
    """Where the account is, the person said."""
    asked = names({"jira.corp.example": ["127.0.0.1"]})

    assert (await client(f"http://jira.corp.example:{proxy.port}").get("thing")).status == 200
    assert asked == ["jira.corp.example"]
