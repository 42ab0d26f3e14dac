"""The client that a source is given for one account."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urljoin, urlsplit

from rove_core.errors import (
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    RoveError,
    ScopeMissing,
    TimedOut,
    Unavailable,
)
from rove_core.http.reply import Reply
from rove_core.items import JSON
from rove_core.login import Credential

if TYPE_CHECKING:
    import httpx

#: Tells what is wrong with a reply in the vendor's own way, or None when nothing is.
Fault: TypeAlias = Callable[[Reply], RoveError | None]
Parameters: TypeAlias = Mapping[str, str | int | bool]


class Http:
    """Requests of one account: to its own hosts, with its own credential."""

    def __init__(
        self,
        *,
        account: str,
        base_url: str,
        credential: Callable[[], Awaitable[Credential | None]],
        fault: Fault | None = None,
    ) -> None:
        self._account = account
        self._base_url = base_url.rstrip("/") + "/"
        self._credential = credential
        self._fault = fault or status_fault
        self._client: httpx.AsyncClient | None = None

    def reading(self, fault: Fault) -> "Http":
        """Return the same client with a vendor's own way of saying what is wrong."""
        self._fault = fault
        return self

    async def get(self, path: str, *, params: Parameters | None = None) -> Reply:
        """Return the reply to a GET; a relative path is below the account's base URL."""
        return await self._send("GET", path, params=params)

    async def post(
        self, path: str, *, json: JSON = None, form: Mapping[str, str] | None = None
    ) -> Reply:
        """Return the reply to a POST of a JSON body or a form."""
        return await self._send("POST", path, json=json, form=form)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def _send(
        self,
        method: str,
        path: str,
        *,
        params: Parameters | None = None,
        json: JSON = None,
        form: Mapping[str, str] | None = None,
    ) -> Reply:
        import httpx  # noqa: PLC0415  # 120 ms that only a request should pay

        if self._client is None:
            self._client = httpx.AsyncClient(timeout=30)
        url = urljoin(self._base_url, path)
        credential = await self._credential()
        headers = {}
        if credential and urlsplit(url).netloc in credential.hosts:
            headers = {name: value.reveal() for name, value in credential.headers.items()}
        try:
            raw = await self._client.request(
                method, url, params=params, json=json, data=form, headers=headers
            )
        except httpx.TimeoutException as error:
            raise TimedOut(f"{url}: {error}", account=self._account) from error
        except httpx.HTTPError as error:
            raise Unavailable(f"{url}: {error}", account=self._account) from error
        reply = Reply(raw.status_code, str(raw.url), dict(raw.headers), raw.content)
        if error := self._fault(reply):
            error.account = self._account
            raise error
        return reply


def status_fault(reply: Reply) -> RoveError | None:
    """Tell what is wrong by the HTTP status alone."""
    match reply.status:
        case status if status < 400:
            return None
        case 401:
            return LoginRefused(f"{reply.url} answered 401")
        case 403:
            return ScopeMissing(f"{reply.url} answered 403")
        case 404 | 410:
            return ItemNotFound(f"{reply.url} answered {reply.status}")
        case 429:
            return RateLimited(f"{reply.url} answered 429")
        case status if status >= 500:
            return Unavailable(f"{reply.url} answered {status}")
        case status:
            return MalformedReply(f"{reply.url} answered {status}: {reply.text[:200]}")
