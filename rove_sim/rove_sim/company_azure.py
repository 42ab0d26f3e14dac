"""A company's content in Azure DevOps.

Texts are HTML, as Azure's editor writes them, or Markdown where a work item says so. Times are
ISO texts with a zone (``2024-12-15T12:00:00Z``), or TOML's own. People are named by their keys.
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Literal

from attrs import field, frozen


@frozen(kw_only=True)
class AzureComment:
    """A comment on a work item.

    Attributes:
        number: Its number, which no other comment of the organization has.
        markdown: Whether its text is Markdown.
        updated: When it was last edited.
    """

    number: int
    author: str
    at: datetime
    text: str
    markdown: bool = False
    updated: datetime | None = None


@frozen(kw_only=True)
class AzureLink:
    """A relation of a work item to another one or to an external address.

    Attributes:
        kind: Azure's own name for it, without what all such names begin with (``Hierarchy-Reverse``
            of a child); ``Hyperlink`` and ``ArtifactLink`` lead elsewhere.
        to: The number of a work item, or an address.
        name: What the link is called (``Pull Request``), or what is said of it.
    """

    kind: Literal[
        "Hierarchy-Reverse",
        "Related",
        "Duplicate-Forward",
        "Duplicate-Reverse",
        "Dependency-Forward",
        "Dependency-Reverse",
        "Hyperlink",
        "ArtifactLink",
    ]
    to: str
    name: str = ""


@frozen(kw_only=True)
class AzureFile:
    """A file that is attached to a work item.

    Attributes:
        id: Its GUID.
        comment: What is said of it.
    """

    id: str
    name: str
    comment: str = ""


@frozen(kw_only=True)
class AzureChange:
    """A line of a work item's history: a field, as it was before and is after."""

    author: str
    at: datetime
    field: str
    before: str = ""
    after: str = ""


@frozen(kw_only=True)
class AzureIteration:
    """A sprint of a project.

    Attributes:
        number: Its number, which is the id by which work items name it.
    """

    project: str
    number: int
    name: str
    starts: date | None = None
    ends: date | None = None


@frozen(kw_only=True)
class AzureWorkItem:
    """A work item.

    Attributes:
        id: Its number, which no other work item of the organization has.
        updated: When it last changed; that of its latest comment when not given.
        markdown: Whether its texts are Markdown.
        iteration: The name of a sprint of its project.
        values: Further fields, by Azure's own names (``Custom.Rollout``).
    """

    id: int
    project: str
    type: str = "User Story"
    title: str
    description: str = ""
    criteria: str = ""
    markdown: bool = False
    author: str
    created: datetime
    updated: datetime | None = None
    state: str = "New"
    assignee: str = ""
    priority: int = 2
    tags: tuple[str, ...] = ()
    iteration: str = ""
    due: date | None = None
    points: float | None = None
    values: Mapping[str, str] = field(factory=dict)
    links: tuple[AzureLink, ...] = ()
    attached: tuple[AzureFile, ...] = ()
    comments: tuple[AzureComment, ...] = ()
    history: tuple[AzureChange, ...] = ()

    @property
    def changed(self) -> datetime:
        """When it last changed."""
        times = (each.updated or each.at for each in self.comments)
        return self.updated or max((self.created, *times))

    @property
    def parent(self) -> str:
        """The number of the work item that it is a part of; empty for none."""
        found = (each.to for each in self.links if each.kind == "Hierarchy-Reverse")
        return next(found, "")
