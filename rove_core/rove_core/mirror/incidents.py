"""Incidents that a mirror remembers until a person has seen them in its status."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import frozen

from rove_core.mirror.clock_faults import is_recent

#: How long a mirror remembers what happened to a container.
_REMEMBERED_FOR: Final = timedelta(days=14)


@frozen(kw_only=True)
class ContainerIncident:
    """A container that left a mirror because the account may no longer read it, or turned private.

    Attributes:
        name: Its name.
        title: Its display title.
        at: When that was noticed.
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


def add_incidents(
    before: Sequence[ContainerIncident], titles: Mapping[str, str], now: datetime
) -> Sequence[ContainerIncident]:
    """Return incidents together with new ones, without those of long ago.

    Args:
        before: The earlier incidents.
        titles: The title of each container to which the same happened now, by its name.
        now: The time.
    """
    by_name = {each.name: each for each in before if is_recent(each.at, now, _REMEMBERED_FOR)}
    new = {name: ContainerIncident(name=name, title=titles[name], at=now) for name in titles}
    return [*{**by_name, **new}.values()]


def incidents_text(incidents: Iterable[ContainerIncident]) -> str:
    """Return incidents in the form in which a mirror stores them."""
    return json.dumps([[each.name, each.title, each.at.timestamp()] for each in incidents])


def incidents_of(text: str) -> tuple[ContainerIncident, ...]:
    """Return the incidents that a mirror stores."""
    return tuple(
        ContainerIncident(name=name, title=title, at=datetime.fromtimestamp(at, UTC))
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
