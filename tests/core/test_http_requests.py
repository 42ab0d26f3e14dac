from collections.abc import Callable
from typing import TypeAlias

import pytest

from rove_core.errors import (
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    RoveError,
    ScopeMissing,
    Unavailable,
    WrongCall,
    WrongSetting,
)
from rove_core.http import Counts, Http, RequestsSpent, counting, status_fault
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import Fault, FaultProxy

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]


@pytest.mark.parametrize(
    ("base", "path", "asked"),
    [
        ("", "user", "/user"),
        ("/api/v3", "repos/acme/api", "/api/v3/repos/acme/api"),
        ("/api/v3/", "user", "/api/v3/user"),
        ("/api/v3", "/api/graphql", "/api/graphql"),
        ("", "search?page=2", "/search?page=2"),
        ("", "a b/ü", "/a%20b/%C3%BC"),
        ("", "issue/TB%2F1", "/issue/TB%2F1"),
    ],
)
async def test_a_relative_path_is_below_the_base(
    base: str, path: str, asked: str, proxy: FaultProxy, client: MakeHttp
) -> None:
    """One with a slash before it begins at the host, as everywhere."""
    await client(proxy.url + base).get(path)

    assert proxy.requests[0].path == asked


@pytest.mark.parametrize(
    "path", ["../admin", "repos/../../admin", "%2e%2e/admin", "a/..%2fb", ".."]
)
async def test_an_id_cannot_lead_out_of_the_base(
    path: str, proxy: FaultProxy, client: MakeHttp
) -> None:
    """Ids come from anybody's text."""
    with pytest.raises(WrongCall, match="leads out of"):
        await client(f"{proxy.url}/api").get(path)
    assert proxy.requests == []


async def test_parameters_are_the_query(proxy: FaultProxy, client: MakeHttp) -> None:
    """They are quoted, and truth is told in lower case."""
    params: dict[str, str | int | bool] = {"q": "a&b ü", "page": 2, "all": True, "half": "\ud83d"}
    await client(proxy.url).get("search?x=1", params=params)

    assert proxy.requests[0].path == "/search?x=1&q=a%26b%20%C3%BC&page=2&all=true&half=%3F"


async def test_json_is_sent_as_json(proxy: FaultProxy, client: MakeHttp) -> None:
    """The content type says so."""
    await client(proxy.url).post("search", json={"q": ["ü", None]})

    seen = proxy.requests[0]
    assert (seen.method, seen.body) == ("POST", rb'{"q": ["\u00fc", null]}')
    assert seen.headers["content-type"] == "application/json"


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
async def test_a_change_carries_its_guards(
    method: str, proxy: FaultProxy, client: MakeHttp
) -> None:
    """The idempotency key and the expected version go as headers."""
    change = getattr(client(proxy.url), method)
    await change("issue/1", idempotency_key="k1", if_match='"v3"')

    seen = proxy.requests[0]
    assert seen.method == method.upper()
    assert (seen.headers["idempotency-key"], seen.headers["if-match"]) == ("k1", '"v3"')


async def test_a_change_with_a_key_is_sent_again(proxy: FaultProxy, client: MakeHttp) -> None:
    """The vendor ignores the second one, so a failure costs nothing."""
    proxy.play(Fault(status=500))
    await client(proxy.url).patch("issue/1", json={"title": "x"}, idempotency_key="k1")

    assert [seen.method for seen in proxy.requests] == ["PATCH", "PATCH"]


async def test_a_change_without_a_key_is_sent_once(proxy: FaultProxy, client: MakeHttp) -> None:
    """Its error says that it may have been done all the same."""
    proxy.play(Fault(status=500))
    with pytest.raises(Unavailable) as raised:
        await client(proxy.url).patch("issue/1", json={"title": "x"})

    assert raised.value.maybe_done
    assert len(proxy.requests) == 1


async def test_a_request_that_never_left_changed_nothing(client: MakeHttp) -> None:
    """Nobody listened, so the change can be repeated without reading first."""
    with pytest.raises(Unavailable) as raised:
        await client("http://127.0.0.1:9").put("issue/1", json={})

    assert not raised.value.maybe_done


async def test_a_form_is_sent_as_a_form(proxy: FaultProxy, client: MakeHttp) -> None:
    """Slack takes nothing else everywhere."""
    await client(proxy.url).post("search", form={"q": "a b&c"})

    seen = proxy.requests[0]
    assert (seen.headers["content-type"], seen.body) == (
        "application/x-www-form-urlencoded",
        b"q=a+b%26c",
    )


