"""Replies about documents, projects and initiatives, with Linear's names."""

# ruff: noqa: N815

from datetime import datetime

from attrs import field, frozen

from rove_linear.replies import (
    Comments,
    LinkedIssueNode,
    NamedNode,
    PageInfo,
    StateNode,
    WikiLinkNode,
    WikiLinks,
)


@frozen(kw_only=True)
class StatusUpdateNode:
    """A status update on a project or initiative."""

    id: str = ""
    body: str = ""
    health: str = ""
    url: str = ""
    createdAt: datetime | None = None
    updatedAt: datetime | None = None
    user: NamedNode | None = None


@frozen(kw_only=True)
class StatusUpdates:
    """One page of these."""

    nodes: tuple[StatusUpdateNode | None, ...] = ()
    pageInfo: PageInfo = field(factory=PageInfo)


@frozen(kw_only=True)
class WikiNode(WikiLinkNode):
    """A document, a project or an initiative."""

    description: str = ""
    content: str = ""
    createdAt: datetime | None = None
    updatedAt: datetime | None = None
    targetDate: str = ""
    creator: NamedNode | None = None
    lead: NamedNode | None = None
    owner: NamedNode | None = None
    projectStatus: StateNode | None = None
    initiativeStatus: str = ""
    issue: LinkedIssueNode | None = None
    project: WikiLinkNode | None = None
    initiative: WikiLinkNode | None = None
    comments: Comments = field(factory=Comments)
    updates: StatusUpdates = field(factory=StatusUpdates)
    documents: WikiLinks = field(factory=WikiLinks)
    projects: WikiLinks = field(factory=WikiLinks)
    initiatives: WikiLinks = field(factory=WikiLinks)


@frozen(kw_only=True)
class WikiHits:
    """A page of search results."""

    nodes: tuple[WikiNode | None, ...] = ()


@frozen(kw_only=True)
class WikiSearchData:
    """The data of a search beside its issues."""

    documents: WikiHits = field(factory=WikiHits)
    projects: WikiHits = field(factory=WikiHits)
    initiatives: WikiHits = field(factory=WikiHits)


@frozen(kw_only=True)
class WikiSearchReply:
    """The reply to a search, beside its issues."""

    data: WikiSearchData = field(factory=WikiSearchData)


@frozen(kw_only=True)
class WikiData:
    """The data of one document, project or initiative."""

    page: WikiNode | None = None


@frozen(kw_only=True)
class OneWikiPage:
    """The reply to the question for one of them."""

    data: WikiData = field(factory=WikiData)
