"""Retry failed requests, with exponential backoff and jitter."""

import random
from typing import Final

from rove_core.errors import RateLimited, Unavailable
from rove_core.http.exchange import Exchange, HttpCall
from rove_core.http.gate import Gate
from rove_core.http.reply import Reply

#: The longest pause before the second attempt, in seconds; it doubles up to the longest of all.
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 8.0


async def send_with_retries(exchange: Exchange, gate: Gate, call: HttpCall) -> Reply:
    """Send a request until it succeeds or another attempt is pointless; raise the last error."""
    attempt = 1
    while True:
        try:
            return await exchange.reply(call)
        except (RateLimited, Unavailable) as error:
            if not call.repeatable or attempt >= gate.caps.attempts:
                raise
            await gate.pause(error, _pause(attempt), call.deadline)
            attempt += 1


def _pause(attempt: int) -> float:
    """Return how many seconds to wait after an attempt, unless the vendor says how long."""
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1))
    return random.uniform(0, longest)  # noqa: S311  # jitter, not a secret
