"""Check that a host responds, without a login."""

from contextlib import aclosing, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core.errors import RetryLater, RoveError, WrongCall, WrongSetting
from rove_core.http import Caps, Http
from rove_core.http.addresses import parse_address

if TYPE_CHECKING:
    from rove_core.clock import Clock
    from rove_core.http import Reply

_CAPS: Final = Caps(attempts=1, deadline=8.0)


@frozen
class ReachableAddress:
    """An address that answered.

    Attributes:
        host: Its host.
        seconds: How long that took.
        ahead: By how many seconds its clock is ahead of this one; None if it does not say.
    """

    host: str
    seconds: float
    ahead: float | None

    @property
    def message(self) -> str:
        """The message for people."""
        return f"{self.host} answers in {self.seconds * 1000:.0f} ms"


async def reach(account: str, url: str, *, clock: "Clock") -> ReachableAddress:
    """Request an address, and return that it answered, whatever the answer.

    Raises:
        RetryLater: Nothing answers there.
        WrongSetting: It is not an address.
    """
    try:
        host = parse_address(url).host
    except ValueError as error:
        raise WrongSetting(f"{account}: {error}") from error
    http = Http(account=account, base_url=url, fault=lambda _: None, clock=clock, caps=_CAPS)
    before = clock.monotonic()
    async with aclosing(http):
        reply = await _first_page(http)
    seconds = clock.monotonic() - before
    return ReachableAddress(host, seconds, _ahead(reply, clock.now()) if reply else None)


async def _first_page(http: Http) -> "Reply | None":
    try:
        return await http.get("", headers={"accept": "*/*"})
    except (RetryLater, WrongCall, WrongSetting):
        raise
    except RoveError:
        # An answer that Rove cannot read is one, too.
        return None


def _ahead(reply: "Reply", now: datetime) -> float | None:
    with suppress(ValueError):
        sent_at = parsedate_to_datetime(reply.headers.get("date", ""))
        return (sent_at.astimezone(UTC) - now).total_seconds()
    return None
