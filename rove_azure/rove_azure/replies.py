"""The parts of Azure DevOps' replies that Rove reads, with Azure's names.

Whatever Azure leaves out or leaves empty is read as nothing: no item is lost for a missing name.
"""

# ruff: noqa: N815

from collections.abc import Mapping

from attrs import field, frozen

from rove_core import JSON


@frozen(kw_only=True)
class RelationAttributes:
    """Attributes of a relation."""

    name: str = ""
    comment: str = ""


@frozen(kw_only=True)
class RelationReply:
    """A relation to a work item, a file or an external address."""

    rel: str = ""
    url: str = ""
    attributes: RelationAttributes = field(factory=RelationAttributes)


@frozen(kw_only=True)
class WorkItemReply:
    """A work item: its fields by Azure's names, and its relations."""

    id: int = 0
    rev: int = 0
    fields: Mapping[str, JSON] = field(factory=dict)
    relations: tuple[RelationReply, ...] = ()
    multilineFieldsFormat: Mapping[str, str] = field(factory=dict)


@frozen(kw_only=True)
class RevisionReply:
    """A line of the log of revisions."""

    id: int = 0
    rev: int = 0
    fields: Mapping[str, JSON] = field(factory=dict)

    @property
    def is_deleted(self) -> bool:
        """Whether the work item is in the recycle bin since then."""
        return self.fields.get("System.IsDeleted") is True


@frozen(kw_only=True)
class PersonReply:
    """A person."""

    id: str = ""
    displayName: str = ""
    uniqueName: str = ""


@frozen(kw_only=True)
class ItemCommentReply:
    """A comment."""

    id: int = 0
    text: str = ""
    format: str = ""
    createdBy: PersonReply = field(factory=PersonReply)
    createdDate: str = ""
    modifiedDate: str = ""
    isDeleted: bool = False


@frozen(kw_only=True)
class StateReply:
    """A state of a type of work."""

    name: str = ""
    category: str = ""


@frozen(kw_only=True)
class TransitionReply:
    """A state that may follow another one."""

    to: str = ""


@frozen(kw_only=True)
class FieldReply:
    """A field of a type of work."""

    referenceName: str = ""
    name: str = ""


@frozen(kw_only=True)
class WorkTypeReply:
    """A type of work: its states, what may follow which, and its fields."""

    name: str = ""
    states: tuple[StateReply, ...] = ()
    transitions: Mapping[str, tuple[TransitionReply, ...]] = field(factory=dict)
    fieldInstances: tuple[FieldReply, ...] = ()


@frozen(kw_only=True)
class ProjectReply:
    """A project."""

    id: str = ""
    name: str = ""
    url: str = ""


@frozen(kw_only=True)
class NodeAttributes:
    """Dates of a sprint."""

    startDate: str = ""
    finishDate: str = ""


@frozen(kw_only=True)
class NodeReply:
    """A node of the tree of a project's sprints."""

    id: int = 0
    name: str = ""
    path: str = ""
    attributes: NodeAttributes = field(factory=NodeAttributes)
    children: tuple["NodeReply", ...] = ()
