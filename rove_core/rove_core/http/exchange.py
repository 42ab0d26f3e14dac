"""From one request to its final reply: headers, cache and redirects."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, evolve, field, frozen

from rove_core.errors import (
    LoginRefused,
    MalformedReply,
    RateLimited,
    RoveError,
    Unavailable,
    WrongCall,
    WrongSetting,
)
from rove_core.http.addresses import Address, parse_address
from rove_core.http.cache import CacheEntry, ReplyCache, recall
from rove_core.http.call_time import current_patience
from rove_core.http.deadline import Deadline
from rove_core.http.gate import Gate
from rove_core.http.public_addresses import public_addresses
from rove_core.http.reply import Reply
from rove_core.http.transport import Transport, WireRequest, unavailable
from rove_core.login import Credential

GetCredential: TypeAlias = Callable[[], Awaitable[Credential | None]]
#: Return a replacement for a login that the vendor refused, or None.
AfterRefusal: TypeAlias = Callable[[Credential], Awaitable[Credential | None]]

_MOST_REDIRECTS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SENDABLE: Final = re.compile(r"[\x20-\x7e]*")


@define
class SendProgress:
    """Whether any part of a request may have reached the vendor."""

    is_sent: bool = False


@frozen(kw_only=True)
class HttpCall:
    """A request with its options.

    Attributes:
        request: The request with the caller's headers, without the credential.
        kind: The kind of endpoint, for the limits.
        per_minute: How many requests of that kind the vendor allows per minute, if known.
        deadline: When it must be done.
        repeatable: Whether it may be sent again.
        elsewhere: Whether it may go to a host that is not the account's.
        once: Whether the reply is not worth caching.
        wrong: Return the error in a reply, or None.
        progress: Whether the vendor may have received it.
    """

    request: WireRequest
    kind: str
    per_minute: int | None = None
    deadline: Deadline
    repeatable: bool
    elsewhere: bool
    once: bool = False
    wrong: Callable[[Reply], RoveError | None]
    progress: SendProgress = field(factory=SendProgress)


@frozen(kw_only=True)
class Exchange:
    """Sends the requests of an account.

    Attributes:
        hosts: The account's hosts, besides those of its credential.
        credential: Return the current login.
        after_refusal: Return another login after the vendor refused one.
        gate: The limits.
        transport: The connections.
        cache: Earlier replies.
    """

    hosts: frozenset[str]
    credential: GetCredential
    after_refusal: AfterRefusal
    gate: Gate
    transport: Transport
    cache: ReplyCache | None

    async def reply(self, call: HttpCall) -> Reply:
        """Send a call and return its reply; if the login is refused, try once with another."""
        credential = await self.credential()
        try:
            return await self._reply(call, credential)
        except LoginRefused:
            other = await self.after_refusal(credential) if credential else None
            if other is None:
                raise
        return await self._reply(call, other)

    async def _reply(self, call: HttpCall, credential: Credential | None) -> Reply:
        """Send a call with a login and follow its redirects; raise the error in its reply."""
        request = call.request
        self._check_host(call, credential)
        for _ in range(_MOST_REDIRECTS + 1):
            reply, entry = await self._send(call, request, credential)
            if target := _redirect_target(request, reply):
                if isinstance(refused := call.wrong(reply), LoginRefused):
                    raise refused  # Some vendors redirect to their login page instead.
                self._check_redirect(reply, target, call, credential)
                request = evolve(request, address=target)
                continue
            if error := call.wrong(reply):
                if isinstance(error, Unavailable):
                    error.maybe_done = request.method != "GET"
                raise await self._with_limit(error, call, reply)
            if entry:
                await entry.keep(reply)
            return reply
        raise MalformedReply(f"{call.request.address.where}: more than {_MOST_REDIRECTS} redirects")

    async def _with_limit(self, error: RoveError, call: HttpCall, reply: Reply) -> RoveError:
        if isinstance(error, RateLimited):
            await self.gate.close_after(error, call.kind, reply)
        return error

    def _check_host(self, call: HttpCall, credential: Credential | None) -> None:
        """Raise an error if a call may not go to its host."""
        address, own = call.request.address, self._own_hosts(credential)
        if address.is_one_of(own):
            return
        if not call.elsewhere:
            raise WrongCall(
                f"{address.host} is not a host of {self.gate.account} ({', '.join(sorted(own))})",
                hint="A plugin asks another host with elsewhere=True; no login goes there.",
            )
        if address.is_internal and not any(map(_is_internal, own)):
            raise WrongCall(
                f"{address.host} is on your own network and {self.gate.account} is not: "
                "request refused"
            )

    def _check_redirect(
        self, reply: Reply, target: Address, call: HttpCall, credential: Credential | None
    ) -> None:
        """Refuse a redirect to a host that is not the account's: its reply is not the vendor's."""
        host = call.request.address.host
        if target.host == host or target.is_one_of(self._own_hosts(credential)):
            return
        raise MalformedReply(
            f"{reply.where} redirects to another host, {target.host}: not followed",
            hint="If your site has moved, connect the account at its new address.",
        )

    async def _pinned(self, request: WireRequest, credential: Credential | None) -> Sequence[str]:
        """Return the IP addresses that a foreign host may have; empty if any will do."""
        own = self._own_hosts(credential)
        if request.address.is_one_of(own):
            return ()
        try:
            return await public_addresses(request.address, own, self.gate.account)
        except (OSError, UnicodeError) as error:
            raise unavailable(request, error) from error

    def _own_hosts(self, credential: Credential | None) -> frozenset[str]:
        return self.hosts.union(credential.hosts if credential else ())

    async def _send(
        self, call: HttpCall, request: WireRequest, credential: Credential | None
    ) -> tuple[Reply, CacheEntry | None]:
        """Send one request, conditionally if its reply is stored."""
        login = _login_headers(credential, request.address)
        patience = current_patience()
        is_kept = not call.once and (patience is None or patience.keeps_replies)
        entry = await self._recall(request, login) if is_kept else None
        headers = {**request.headers, **login, **(entry.conditions if entry else {})}
        async with self.gate.open(call.kind, call.deadline, call.per_minute):
            pinned = await self._pinned(request, credential)
            call.progress.is_sent = True
            reply = await self.transport.send(evolve(request, headers=headers, pinned=pinned))
            await self.gate.apply_limits(call.kind, reply)
        if entry and entry.is_confirmed_by(reply):
            self.gate.counts.not_modified += 1
            reply = entry.renew(reply)
        return reply, entry

    async def _recall(self, request: WireRequest, login: Mapping[str, str]) -> CacheEntry | None:
        if self.cache is None or request.method != "GET":
            return None
        login_text = "\n".join(f"{name}: {text}" for name, text in login.items())
        return await recall(self.cache, request.address.url, request.headers, login_text)


def check_headers(headers: Mapping[str, str], error: RoveError) -> None:
    """Raise an error if a header cannot be sent; the error must not contain its value."""
    if not all(_SENDABLE.fullmatch(name + text) for name, text in headers.items()):
        raise error


def _login_headers(credential: Credential | None, address: Address) -> dict[str, str]:
    """Return the headers of a login; none for a host that is not the credential's."""
    if not credential or not address.is_one_of(credential.hosts):
        return {}
    if address.scheme != "https" and not address.is_loopback:
        raise WrongSetting(
            f"{address.host}: a login is not sent over plain http",
            hint="Give the account an https address.",
        )
    headers = {name.lower(): value.reveal() for name, value in credential.headers.items()}
    check_headers(
        headers, LoginRefused("the login contains a line break or another forbidden character")
    )
    return headers


def _redirect_target(request: WireRequest, reply: Reply) -> Address | None:
    """Return the target of a GET's redirect; None if the reply is no redirect."""
    location = reply.headers.get("location")
    if request.method != "GET" or reply.status not in _REDIRECTS or not location:
        return None
    try:
        target = parse_address(location, base=request.address.url)
    except ValueError as error:
        raise MalformedReply(f"{reply.where} redirects to no usable address") from error
    if (request.address.scheme, target.scheme) == ("https", "http"):
        raise MalformedReply(f"{reply.where} redirects to plain http: not followed")
    return target


def _is_internal(host: str) -> bool:
    return parse_address(f"https://{host}").is_internal
