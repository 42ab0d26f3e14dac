from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

from rove_core.errors import LoginRefused, MalformedReply, WrongCall, WrongSetting
from rove_core.http import Http
from rove_core.http.addresses import parse_address, where
from rove_core.login import Credential
from rove_core.safety.secret import Secret
from rove_core.testing.faults import FAULTS, Fault, FaultProxy

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]

_TOKEN = "Bearer CANARY"  # noqa: S105  # no token of anybody's


def _login(*hosts: str, token: str = _TOKEN) -> Callable[[], Awaitable[Credential]]:
    credential = Credential(headers={"Authorization": Secret(token)}, hosts=hosts)

    async def give() -> Credential:
        return credential

    return give


async def test_a_login_goes_to_its_hosts(proxy: FaultProxy, client: MakeHttp) -> None:
    """It is sent as it stands."""
    await client(proxy.url, credential=_login(proxy.host)).get("thing")

    assert proxy.requests[0].headers["authorization"] == _TOKEN


@pytest.mark.parametrize(
    "host", ["acme.example", "127.0.0.1", "27.0.0.1:{port}", "127.0.0.1:{port}0", ""]
)
async def test_a_login_goes_nowhere_else(host: str, proxy: FaultProxy, client: MakeHttp) -> None:
    """A host is the same only when all of it is, its port too."""
    await client(proxy.url, credential=_login(host.format(port=proxy.port))).get("thing")

    assert "authorization" not in proxy.requests[0].headers


@pytest.mark.parametrize(
    "location",
    [
        "http://localhost:{port}/stranger",
        "http://127.0.0.2:{port}/stranger",
        "http://127.0.0.1:1/stranger",
        "//evil.example/stranger",
        "http://169.254.169.254/latest/meta-data",
    ],
)
@pytest.mark.parametrize("elsewhere", [False, True])
async def test_no_redirect_leads_to_another_host(
    location: str, proxy: FaultProxy, client: MakeHttp, *, elsewhere: bool
) -> None:
    """What a stranger says is not quoted as the vendor's word, and no inner address is asked."""
    proxy.play(Fault(status=302, headers={"location": location}))
    http = client(proxy.url, credential=_login(proxy.host))

    with pytest.raises(MalformedReply, match="redirects to another host"):
        await http.get("thing", elsewhere=elsewhere)
    assert len(proxy.requests) == 1


