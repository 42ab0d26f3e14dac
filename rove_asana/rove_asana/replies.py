"""The parts of Asana's replies that Rove reads, with Asana's names.

Whatever Asana leaves out or leaves empty is read as nothing: no task is lost for a missing name.
"""

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class NamedObject:
    """A person, project, section, tag, option or another task, as an object names it."""

    gid: str = ""
    name: str = ""


@frozen(kw_only=True)
class ListedProject(NamedObject):
    """A project."""

    privacy_setting: str = ""


@frozen(kw_only=True)
class EnumOption(NamedObject):
    """A choice of a custom field."""

    enabled: bool = True


@frozen(kw_only=True)
class CustomFieldReply(NamedObject):
    """A custom field, with its value in a task."""

    type: str = ""
    representation_type: str = ""
    id_prefix: str = ""
    display_value: str = ""
    enum_value: EnumOption | None = None
    enum_options: tuple[EnumOption, ...] = ()
    number_value: float | None = None


@frozen(kw_only=True)
class MembershipReply:
    """A project that a task is in, and the section there."""

    project: NamedObject | None = None
    section: NamedObject | None = None


@frozen(kw_only=True)
class TaskReply(NamedObject):
    """A task."""

    resource_subtype: str = ""
    html_notes: str = ""
    notes: str = ""
    created_at: datetime | None = None
    modified_at: datetime | None = None
    completed: bool = False
    due_on: str = ""
    start_on: str = ""
    assignee: NamedObject | None = None
    created_by: NamedObject | None = None
    followers: tuple[NamedObject, ...] = ()
    memberships: tuple[MembershipReply, ...] = ()
    tags: tuple[NamedObject, ...] = ()
    parent: NamedObject | None = None
    num_subtasks: int = 0
    custom_fields: tuple[CustomFieldReply, ...] = ()
    dependencies: tuple[NamedObject, ...] = ()
    dependents: tuple[NamedObject, ...] = ()


@frozen(kw_only=True)
class StoryReply:
    """A comment, or a line of a task's history."""

    gid: str = ""
    type: str = ""
    resource_subtype: str = ""
    created_at: datetime | None = None
    created_by: NamedObject | None = None
    text: str = ""
    html_text: str = ""


@frozen(kw_only=True)
class AttachmentReply(NamedObject):
    """A file, or an address at another service."""

    resource_subtype: str = ""
    created_at: datetime | None = None
    download_url: str = ""
    view_url: str = ""
    size: int | None = None


@frozen(kw_only=True)
class MeReply(NamedObject):
    """The owner of the login."""

    workspaces: tuple[NamedObject, ...] = ()


@frozen(kw_only=True)
class ObjectName(NamedObject):
    """The object of an event, with its type."""

    resource_type: str = ""


@frozen(kw_only=True)
class EventReply:
    """An event: the object, its parent and the action."""

    resource: ObjectName | None = None
    parent: ObjectName | None = None


@frozen(kw_only=True)
class EventsReply:
    """The events since a sync token, and the next token."""

    data: tuple[EventReply, ...] = ()
    sync: str = ""
    has_more: bool = False


@frozen(kw_only=True)
class WholeTask:
    """A task with its parts.

    Attributes:
        task: The task.
        stories: Its comments and its history, oldest first.
        subtasks: Its parts.
        attachments: Its files and addresses.
        gaps: What of these could not be read, and why.
    """

    task: TaskReply
    stories: tuple[StoryReply, ...] = ()
    subtasks: tuple[TaskReply, ...] = ()
    attachments: tuple[AttachmentReply, ...] = ()
    gaps: tuple[str, ...] = ()
