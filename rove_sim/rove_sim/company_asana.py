"""A company's content in Asana.

Descriptions and comments are Asana's rich text without its ``<body>``: XML of few elements, in
which a line break is a line break. People are named by their keys.
"""

from datetime import date, datetime
from typing import Literal

from attrs import field, frozen

from rove_sim import ids


def asana_gid(name: str) -> str:
    """Return an id as Asana makes them: sixteen digits, derived from a name."""
    return str(12 * 10**14 + ids.number(f"asana/{name}", below=10**14))


@frozen(kw_only=True)
class AsanaField:
    """A custom field of a project; another project's field of that name is the same one.

    Attributes:
        kind: What it holds; ``id`` numbers tasks with a prefix.
        options: What can be chosen, for those that have a choice.
        prefix: How an id begins (``TB``).
    """

    name: str
    kind: Literal["enum", "multi_enum", "text", "number", "id"] = "text"
    options: tuple[str, ...] = ()
    prefix: str = ""


@frozen(kw_only=True)
class AsanaProject:
    """A project, with its sections in order.

    Attributes:
        private: Whether only invited people see it.
    """

    name: str
    gid: str = field()
    sections: tuple[str, ...] = ("Untitled section",)
    fields: tuple[AsanaField, ...] = ()
    archived: bool = False
    private: bool = False

    @gid.default
    def _gid(self) -> str:
        return asana_gid(f"project/{self.name}")


@frozen(kw_only=True)
class AsanaPlace:
    """A project that a task is in, by its name, and the section there; the first when empty."""

    project: str
    section: str = ""


@frozen(kw_only=True)
class AsanaValue:
    """The value of a custom field; several choices have commas between."""

    field: str
    value: str


@frozen(kw_only=True)
class AsanaStory:
    """A comment below a task, or a line of its history.

    Attributes:
        kind: Asana's ``resource_subtype``; ``comment_added`` is a comment.
        text: A comment's rich text; of history, plain text.
        edited: When it was last edited.
    """

    gid: str = ""
    author: str
    at: datetime
    text: str
    kind: str = "comment_added"
    edited: datetime | None = None


@frozen(kw_only=True)
class AsanaAttachment:
    """A file of a task, or an address when it has one."""

    gid: str = ""
    name: str
    at: datetime
    url: str = ""
    size: int = 0


@frozen(kw_only=True)
class AsanaTask:
    """A task in Asana.

    Attributes:
        gid: Its id, sixteen digits.
        notes: Its description, as rich text without ``<body>``.
        updated: When it was last changed; that of its latest story when not given.
        completed: When it was completed.
        places: The projects that it is in.
        parent: The task that it is a part of, by its id.
        depends_on: The tasks that it waits for, by their ids.
        kind: Asana's ``resource_subtype``.
    """

    gid: str
    name: str
    notes: str = ""
    author: str
    created: datetime
    updated: datetime | None = None
    completed: datetime | None = None
    assignee: str = ""
    places: tuple[AsanaPlace, ...] = ()
    parent: str = ""
    due: date | None = None
    tags: tuple[str, ...] = ()
    followers: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    values: tuple[AsanaValue, ...] = ()
    stories: tuple[AsanaStory, ...] = ()
    attachments: tuple[AsanaAttachment, ...] = ()
    kind: str = "default_task"

    @property
    def changed(self) -> datetime:
        """When it was last changed, as Asana counts it: a comment is a change."""
        times = [each.edited or each.at for each in self.stories]
        return max([self.updated or self.created, *times])