async def test_a_redirect_to_another_host_of_the_account(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """A host that the login is for may answer for another one."""
    proxy.play(Fault(status=302, headers={"location": "http://localhost:{port}/moved"}))
    http = client(proxy.url, credential=_login(proxy.host, f"localhost:{proxy.port}"))

    assert (await http.get("thing")).url == f"http://localhost:{proxy.port}/moved"


async def test_a_redirect_on_the_same_host_keeps_the_login(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """A transferred issue is read like any other."""
    proxy.play(Fault(status=301, headers={"location": "/repositories/1/issues/2"}))
    reply = await client(proxy.url, credential=_login(proxy.host)).get("repos/a/b/issues/2")

    assert reply.url == f"{proxy.url}/repositories/1/issues/2"
    assert proxy.requests[1].headers["authorization"] == _TOKEN


async def test_five_redirects_are_followed(proxy: FaultProxy, client: MakeHttp) -> None:
    """A sixth is one too many."""
    proxy.play(FAULTS["redirect loop"], times=5)
    proxy.play(Fault())
    proxy.play(FAULTS["redirect loop"], times=None)
    http = client(proxy.url)

    assert (await http.get("thing")).status == 200
    with pytest.raises(MalformedReply, match="more than 5 redirects"):
        await http.get("thing")
    assert len(proxy.requests) == 6 + 6


async def test_no_cookie_is_ever_kept(proxy: FaultProxy, client: MakeHttp) -> None:
    """A session is no part of a login."""
    http = client(proxy.url)
    proxy.play(Fault(headers={"set-cookie": "session=1; Path=/"}))
    await http.get("thing")
    await http.get("thing")

    assert "cookie" not in proxy.requests[1].headers


async def test_a_post_is_not_redirected(proxy: FaultProxy, client: MakeHttp) -> None:
    """What it would do elsewhere, nobody knows."""
    proxy.play(Fault(status=307, headers={"location": "/other"}))

    with pytest.raises(MalformedReply, match="answered 307"):
        await client(proxy.url).post("thing", json={})
    assert len(proxy.requests) == 1


async def test_another_host_is_refused(proxy: FaultProxy, client: MakeHttp) -> None:
    """An address that stands in a text is not asked because it stands there."""
    http = client("https://acme.example", credential=_login("api.acme.example"))

    refused = r"not a host of acme \(acme\.example, api\.acme\.example\)"
    with pytest.raises(WrongCall, match=refused):
        await http.get(f"{proxy.url}/thing")
    assert proxy.requests == []


async def test_another_host_is_asked_without_the_login(proxy: FaultProxy, client: MakeHttp) -> None:
    """A plugin that means it says so."""
    http = client("http://127.0.0.1:1", credential=_login("127.0.0.1:1"))
    await http.get(f"{proxy.url}/thing", elsewhere=True)

    assert "authorization" not in proxy.requests[0].headers


async def test_the_client_of_a_login_may_ask_anywhere(proxy: FaultProxy, client: MakeHttp) -> None:
    """Vendors log people in on hosts of their own."""
    reply = await client("http://127.0.0.1:1", elsewhere=True).post(f"{proxy.url}/token", form={})

    assert reply.status == 200


async def test_nobody_sends_rove_into_the_own_network(proxy: FaultProxy, client: MakeHttp) -> None:
    """An account out there has nothing to look for here."""
    http = client("https://acme.example", elsewhere=True)

    with pytest.raises(WrongCall, match="is on your own network and acme is not: request refused"):
        await http.get(f"{proxy.url}/thing")
    assert proxy.requests == []


async def test_further_hosts_of_the_account_are_asked(proxy: FaultProxy, client: MakeHttp) -> None:
    """Those that the core names besides the base URL."""
    http = client("https://acme.example", hosts=(proxy.host,))

    assert (await http.get(f"{proxy.url}/thing")).status == 200


async def test_a_login_does_not_go_in_the_clear(client: MakeHttp) -> None:
    """Plain http is for this machine alone."""
    http = client("http://jira.example", credential=_login("jira.example"))

    with pytest.raises(WrongSetting, match=r"jira\.example: a login is not sent over plain http"):
        await http.get("thing")


async def test_a_login_that_cannot_be_sent_is_not_shown(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """A token that was pasted with a line break is refused, in words without it."""
    http = client(proxy.url, credential=_login(proxy.host, token=f"{_TOKEN}\n"))

    with pytest.raises(LoginRefused) as caught:
        await http.get("thing")
    assert "CANARY" not in repr(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "url",
    [
        "",
        "acme.example",
        "ftp://acme.example/",
        "file:///etc/passwd",
        "https://",
        "https://a:b@acme.example/",
        "https://acme.example\\@evil.example/",
        "https://evil.example\t.acme.example/",
        "https://acme.example:99999/",
        "https://acme.example:port/",
        "https://[::1",
        "https://[fe80::1%25eth0]/",
        "https://ünïcode.example/",
        "https://acme.example/\ud83d",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    """What two programs could read in two ways is refused too."""
    with pytest.raises(ValueError, match="is not an address that Rove can request"):
        parse_address(url)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://Acme.Example:443/a?b#c", "https://acme.example/a?b"),
        ("http://acme.example:80", "http://acme.example/"),
        ("https://[::1]:8443/", "https://[::1]:8443/"),
        ("https://acme.example/a b", "https://acme.example/a%20b"),
    ],
)
def test_an_address_has_one_form(url: str, same: str) -> None:
    """So that hosts and pages can be compared."""
    assert parse_address(url).url == same


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:8000", True),
        ("http://localhost", True),
        ("http://127.0.0.1.evil.example", False),
        ("http://localhost.evil.example", False),
        ("http://10.0.0.1", False),
    ],
)
def test_loopback_is_this_machine(url: str, *, loopback: bool) -> None:
    """A name that only begins like it is another machine."""
    assert parse_address(url).is_loopback is loopback


@pytest.mark.parametrize(
    "name",
    [
        *("127.0.0.1", "127.1", "2130706433", "0x7f.1", "10.0.0.8", "172.16.3.4", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "0.0.0.0", "[::1]", "[fd00::1]", "[fe80::1]"),  # noqa: S104  # no server listens
        *("[::ffff:10.0.0.1]", "localhost", "a.localhost", "printer.local", "db.internal."),
    ],
)
def test_addresses_of_the_own_network(name: str) -> None:
    """However they are written."""
    assert parse_address(f"http://{name}/").is_internal


@pytest.mark.parametrize("name", ["8.8.8.8", "acme.example", "local.example", "[2606:4700::1]"])
def test_addresses_of_the_world(name: str) -> None:
    """A name that only looks inner is none."""
    assert not parse_address(f"http://{name}/").is_internal


@pytest.mark.parametrize(
    "url", ["https://a.example/b?words", "https://me:pw@a.example/b#words", "a.example/b?words"]
)
def test_messages_name_host_and_path(url: str) -> None:
    """The query may hold a ticket's words, the rest a password."""
    assert where(url) == "a.example/b"
