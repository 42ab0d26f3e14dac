"""Incidents that a mirror remembers until a person has seen them in its status."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import frozen

from rove_core.mirror.clock_faults import is_recent

#: How long a mirror remembers that the account lost a container.
_REMEMBERED_FOR: Final = timedelta(days=14)


@frozen(kw_only=True)
class LostContainer:
    """A container that was removed because the account may no longer read it.

    Attributes:
        name: Its name.
        title: Its display title.
        at: When it was removed.
    """

    name: str
    title: str = ""
    at: datetime


@frozen(kw_only=True)
class UpdateFailure:
    """Why an update of a mirror failed.

    Attributes:
        at: When it failed.
        message: What was wrong.
        hint: The next step.
    """

    at: datetime
    message: str
    hint: str = ""


def add_lost(
    before: Sequence[LostContainer], lost: Iterable[LostContainer], now: datetime
) -> Sequence[LostContainer]:
    """Return lost containers together with new ones, without those that were lost long ago."""
    by_name = {each.name: each for each in before if is_recent(each.at, now, _REMEMBERED_FOR)}
    return [*{**by_name, **{each.name: each for each in lost}}.values()]


def lost_text(lost: Iterable[LostContainer]) -> str:
    """Return lost containers in the form in which a mirror stores them."""
    return json.dumps([[each.name, each.title, each.at.timestamp()] for each in lost])


def lost_of(text: str) -> tuple[LostContainer, ...]:
    """Return the lost containers that a mirror stores."""
    return tuple(
        LostContainer(name=name, title=title, at=datetime.fromtimestamp(at, UTC))
        for name, title, at in json.loads(text)
    )


def failure_text(failure: UpdateFailure | None) -> str:
    """Return a failure in the form in which a mirror stores it; empty for none."""
    if failure is None:
        return ""
    return json.dumps([failure.at.timestamp(), failure.message, failure.hint])


def failure_of(text: str) -> UpdateFailure | None:
    """Return the failure that a mirror stores."""
    if not text:
        return None
    at, message, hint = json.loads(text)
    return UpdateFailure(at=datetime.fromtimestamp(at, UTC), message=message, hint=hint)