async def test_headers_may_be_added(proxy: FaultProxy, client: MakeHttp) -> None:
    """A vendor's own media type replaces plain JSON."""
    headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
    await client(proxy.url).get("user", headers=headers)

    seen = proxy.requests[0].headers
    assert seen["accept"] == "application/vnd.github+json"
    assert seen["x-github-api-version"] == "2022-11-28"


async def test_a_header_with_a_line_break_is_refused_unseen(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """What cannot be sent is not shown either: it may be a token."""
    with pytest.raises(WrongCall, match="a header contains a line break") as caught:
        await client(proxy.url).get("user", headers={"x-token": "CANARY\n"})
    assert "CANARY" not in repr(caught.value)


@pytest.mark.parametrize("base_url", ["", "acme.example", "ftp://acme.example", "https://[::1"])
async def test_a_base_url_that_is_none_is_said(base_url: str, client: MakeHttp) -> None:
    """It is found when it is needed, so that one wrong account does not stop the others."""
    with pytest.raises(WrongSetting, match="not an HTTP address"):
        await client(base_url).get("user")


@pytest.mark.parametrize(
    ("status", "error", "message"),
    [
        (301, MalformedReply, "answered 301: odd one"),
        (400, MalformedReply, "answered 400: odd one"),
        (401, LoginRefused, "the login was rejected"),
        (403, ScopeMissing, "lacks permission"),
        (404, ItemNotFound, "not found, or not visible to this account"),
        (408, Unavailable, "server timed out"),
        (410, ItemNotFound, "gone"),
        (422, MalformedReply, "answered 422: odd one"),
        (429, RateLimited, "too many requests"),
        (520, Unavailable, "answered 520"),
    ],
)
async def test_a_status_is_an_error(
    status: int, error: type[RoveError], message: str, proxy: FaultProxy, client: MakeHttp
) -> None:
    """It says where, without the query, and what it means."""
    proxy.play(Fault(status=status, body=b"odd\x00one"), times=None)

    with pytest.raises(error, match=message) as caught:
        await client(proxy.url, clock=VirtualClock()).get("thing?q=words")
    assert str(caught.value).startswith(f"{proxy.host}/thing answered")


async def test_a_refusal_with_a_hint_is_a_limit(proxy: FaultProxy, client: MakeHttp) -> None:
    """GitHub's limits come as 403."""
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "{epoch}"}
    proxy.play(Fault(status=403, headers=headers), times=None)

    with pytest.raises(RateLimited) as caught:
        await client(proxy.url, clock=VirtualClock()).get("thing")
    assert caught.value.retry_at is not None


async def test_a_reading_of_its_own_is_the_same_client(proxy: FaultProxy, client: MakeHttp) -> None:
    """Another fault shares the connections and the counts."""
    http = client(proxy.url)
    lenient = http.reading(lambda _: None)
    proxy.play(Fault(status=404))
    reply = await lenient.get("thing")

    assert (reply.status, http.counts.requests) == (404, 1)
    assert status_fault(reply) is not None


async def test_nothing_listens(client: MakeHttp) -> None:
    """A host that cannot be reached is unavailable."""
    async with FaultProxy() as proxy:
        pass

    with pytest.raises(Unavailable, match=f"{proxy.host}/thing: "):
        await client(proxy.url, clock=VirtualClock()).get("thing")


async def test_this_machine_is_asked_without_a_proxy(
    proxy: FaultProxy, client: MakeHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A login that may go to this machine in the clear does not pass a proxy on its way."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")

    assert (await client(proxy.url).get("thing")).status == 200


async def test_other_hosts_are_asked_by_way_of_the_proxy(
    proxy: FaultProxy, client: MakeHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment's proxy is used."""
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    await client("http://vendor.example").get("thing")

    assert proxy.requests[0].path == "http://vendor.example/thing"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTPS_PROXY", "nonsense://"),
        ("SSL_CERT_FILE", "/nowhere/ca.pem"),
    ],
)
async def test_an_environment_that_does_not_work_is_said(
    name: str, value: str, proxy: FaultProxy, client: MakeHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hint names the variables."""
    monkeypatch.setenv(name, value)

    with pytest.raises(WrongSetting) as caught:
        await client(proxy.url).get("thing")
    assert name in caught.value.hint


async def test_a_piece_of_work_may_have_a_number_of_requests(
    proxy: FaultProxy, client: MakeHttp
) -> None:
    """A further one is neither sent nor counted, and those of other work are."""
    http, counts = client(proxy.url), Counts(most=2)
    with counting(counts):
        await http.get("a")
    with counting(counts):
        await http.get("b")
        with pytest.raises(RequestsSpent, match="more than 2 requests"):
            await http.get("c")
    await http.get("d")

    assert [each.path for each in proxy.requests] == ["/a", "/b", "/d"]
    assert (counts.requests, http.counts.requests) == (2, 3)
