"""Decide whether to retry a request, and after which delay."""

import random
from typing import Final

from rove_core.errors import RateLimited, Unavailable
from rove_core.http.exchange import Exchange, HttpCall
from rove_core.http.gate import Gate
from rove_core.http.reply import Reply

#: Seconds before the second attempt at most, and before any: each pause may be twice as long.
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 8.0


async def send_with_retries(exchange: Exchange, gate: Gate, call: HttpCall) -> Reply:
    """Send a request until there is a good reply, or no sense in sending it again."""
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
    """Return how many seconds to wait after an attempt, where the vendor says nothing."""
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1))
    return random.uniform(0, longest)  # noqa: S311  # it spreads retries, it hides nothing
