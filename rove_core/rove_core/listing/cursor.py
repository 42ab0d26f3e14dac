"""A position in a listing that is ordered by time of change."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from heapq import nlargest
from itertools import accumulate
from typing import Final

from attrs import define, field

from rove_core.listing.changes import ListScope
from rove_core.listing.ids import KnownIds

#: What changed so shortly before the newest change may be told late by a vendor's index.
OVERLAP: Final = timedelta(minutes=10)
#: With more items than this in the overlap, it is listed again only once.
_MANY: Final = 200
#: Items of the overlap, and characters of their ids, that a cursor has room for; of more, the
#: oldest are listed twice.
_MOST_SEEN: Final = 20_000
_MOST_SEEN_CHARACTERS: Final = 500_000
#: Characters of known ids that a cursor has room for. Without them, nothing is found to be gone.
_MOST_IDS: Final = 1_000_000
#: A sweep of all ids costs one request in so much time, on average.
_SWEEP: Final = timedelta(minutes=1)
#: Some vendors compare whole minutes.
_MINUTE: Final = timedelta(minutes=1)
#: A cursor that is ahead of the clock by more than this begins anew: nobody knows what it missed.
_AHEAD: Final = timedelta(days=1)
_FIRST: Final = datetime.min.replace(tzinfo=UTC)


@define
class UpdateCursor:
    """A position in a listing that is ordered by time of change, newest first.

    Most vendors can sort by the time of the last change and ask for what changed since. Ask for
    what changed between ``since`` and ``until``, newest first; yield only what :meth:`is_new`
    lets pass; put :meth:`text` into the last change of each page, with ``done`` at the end.
    A listing that stops halfway goes on where it stopped, one that ended goes on with what
    changed since, and nothing is listed twice unless it changed again. An item whose time is later
    than ``now`` of the scope is listed once, and the next listing begins at that ``now``.

    Few vendors say what was deleted. With ``keep_ids`` the cursor remembers which items were
    listed; at the end of a listing, ask for the ids of all that is there, and yield what
    :meth:`gone` returns.

    Attributes:
        since: What to ask the vendor for: changed at this time or later; None for everything.
        until: And at this time or earlier; None for everything.
        begin: The beginning of the scope: what is there has changed at this time or later.
        known: The ids that were listed and are not gone, with ``keep_ids``.
    """

    since: datetime | None = None
    until: datetime | None = None
    begin: datetime | None = field(default=None, kw_only=True)
    known: KnownIds | None = field(default=None, kw_only=True)
    _newest: datetime | None = field(default=None, kw_only=True)
    _before: dict[str, str] = field(factory=dict, kw_only=True)
    _swept: datetime | None = field(default=None, kw_only=True)
    _ended: datetime | None = field(default=None, kw_only=True)
    _again: datetime | None = field(default=None, kw_only=True)
    _again_after: datetime | None = field(default=None, kw_only=True)
    _now: datetime | None = field(default=None, kw_only=True)
    _seen: dict[str, str] = field(init=False)
    _reached: datetime | None = field(default=None, init=False)
    #: What was listed or forgotten (without a time) since the beginning, in order.
    _log: list[tuple[str, str]] = field(factory=list, init=False)

    @_seen.default
    def _seen_before(self) -> dict[str, str]:
        return dict(self._before)

    @classmethod
    def of(cls, scope: ListScope, *, keep_ids: bool = False) -> "UpdateCursor":
        """Return the place where a listing goes on; the beginning for an unknown cursor.

        Args:
            scope: What is listed.
            keep_ids: Whether to remember what was listed, to find out what is gone.
        """
        place = read_cursor(scope.cursor)
        names = ("since", "until", "newest", "begin", "swept", "ended", "again", "again_after")
        since, until, newest, begin, swept, ended, again, again_after = (
            _time(place.get(name)) for name in names
        )
        ids = KnownIds.of(place.get("ids")) if keep_ids else None
        if ids is not None:
            for ref in scope.unconfirmed:
                ids.add(ref.id)
        is_ahead = _is_ahead(newest, scope.now) or _is_ahead(since, scope.now)
        if is_ahead or (newest is None and since is None):
            return cls(since=scope.since, begin=scope.since, known=ids, now=scope.now)
        seen = place.get("seen")
        before = dict(seen) if isinstance(seen, Mapping) else {}
        return cls(
            since,
            until,
            begin=begin,
            known=ids,
            newest=newest,
            before=before,
            swept=swept,
            ended=ended,
            again=again,
            again_after=again_after,
            now=scope.now,
        )

    def is_new(self, name: str, changed: datetime) -> bool:
        """Record an item; return whether it is in the window and was not listed before.

        Args:
            name: Its id.
            changed: When it changed last.
        """
        if self.since is not None and changed < self.since:
            return False
        if self.until is not None and changed > self.until:
            return False
        at = _text(changed)
        if self._seen.get(name) == at:
            return False
        latest = min(changed, self._now) if self._now else changed
        self._newest = max(self._newest or latest, latest)
        self._reached = changed
        self._seen[name] = at
        self._log.append((name, at))
        if self.known is not None:
            self.known.add(name)
        return True

    def note(self, name: str, changed: datetime) -> None:
        """Note an item that is listed for another reason than the time of its change.

        Args:
            name: Its id.
            changed: When it changed last.
        """
        self._seen[name] = _text(changed)
        self._log.append((name, self._seen[name]))
        if self.known is not None:
            self.known.add(name)

    def is_sweep_due(self, now: datetime, *, per_request: int) -> bool:
        """Return whether to list all ids, to find deleted items.

        That takes few requests or is not done at each listing: on average one request a minute.

        Args:
            now: The time of day.
            per_request: How many ids one request brings.
        """
        requests = -(-len(self.known or ()) // per_request)
        return requests <= 1 or self._swept is None or now - self._swept >= requests * _SWEEP

    def forget_missing(self, there: Collection[str], now: datetime) -> Iterator[str]:
        """Yield the ids that were listed and are no longer there, and forget each.

        Args:
            there: The ids of all that is there.
            now: The time of day.
        """
        ids = self.known if self.known is not None else KnownIds()
        for name in [name for name in ids if name not in there]:
            self.forget(name)
            yield name
        self._swept = now

    def forget(self, name: str) -> None:
        """Note that an item is gone."""
        if self.known is not None:
            self.known.discard(name)
        self._before.pop(name, None)
        self._seen.pop(name, None)
        self._log.append((name, ""))

    def text(self, *, done: bool, now: datetime | None = None) -> str:
        """Return the cursor that goes on from here.

        Args:
            done: Whether the listing has come to its end.
            now: The time of day, as for :meth:`mark`.
        """
        return self.mark(done=done, now=now)()

    def mark(self, *, done: bool, now: datetime | None = None) -> Callable[[], str]:
        """Return a function that writes the cursor for continuing here, whenever it is called.

        Writing all known and all seen ids for each step would cost too much: a step notes only how
        many were listed so far.

        Args:
            done: Whether the listing has come to its end.
            now: The time of day. With it, the newest changes are not listed again once nothing
                newer has come for longer than a vendor's index may be late: after an import,
                thousands of items share one time.
        """
        if done:
            since = self._settled(now) or self._again or self.recent or self.since
            ended = now if self._newest else self._ended or now
            seen = self._seen_since(since)
            place = {"since": since, "ended": ended, **self._put_off(since, seen, now)}
            seen_then: Callable[[], dict[str, str]] = partial(dict, seen)
        else:
            until = self._reached or self.until
            place = {"since": self.since, "until": until, "newest": self._newest}
            place |= {"again": self._again, "again_after": self._again_after}
            seen_then = partial(self._seen_by, len(self._log), self.recent, self._reached)
        own = {**place, "begin": self.begin, "swept": self._swept}
        fields: dict[str, object] = {name: _text(at) for name, at in own.items() if at is not None}

        def written() -> str:
            place = {**fields, "seen": _newest_of(seen_then())}
            if self.known is not None and len(ids := _json(self.known.to_json())) <= _MOST_IDS:
                return f'{_json(place)[:-1]},"ids":{ids}}}'
            return _json(place)

        return written

    def _put_off(
        self, since: datetime | None, seen: Mapping[str, str], now: datetime | None
    ) -> dict[str, datetime | None]:
        """Return what delays listing a large overlap again; nothing if it is small or due.

        An import gives thousands of items one time. Until what its vendor's index learned late
        must be there, only newer changes are asked for.
        """
        if not (now and since and len(seen) > _MANY):
            return {}
        after = self._again_after or now + OVERLAP + _MINUTE
        newest = _latest_before(now, seen.values())
        if now >= after or newest is None:
            return {}
        return {"since": newest + _MINUTE, "again": since, "again_after": after}

    def _settled(self, now: datetime | None) -> datetime | None:
        """Return the time after all that was listed, if nothing of that time can still be late.

        Only times of this machine are compared: the vendor's clock may differ.
        """
        if self._newest or self._again or not (now and self._ended and self._before):
            return None
        if now - self._ended < OVERLAP + _MINUTE:
            return None
        newest = _latest_before(now - OVERLAP - _MINUTE, self._before.values())
        return newest + _MINUTE if newest else None

    def _seen_since(self, since: datetime | None) -> dict[str, str]:
        """Return what was listed that changed since a time, now or in the listing before."""
        if since is None:
            return {}
        return {name: at for name, at in self._seen.items() if at >= _text(since)}

    def _seen_by(
        self, count: int, since: datetime | None, reached: datetime | None
    ) -> dict[str, str]:
        """Return what must not be listed again after a step.

        Args:
            count: How many entries the log had then.
            since: The time from which late changes could still appear.
            reached: The time that the listing had reached.
        """
        seen = dict(self._before)
        first = _text(since) if since else None
        last = _text(reached) if reached else None
        for name, at in self._log[:count]:
            if not at:
                seen.pop(name, None)
            elif at == last or (first is not None and at >= first):
                seen[name] = at
        return seen

    @property
    def recent(self) -> datetime | None:
        """The time from which late changes may still appear."""
        return max(self._newest, _FIRST + OVERLAP) - OVERLAP if self._newest else None


def read_cursor(cursor: str) -> Mapping[str, object]:
    """Return the JSON object that a cursor is; an empty one for an unknown cursor."""
    with suppress(ValueError):
        place = json.loads(cursor) if cursor else {}
        return place if isinstance(place, dict) else {}
    return {}


def _is_ahead(at: datetime | None, now: datetime | None) -> bool:
    return bool(at and now and at - now > _AHEAD)


def _latest_before(end: datetime, times: Iterable[str]) -> datetime | None:
    """Return the latest of some times that is not after an end."""
    latest = max((each for each in times if each <= _text(end)), default=None)
    return _time(latest)


def _newest_of(seen: Mapping[str, str]) -> dict[str, str]:
    """Return the newest items of an overlap, as many as a cursor has room for."""
    if len(seen) <= _MOST_SEEN and sum(map(len, seen)) <= _MOST_SEEN_CHARACTERS:
        return dict(seen)
    newest = nlargest(_MOST_SEEN, seen.items(), key=lambda each: (each[1], each[0]))
    lengths = accumulate(len(name) for name, _ in newest)
    fitting = sum(1 for each in lengths if each <= _MOST_SEEN_CHARACTERS)
    return dict(newest[:fitting])


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _text(at: datetime) -> str:
    """Return a time as UTC text of one width, so that such texts sort."""
    naive = at.astimezone(UTC).replace(tzinfo=None)
    return naive.isoformat(timespec="microseconds") + "Z"


def _time(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
