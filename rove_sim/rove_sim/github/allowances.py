"""GitHub's rate limits and their headers."""

from collections.abc import Mapping
from typing import Final

from rove_core import JSON
from rove_sim.limits import Allowance, Limit, Limiter

_HOUR: Final = 3600
LIMITS: Final[Mapping[str, Limit]] = {
    "core": Limit(5_000, _HOUR),
    "search": Limit(30, 60),
    "semantic_search": Limit(10, 60),
    "graphql": Limit(5_000, _HOUR),
}
#: Points that may be spent in a minute, whatever is left of the hour.
FAST: Final[Mapping[str, Limit]] = {
    "core": Limit(900, 60),
    "search": Limit(900, 60),
    "semantic_search": Limit(900, 60),
    "graphql": Limit(2_000, 60),
}


def resource_of(path: str, query: Mapping[str, str]) -> str:
    """Return the resource that a request is counted for; empty when it is free."""
    if path == "/rate_limit" or path.startswith("/login/"):
        return ""
    if path.endswith("/graphql"):
        return "graphql"
    if path.startswith("/search/"):
        return "semantic_search" if "search_type" in query else "search"
    return "core"


def headers(resource: str, allowance: Allowance) -> dict[str, str]:
    """Return the rate limit headers of a reply."""
    limits = numbers(allowance)
    return {
        **{f"x-ratelimit-{name}": str(number) for name, number in limits.items()},
        "x-ratelimit-resource": resource,
    }


def numbers(allowance: Allowance) -> dict[str, int]:
    """Return the numbers of a limit; it resets at a time in seconds since 1970."""
    return {
        "limit": allowance.limit.requests,
        "remaining": allowance.remaining,
        "reset": int(allowance.reset_at.timestamp()),
        "used": allowance.limit.requests - allowance.remaining,
    }


def overview(limiter: Limiter) -> dict[str, JSON]:
    """Return the remaining requests of all limits."""
    left: dict[str, JSON] = {
        name: dict(numbers(limiter.peek((name,), limit))) for name, limit in LIMITS.items()
    }
    return {"resources": left, "rate": left["core"]}
