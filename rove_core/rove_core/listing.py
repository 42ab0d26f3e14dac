"""Listing an account: what changed in some of its containers, without any words to look for."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import define, field, frozen

from rove_core.items import ContextItem, ItemRef

#: What changed so shortly before the newest change may be told late by a vendor's index.
OVERLAP: Final = timedelta(minutes=10)


@frozen(kw_only=True)
class Container:
    """A part of an account that can be listed: a project, a repository, a channel, a folder.

    Attributes:
        name: How its source names it (``TB``, ``acme/api``, ``C0BACKEND``).
        title: How people name it (``Tracker``, ``#backend-team``).
    """

    name: str
    title: str = ""


@frozen(kw_only=True)
class ListScope:
    """What to list of an account.

    Attributes:
        account: The account that is asked.
        containers: The names of its containers; all of them when empty.
        since: Nothing that changed last before this; bound to the cursor, like the containers.
        cursor: Where the last listing of the same containers ended; empty for the first one.
        limit: How many items are enough for now: the last one of them has a cursor.
    """

    account: str
    containers: tuple[str, ...] = ()
    since: datetime | None = None
    cursor: str = ""
    limit: int = 1000


@frozen(kw_only=True)
class ListedChange:
    """One step of a listing: an item as it is now, an item that is gone, or a cursor alone.

    Attributes:
        item: An item that is new or changed.
        whole: Whether the item has its discussion, as ``rove_item_detail`` gives it. Rove reads
            the item before it uses it when it has not.
        gone: An item that is no longer there.
        cursor: Where to go on after this step; empty when one cannot go on just here. Only its
            source reads it.
    """

    item: ContextItem | None = None
    whole: bool = False
    gone: ItemRef | None = None
    cursor: str = ""


@define
class UpdateCursor:
    """Keeps the place in a listing by time of change, newest first.

    Most vendors can sort by the time of the last change and ask for what changed since. Ask for
    what changed between ``since`` and ``until``, newest first; yield only what :meth:`is_new`
    lets pass; put :meth:`text` into the last change of each page, with ``done`` at the end.
    A listing that stops halfway goes on where it stopped, one that ended goes on with what
    changed since, and nothing is listed twice unless it changed again.

    Attributes:
        since: What to ask the vendor for: changed at this time or later; None for everything.
        until: And at this time or earlier; None for everything.
    """

    since: datetime | None = None
    until: datetime | None = None
    _newest: datetime | None = None
    _seen: dict[str, str] = field(factory=dict)
    _before: Mapping[str, str] = field(init=False)
    _reached: datetime | None = field(default=None, init=False)

    @_before.default
    def _seen_before(self) -> Mapping[str, str]:
        return dict(self._seen)

    @classmethod
    def of(cls, scope: ListScope) -> "UpdateCursor":
        """Return the place where a listing goes on; the beginning for an unknown cursor."""
        known = _read(scope.cursor)
        since, until, newest = (_time(known.get(name)) for name in ("since", "until", "newest"))
        if not known or (newest is None and since is None):
            return cls(since=scope.since)
        seen = known.get("seen")
        return cls(since, until, newest, dict(seen) if isinstance(seen, Mapping) else {})

    def is_new(self, name: str, changed: datetime) -> bool:
        """Note an item, and return whether it lies in the listing and was not listed before.

        Args:
            name: Its id.
            changed: When it changed last.
        """
        if self.since is not None and changed < self.since:
            return False
        if self.until is not None and changed > self.until:
            return False
        if self._seen.get(name) == _text(changed):
            return False
        self._seen[name] = _text(changed)
        self._newest = max(self._newest or changed, changed)
        self._reached = changed
        return True

    def text(self, *, done: bool) -> str:
        """Return the cursor that goes on from here.

        Args:
            done: Whether the listing has come to its end.
        """
        if done:
            return self._ended()
        until = self._reached or self.until
        place = {"since": self.since, "until": until, "newest": self._newest}
        near = self._seen_since(self._recent()) | self._seen_at(until)
        return _written(place, {**self._before, **near})

    def _ended(self) -> str:
        since = self._recent() or self.since
        return _written({"since": since}, self._seen_since(since))

    def _seen_since(self, since: datetime | None) -> dict[str, str]:
        return {name: at for name, at in self._seen.items() if since and at >= _text(since)}

    def _seen_at(self, moment: datetime | None) -> dict[str, str]:
        return {name: at for name, at in self._seen.items() if moment and at == _text(moment)}

    def _recent(self) -> datetime | None:
        """Return since when changes may still be told late."""
        return self._newest - OVERLAP if self._newest else None


def _written(times: Mapping[str, datetime | None], seen: Mapping[str, str]) -> str:
    told = {name: _text(at) for name, at in times.items() if at is not None}
    return json.dumps({**told, "seen": dict(seen)}, separators=(",", ":"))


def _read(cursor: str) -> Mapping[str, object]:
    try:
        known = json.loads(cursor) if cursor else {}
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _text(at: datetime) -> str:
    """Return a time as UTC text of one width, so that such texts sort."""
    naive = at.astimezone(UTC).replace(tzinfo=None)
    return naive.isoformat(timespec="microseconds") + "Z"


def _time(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
