"""Roles and typed facts of items.

A source fills in what its vendor tells and leaves the rest alone. Everything here is optional
except the role: without it nobody knows where in a document an item belongs.
"""

from datetime import date, datetime
from typing import Any

from attrs import Attribute, field, frozen

from rove_core._item_words import StatusCategory


def _is_aware(owner: object, attribute: "Attribute[Any]", value: datetime | None) -> None:
    if isinstance(value, datetime) and value.tzinfo is None:
        name = f"{type(owner).__name__}.{attribute.name}"
        raise ValueError(f"{name} is {value.isoformat()}, which has no time zone")


@frozen(kw_only=True)
class ItemStatus:
    """Status of a ticket or change.

    Attributes:
        name: The vendor's name for it (``In Review``, ``merged``).
        category: What that means; None when the vendor does not say.
    """

    name: str
    category: StatusCategory | None = None


@frozen(kw_only=True)
class NamedValue:
    """A fact without a field in :class:`Facts`, under its usual name.

    Attributes:
        name: The name (``Rollout plan``).
        value: The value, in a line.
    """

    name: str
    value: str


@frozen(kw_only=True)
class Facts:
    """The facts of an item, all optional: a source fills in what its vendor provides.

    Attributes:
        short_name: What people call it in a few words (``PR #847``), which citations use. A ticket
            is called by its id, and talk by its channel, unless this says something else.
        created: When it was written; aware, UTC. Its ``timestamp`` is when it last changed.
        status: Where a ticket or a change stands.
        resolution: How a ticket ended (``Won't do``), or why it was closed.
        type: The vendor's type of ticket (``Bug``).
        priority: The priority, in the vendor's words.
        assignees: Who does it.
        reporter: Who asked for it.
        due: The day it is due.
        labels: Its labels.
        components: The parts of the product it is about.
        versions: The releases it is meant for.
        project: The project it belongs to.
        iteration: The sprint or cycle it is planned in.
        estimate: The estimated size, in the vendor's units.
        branch: The branch of a change, or the one the vendor proposes for a ticket.
        attachments: The names of attached files.
        files: The paths of the files that a change or a commit touches.
        channel: The channel a talk is in, with or without ``#``.
        on: What a comment or a review is on, as people call it (``TB-123``, ``api#847``).
        path: The file that a comment is on, or that code is in.
        line: The line there, the first one of several.
        last_line: The last line there.
        offset: The second of a recording at which something was said.
        verdict: What a review decided (``approved``).
        resolved: Whether a comment is settled; None when its source does not know.
        answer: Whether a comment was chosen as the answer to what it is on.
        outdated: Whether the code that a comment is on has changed since.
        history: Whether it records a change to the item above it (``Status: Done``) and is
            nothing that somebody wrote.
        robot: Whether a program wrote it.
        guest: Whether its author is a guest from outside.
        incomplete: What could not be read, a sentence each (``12 of 40 comments read``).
        fields: Further facts, each with its name.
    """

    short_name: str = ""
    created: datetime | None = field(default=None, validator=_is_aware)
    status: ItemStatus | None = None
    resolution: str = ""
    type: str = ""
    priority: str = ""
    assignees: tuple[str, ...] = ()
    reporter: str = ""
    due: date | None = None
    labels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    project: str = ""
    iteration: str = ""
    estimate: float | None = None
    branch: str = ""
    attachments: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    channel: str = ""
    on: str = ""
    path: str = ""
    line: int | None = None
    last_line: int | None = None
    offset: int | None = None
    verdict: str = ""
    resolved: bool | None = None
    answer: bool = False
    outdated: bool = False
    history: bool = False
    robot: bool = False
    guest: bool = False
    incomplete: tuple[str, ...] = ()
    fields: tuple[NamedValue, ...] = ()
