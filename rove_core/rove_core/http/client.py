"""The HTTP client that a source gets for one account."""

import copy
import re
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import aclosing
from functools import partial
from json import dumps
from typing import Final, TypeAlias, TypedDict, Unpack
from urllib.parse import quote, unquote, urlencode

from attrs import evolve

from rove_core.clock import SYSTEM, Clock
from rove_core.errors import RoveError, TimedOut, WrongCall, WrongSetting
from rove_core.http.addresses import Address, parse_address, where
from rove_core.http.cache import ReplyCache
from rove_core.http.deadline import Deadline
from rove_core.http.exchange import (
    AfterRefusal,
    Exchange,
    GetCredential,
    HttpCall,
    check_headers,
)
from rove_core.http.gate import Gate
from rove_core.http.paging import MOST_PAGES, cursor_pages, next_address
from rove_core.http.rate_limits import Limits, MemoryLimits
from rove_core.http.reply import Reply
from rove_core.http.reply_errors import Fault, find_fault, status_fault
from rove_core.http.request_limits import Caps, Counts
from rove_core.http.retry import send_with_retries
from rove_core.http.transport import Transport, WireRequest
from rove_core.login import Credential
from rove_core.wire.json_types import JSON

Parameters: TypeAlias = Mapping[str, str | int | bool]
#: The media type of a body, and the body.
Content: TypeAlias = tuple[str, bytes]

_HEADERS: Final = {
    "accept": "application/json",
    "accept-encoding": "gzip",
    "user-agent": "rove",
}
_DEFAULT_CAPS: Final = Caps()
_ABSOLUTE: Final = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*:")


class Options(TypedDict, total=False):
    """Options of any request.

    Attributes:
        headers: Further headers; a login is never one of them.
        kind: The class of endpoint that the vendor limits as one; else method and host.
        per_minute: How many of that class the vendor allows a minute, where it says so in its
            documentation alone and that is fewer than the account's ``rate_limit``.
        deadline: Seconds until it must be done, with all waits and retries.
        elsewhere: Let it go to a host that is none of the account's, without the login.
        once: Do not keep the reply: nobody will ask the same again.
    """

    headers: Mapping[str, str]
    kind: str
    per_minute: int
    deadline: float
    elsewhere: bool
    once: bool


class ChangeOptions(Options, total=False):
    """Options of a request that changes something at the vendor.

    Attributes:
        repeatable: Send it again when it fails: the second time changes nothing more.
        idempotency_key: Sent as ``Idempotency-Key``, for a vendor that ignores a second request
            with the same key; makes the request repeatable.
        if_match: Sent as ``If-Match``: the vendor refuses when the item has another version by
            now, and the call raises ``Conflict``.
    """

    repeatable: bool
    idempotency_key: str
    if_match: str


