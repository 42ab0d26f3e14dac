"""Sub-issues and project items of an issue, and what mentions it.

A server or a token that does not know one of these refuses the whole question, so each can be left
out. What a token may not read costs only the part that asks for it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import field, frozen

from rove_github.graphql_facts import RelatedIssue, RelatedIssues
from rove_github.graphql_replies import GraphError, Next, RepositoryName

_MOST_BELOW: Final = 100

_NEAR: Final = "number title state repository { nameWithOwner }"
_PLACES: Final = """projectItems(first: 20, includeArchived: false) {
        nodes {
          project { title }
          status: fieldValueByName(name: "Status") {
            ... on ProjectV2ItemFieldSingleSelectValue { name }
          }
        }
      }"""
#: GitHub notes on an issue what mentions it; of these the latest are read.
_MENTIONED: Final = """timelineItems(itemTypes: CROSS_REFERENCED_EVENT, last: 50) {
        nodes {
          ... on CrossReferencedEvent {
            source {
              kind: __typename
              ... on Issue { number repository { nameWithOwner } }
              ... on PullRequest { number repository { nameWithOwner } }
            }
          }
        }
      }"""
#: The parts of the question, by the names under which they are answered.
EXTRAS: Final[Mapping[str, str]] = {
    "family": f"""
    family: issueOrPullRequest(number: $number) {{
      ... on Issue {{
        parent {{ {_NEAR} }}
        subIssues(first: {_MOST_BELOW}) {{ nodes {{ {_NEAR} }} pageInfo {{ hasNextPage }} }}
      }}
    }}""",
    "board": f"""
    board: issueOrPullRequest(number: $number) {{
      ... on Issue {{ {_PLACES} }}
      ... on PullRequest {{ {_PLACES} }}
    }}""",
    "mentions": f"""
    mentions: issueOrPullRequest(number: $number) {{
      ... on Issue {{ {_MENTIONED} }}
      ... on PullRequest {{ {_MENTIONED} }}
    }}""",
    "talk": """
    talk: discussion(number: $number) { number }""",
}
#: Each of them lets a classic token read projects.
PROJECT_SCOPES: Final = ("read:project", "project")
#: How an error tells which part the server does not know.
_SIGNS: Final[Mapping[str, Sequence[str]]] = {
    "family": ("subIssues", "'parent'"),
    "board": ("projectItems", "ProjectV2", "fieldValueByName"),
    "mentions": ("timelineItems", "CrossReferencedEvent", "CROSS_REFERENCED_EVENT"),
    "talk": ("'discussion'",),
}


@frozen(kw_only=True)
class NearIssue:
    """The issue above another one, or one below it."""

    number: int = 0
    title: str = ""
    state: str = ""
    repository: RepositoryName = field(factory=RepositoryName)

    @property
    def issue(self) -> RelatedIssue | None:
        """The same without GitHub's names; None when it may not be seen."""
        if not self.number or not self.repository.nameWithOwner:
            return None
        return RelatedIssue(
            repository=self.repository.nameWithOwner,
            number=self.number,
            title=self.title,
            state=self.state.lower(),
        )


@frozen(kw_only=True)
class NearIssues:
    """A page of these."""

    nodes: tuple[NearIssue | None, ...] = ()
    pageInfo: Next = field(factory=Next)  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class Family:
    """The issues above and below an issue."""

    parent: NearIssue | None = None
    subIssues: NearIssues = NearIssues()  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class ProjectName:
    """The name or the title of something."""

    name: str = ""
    title: str = ""


@frozen(kw_only=True)
class ProjectItem:
    """A place in a project."""

    project: ProjectName | None = None
    status: ProjectName | None = None


@frozen(kw_only=True)
class ProjectItems:
    """All of an issue's places."""

    nodes: tuple[ProjectItem | None, ...] = ()


@frozen(kw_only=True)
class ProjectBoard:
    """An issue as its projects see it."""

    projectItems: ProjectItems = ProjectItems()  # noqa: N815  # GitHub's own name


@frozen(kw_only=True)
class MentioningItem:
    """An issue or a pull request that mentions another one."""

    kind: str = ""
    number: int = 0
    repository: RepositoryName = field(factory=RepositoryName)


@frozen(kw_only=True)
class CrossReference:
    """A note on an item that another one mentions it."""

    source: MentioningItem | None = None


@frozen(kw_only=True)
class CrossReferences:
    """All of these that were asked for."""

    nodes: tuple[CrossReference | None, ...] = ()


@frozen(kw_only=True)
class Mentions:
    """What GitHub notes on an item."""

    timelineItems: CrossReferences = CrossReferences()  # noqa: N815  # GitHub's own name


def add_mentions(around: RelatedIssues, mentions: Mentions | None) -> None:
    """Add what mentions an item; what may not be seen has no number."""
    for each in mentions.timelineItems.nodes if mentions else ():
        if each and each.source and each.source.number and each.source.repository.nameWithOwner:
            place = each.source.repository.nameWithOwner, each.source.number
            around.mentioned_by[place] = "pr" if each.source.kind == "PullRequest" else "issue"


def refused_extras(errors: Iterable[GraphError], extras: frozenset[str]) -> frozenset[str]:
    """Return the parts that caused the refusal of a query; none if unknown."""
    refused: set[str] = set()
    for error in errors:
        if error.type == "INSUFFICIENT_SCOPES":
            refused.add("board")
        refused |= {
            name for name, signs in _SIGNS.items() if any(s in error.message for s in signs)
        }
    return extras & refused


def with_extras(
    around: RelatedIssues, family: Family | None, board: ProjectBoard | None, gaps: dict[str, str]
) -> RelatedIssues:
    """Return the related items of an issue: parent, sub-issues and project items.

    Args:
        around: What else is around it.
        family: Its parent and its sub-issues.
        board: Its places in projects.
        gaps: Where it is noted that there are more sub-issues.
    """
    if family:
        around.parents.extend(_visible_issues([family.parent]))
        around.children.extend(_visible_issues(family.subIssues.nodes))
        if family.subIssues.pageInfo.hasNextPage:
            gaps["sub-issues"] = f"cut after the first {_MOST_BELOW}"
    for item in board.projectItems.nodes if board else ():
        if item and item.project and item.project.title:
            status = item.status.name if item.status else ""
            around.projects.setdefault(item.project.title, status)
    return around


def _visible_issues(issues: Iterable[NearIssue | None]) -> Iterator[RelatedIssue]:
    return (issue for each in issues if each and (issue := each.issue))
