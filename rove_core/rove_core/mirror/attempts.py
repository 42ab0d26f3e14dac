"""Failed reads of items that a mirror lacks: until when no build requests them again."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

if TYPE_CHECKING:
    from rove_core.items import ItemRef
from rove_core.mirror.clock_faults import is_recent

#: How long an item is not requested again that could not be read, or that its vendor lacks.
UNREAD_FOR: Final = timedelta(minutes=15)
MISSING_FOR: Final = timedelta(days=1)
#: How long a failed read lets an item wait for others that were never requested.
_REMEMBERED_FOR: Final = timedelta(days=7)
#: Maximum failed reads that a mirror remembers.
_MOST: Final = 1_000


@frozen(kw_only=True)
class FailedRead:
    """A failed read of an item.

    Attributes:
        at: When it failed.
        is_missing: Whether the vendor has no such item.
    """

    at: datetime
    is_missing: bool = False

    def is_recent(self, now: datetime) -> bool:
        """Return whether it is too early to read the item again."""
        return is_recent(self.at, now, MISSING_FOR if self.is_missing else UNREAD_FOR)


#: The failed reads of an account, by the item's name.
FailedReads: TypeAlias = Mapping[str, FailedRead]


def attempt_name(ref: "ItemRef") -> str:
    """Return the name of an item among the failed reads of its account."""
    return f"{ref.kind} {ref.id}"


def add_failures(
    before: FailedReads, unread: "Iterable[ItemRef]", missing: "Iterable[ItemRef]", now: datetime
) -> FailedReads:
    """Return failed reads together with new ones, without the oldest."""
    failed = {attempt_name(ref): FailedRead(at=now) for ref in unread}
    failed |= {attempt_name(ref): FailedRead(at=now, is_missing=True) for ref in missing}
    recent = {
        name: each for name, each in before.items() if is_recent(each.at, now, _REMEMBERED_FOR)
    }
    newest = sorted({**recent, **failed}.items(), key=lambda pair: pair[1].at)[-_MOST:]
    return dict(newest)


def failures_text(failures: FailedReads) -> str:
    """Return failed reads in the form in which a mirror stores them."""
    return json.dumps(
        {name: [each.at.timestamp(), each.is_missing] for name, each in failures.items()}
    )


def failures_of(text: str) -> FailedReads:
    """Return the failed reads that a mirror stores."""
    return {
        name: FailedRead(at=datetime.fromtimestamp(at, UTC), is_missing=is_missing)
        for name, (at, is_missing) in json.loads(text).items()
    }