class Http:
    """Requests of one account: to its own hosts, with its own credential.

    Args:
        account: The account's name.
        base_url: What relative paths are below.
        credential: Gives the login, as it is now; None for requests without any.
        after_refusal: Gives what to try once more with when the vendor refuses the login.
        fault: Tells what is wrong with a reply, in the vendor's way.
        hosts: Further hosts that may be asked.
        clock: The clock, for time and waiting.
        limits: Keeps the buckets; this client's alone unless given.
        cache: Keeps replies that can be asked for again on condition; none unless given.
        caps: What its requests may take.
        elsewhere: Let every request go anywhere, as logging in needs it; logins stay with
            their own hosts.
    """

    def __init__(  # noqa: PLR0913  # the core makes it, in one place
        self,
        *,
        account: str,
        base_url: str,
        credential: GetCredential | None = None,
        after_refusal: AfterRefusal | None = None,
        fault: Fault = status_fault,
        hosts: Collection[str] = (),
        clock: Clock = SYSTEM,
        limits: Limits | None = None,
        cache: ReplyCache | None = None,
        caps: Caps = _DEFAULT_CAPS,
        elsewhere: bool = False,
    ) -> None:
        self._base_url = base_url.rstrip("/") + "/" if base_url else ""
        self._fault = fault
        self._elsewhere = elsewhere
        self._gate = Gate(
            account=account, caps=caps, limits=limits or MemoryLimits(clock=clock), clock=clock
        )
        self._transport = Transport(most_bytes=caps.body, counts=self._gate.counts)
        self._exchange = Exchange(
            hosts=frozenset(hosts) | _hosts_of(self._base_url),
            credential=credential or _no_credential,
            after_refusal=after_refusal or _nothing_else,
            gate=self._gate,
            transport=self._transport,
            cache=cache,
        )

    @property
    def base_url(self) -> str:
        """The base path, with a trailing slash."""
        return self._base_url

    @property
    def counts(self) -> Counts:
        """Counters of the requests so far."""
        return self._gate.counts

    @property
    def clock(self) -> Clock:
        """The clock, for time and waiting."""
        return self._gate.clock

    async def login(self) -> Credential | None:
        """Return the account's current credential, for a source that revokes it."""
        return await self._exchange.credential()

    def without_login(self) -> "Http":
        """Return this client as one that sends no login, and may go where logging in leads.

        Whoever renews a login asks with this one: the login itself is not to be had meanwhile.
        """
        other = copy.copy(self)
        other._exchange = evolve(self._exchange, credential=_no_credential)  # noqa: SLF001  # it is this class's own
        other._elsewhere = True  # noqa: SLF001  # as above
        return other

    def reading(self, fault: Fault) -> "Http":
        """Return a client with another function to find faults in replies."""
        other = copy.copy(self)
        other._fault = fault  # noqa: SLF001  # it is this class's own
        return other

    async def get(
        self, path: str, *, params: Parameters | None = None, **options: Unpack[Options]
    ) -> Reply:
        """Return the reply to a GET; a relative path is below the account's base URL."""
        request = self._request("GET", self._address(path, params), None, options)
        return await self._send(request, repeatable=True, options=options)

    async def post(
        self,
        path: str,
        *,
        json: JSON = None,
        form: Mapping[str, str] | None = None,
        content: Content | None = None,
        **options: Unpack[ChangeOptions],
    ) -> Reply:
        """Return the reply to a POST of a JSON body, a form or any other content.

        Args:
            path: Where to; a relative path is below the account's base URL.
            json: The body, as JSON.
            form: The body, as a form.
            content: The body as it is, with its media type: :func:`rove_core.http.multipart_body`
                makes that of a file.
            options: Options of the request; ``repeatable=True`` for a POST that only asks.
        """
        return await self._change("POST", path, _body(json, form, content), options)

    async def put(
        self,
        path: str,
        *,
        json: JSON = None,
        form: Mapping[str, str] | None = None,
        content: Content | None = None,
        **options: Unpack[ChangeOptions],
    ) -> Reply:
        """Return the reply to a PUT; arguments as for :meth:`post`."""
        return await self._change("PUT", path, _body(json, form, content), options)

    async def patch(
        self,
        path: str,
        *,
        json: JSON = None,
        form: Mapping[str, str] | None = None,
        content: Content | None = None,
        **options: Unpack[ChangeOptions],
    ) -> Reply:
        """Return the reply to a PATCH; arguments as for :meth:`post`."""
        return await self._change("PATCH", path, _body(json, form, content), options)

    async def delete(
        self, path: str, *, json: JSON = None, **options: Unpack[ChangeOptions]
    ) -> Reply:
        """Return the reply to a DELETE; a few vendors need a body."""
        return await self._change("DELETE", path, _body(json, None, None), options)

    async def pages(
        self,
        first_url: str,
        next_page: Callable[[Reply], str | None],
        *,
        params: Parameters | None = None,
        most: int = MOST_PAGES,
        **options: Unpack[Options],
    ) -> AsyncGenerator[Reply, None]:
        """Yield page after page of a GET request.

        Args:
            first_url: The first page, as for :meth:`get`.
            next_page: Finds the next address in a page, relative to it or absolute; None after
                the last. It stays on the first one's host.
            params: The query of the first page.
            most: How many pages there may be.
            options: What any request may be given.
        """
        first = self._address(first_url, params)

        async def fetch(url: str | None) -> Reply:
            return await self.get(url or first.url, **options)

        def following(reply: Reply) -> str | None:
            url = next_page(reply)
            return next_address(reply, url, first=first) if url else None

        async with aclosing(cursor_pages(fetch, following, first=first.url, most=most)) as replies:
            async for reply in replies:
                yield reply

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    async def _change(
        self, method: str, path: str, body: Content | None, options: ChangeOptions
    ) -> Reply:
        guards = {
            "idempotency-key": options.get("idempotency_key", ""),
            "if-match": options.get("if_match", ""),
        }
        sent = {name: value for name, value in guards.items() if value}
        headers = {**options.get("headers", {}), **sent}
        request = self._request(method, self._address(path, None), body, {"headers": headers})
        repeatable = options.get("repeatable", "idempotency-key" in sent)
        return await self._send(request, repeatable=repeatable, options=options)

    def _address(self, path: str, params: Parameters | None) -> Address:
        """Return where a path leads; a relative one never above the base URL."""
        query = _query(params)
        target = path + ("&" if "?" in path else "?") + query if query else path
        is_relative = not _ABSOLUTE.match(path)
        if is_relative and not _hosts_of(self._base_url):
            message = (
                f"{self._gate.account}: base URL {where(self._base_url)!r} is not an HTTP address"
            )
            raise WrongSetting(message, hint="Write it in full: https://HOST")
        try:
            address = parse_address(target, base=self._base_url)
        except ValueError as error:
            raise WrongCall(str(error)) from error
        if is_relative and not _is_below(address, self._base_url):
            raise WrongCall(f"{where(path)} leads out of {self._base_url}")
        return address

    def _request(
        self, method: str, address: Address, body: Content | None, options: Options
    ) -> WireRequest:
        extra = {name.lower(): text for name, text in options.get("headers", {}).items()}
        kind = {"content-type": body[0]} if body else {}
        headers = {**_HEADERS, **kind, **extra}
        check_headers(
            headers, WrongCall("a header contains a line break or another forbidden character")
        )
        return WireRequest(
            method=method, address=address, headers=headers, content=body[1] if body else None
        )

    async def _send(self, request: WireRequest, *, repeatable: bool, options: Options) -> Reply:
        seconds = options.get("deadline", self._gate.caps.deadline)
        call = HttpCall(
            request=request,
            kind=options.get("kind", f"{request.method} {request.address.host}"),
            per_minute=options.get("per_minute"),
            deadline=Deadline(self._gate.clock, self._gate.clock.monotonic() + seconds),
            repeatable=repeatable,
            elsewhere=self._elsewhere or options.get("elsewhere", False),
            once=options.get("once", False),
            wrong=partial(find_fault, fault=self._fault, accept=request.headers["accept"]),
        )
        try:
            async with call.deadline.enforced():
                return await send_with_retries(self._exchange, self._gate, call)
        except TimeoutError as error:
            message = f"{request.address.where}: no answer within {seconds:g} s"
            late = TimedOut(message, account=self._gate.account)
            late.maybe_done = call.progress.is_sent and request.method != "GET"
            raise late from error
        except RoveError as error:
            error.account = error.account or self._gate.account
            raise


async def _no_credential() -> None:
    return None


async def _nothing_else(_: Credential) -> None:
    return None


def _body(json: JSON, form: Mapping[str, str] | None, content: Content | None) -> Content | None:
    if content is not None:
        return content
    return _form(form) if form is not None else _json(json)


def _hosts_of(url: str) -> frozenset[str]:
    try:
        return frozenset({parse_address(url).host})
    except ValueError:
        return frozenset()


def _is_below(address: Address, base_url: str) -> bool:
    """Return whether an address is below a base: an id such as ``../..`` must not leave it."""
    base = parse_address(base_url)
    return address.path.startswith(base.path) and "/../" not in f"{unquote(address.path)}/"


def _query(params: Parameters | None) -> str:
    texts = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in (params or {}).items()
    }
    return urlencode(texts, quote_via=quote, errors="replace")


def _form(form: Mapping[str, str]) -> Content:
    return "application/x-www-form-urlencoded", urlencode(form, errors="replace").encode()


def _json(value: JSON) -> Content | None:
    return None if value is None else ("application/json", dumps(value).encode())
