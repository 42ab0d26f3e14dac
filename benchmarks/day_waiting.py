"""How long limits hold the requests of a day, and how long they must."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple


class Hold(NamedTuple):
    """A request, from when it was ready to leave until a limit let it.

    Attributes:
        which: The command it belongs to.
        bucket: The limit.
        per_minute: How many requests the limit lets out in a window; 0 if only the vendor knows.
        arrived: When it was ready, in seconds.
        released: When it was let out.
    """

    which: str
    bucket: str
    per_minute: int
    arrived: float
    released: float


class Taken(NamedTuple):
    """One call of a limit.

    Attributes:
        which: The command it belongs to.
        bucket: The limit.
        per_minute: How many requests the limit lets out in a window; 0 if only the vendor knows.
        at: When it was asked.
        wait: The wait it answered with.
        granted: Whether the request was let out after that wait; it was refused otherwise.
    """

    which: str
    bucket: str
    per_minute: int
    at: float
    wait: float
    granted: bool


def holds_of(calls: Iterable[Taken]) -> Iterator[Hold]:
    """Yield the holds: a refused request is held until a later one of its command is let out."""
    refused: dict[tuple[str, str], list[float]] = defaultdict(list)
    for call in sorted(calls, key=lambda each: each.at):
        earlier = refused[call.which, call.bucket]
        if not call.granted:
            earlier.append(call.at)
            continue
        arrived = earlier.pop(0) if earlier else call.at
        yield Hold(call.which, call.bucket, call.per_minute, arrived, call.at + call.wait)


def forced_holds(holds: Iterable[Hold], *, window: float) -> Iterator[Hold]:
    """Yield the holds of the same arrivals if each request leaves as soon as its limit has room."""
    buckets: dict[str, list[Hold]] = defaultdict(list)
    for hold in holds:
        if hold.per_minute:
            buckets[hold.bucket].append(hold)
    for requests in buckets.values():
        left: list[float] = []
        for hold in sorted(requests, key=lambda each: each.arrived):
            full = len(left) >= hold.per_minute
            room = left[-hold.per_minute] + window if full else hold.arrived
            left.append(max(hold.arrived, room, *left[-1:]))
            yield hold._replace(released=left[-1])


def waits(holds: Iterable[Hold], *, until: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return how long each command had a request that a limit held.

    Args:
        holds: Its requests; holds of several at a time count once.
        until: The end of what is counted, by command; nothing ends it unless given.
    """
    spans: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for hold in holds:
        end = min(hold.released, until[hold.which]) if until else hold.released
        if end > hold.arrived:
            spans[hold.which].append((hold.arrived, end))
    return {which: _length(found) for which, found in spans.items()}


def _length(spans: Sequence[tuple[float, float]]) -> float:
    """Return the length of the union of intervals."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total
