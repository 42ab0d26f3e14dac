"""GraphQL queries for Linear; every list with its size and cursor."""

from collections.abc import Collection, Mapping
from typing import Final

PAGE: Final = "pageInfo { hasNextPage endCursor }"

_FACTS: Final = """
    id identifier title url description createdAt updatedAt archivedAt
    branchName dueDate priorityLabel previousIdentifiers
    creator { name } externalUserCreator { name } botActor { name }
    assignee { id name } state { id name type } project { name } cycle { id number name }
"""
#: What one changes of an issue, beside what one quotes of it.
WORK: Final = f"""
    {_FACTS} trashed priority estimate parent {{ identifier url }}
    team {{ id key issueEstimationType cyclesEnabled }}
"""
_LABELS: Final = "labels(first: 20) { nodes { name } }"

#: The lists of an issue, and what is asked of each thing in them. Archived things too: what was
#: decided last year is what nobody remembers.
_LISTS: Final[Mapping[str, str]] = {
    "attachments": "id title subtitle url",
    "children": "identifier url",
    "comments": """
        id parentId body url createdAt updatedAt
        user { name } externalUser { name } botActor { name }
    """,
    "history": """
        createdAt actor { name } botActor { name }
        fromState { name } toState { name }
        fromAssignee { name } toAssignee { name }
        fromPriority toPriority
    """,
    "inverseRelations": "type issue { identifier url }",
    "labels": "id name",
    "relations": "type relatedIssue { identifier url }",
}
#: As above, of the team that an issue is of.
_OF_TEAM: Final = {"states": "id name type position"}

WHO: Final = f"""
query Who($first: Int!, $after: String) {{
  viewer {{ id name organization {{ name urlKey }} }}
  teams(first: $first, after: $after, includeArchived: true) {{ nodes {{ key }} {PAGE} }}
}}
"""

TEAMS: Final = f"""
query Teams($first: Int!, $after: String) {{
  teams(first: $first, after: $after, includeArchived: true) {{
    nodes {{ key name visibility }} {PAGE}
  }}
}}
"""

#: By words, which Linear ranks; it lets one ask this 30 times a minute.
SEARCH_HEAD: Final = "$first: Int!, $after: String, $filter: IssueFilter"
ISSUES_SAYING: Final = f"""
  searchIssues(
    term: $term, first: $first, after: $after, filter: $filter,
    includeComments: true, includeArchived: true
  ) {{
    nodes {{ {_FACTS} {_LABELS} }}
    {PAGE}
  }}
"""
SEARCH: Final = f"\nquery Search($term: String!, {SEARCH_HEAD}) {{{ISSUES_SAYING}}}\n"

#: By what a filter can say, newest first.
FILTER: Final = f"""
query Filter($first: Int!, $after: String, $filter: IssueFilter) {{
  issues(
    first: $first, after: $after, filter: $filter, includeArchived: true, orderBy: updatedAt
  ) {{
    nodes {{ {_FACTS} {_LABELS} }}
    {PAGE}
  }}
}}
"""

#: The same, as a listing asks for it: the beginning of each list, archived and deleted things too.
_BEGINNINGS: Final = "\n".join(
    f"{name}(first: 15, includeArchived: true) {{ nodes {{ {nodes} }} {PAGE} }}"
    for name, nodes in _LISTS.items()
)
_ISSUES: Final = """
query List($first: Int!, $after: String, $filter: IssueFilter) {{
  issues(
    first: $first, after: $after, filter: $filter, includeArchived: true, orderBy: updatedAt
  ) {{
    nodes {{ identifier trashed {} }}
    {}
  }}
}}
"""
#: What all issues are called, in few requests.
NAMES: Final = _ISSUES.format("", PAGE)


def issues(around: str = "") -> str:
    """Return the question for whole issues, as a listing asks for them.

    Args:
        around: What is asked for besides, of each.
    """
    return _ISSUES.format(f"{WORK} {_BEGINNINGS} {around}", PAGE)


def issue(
    after: Collection[str] = (), *, lists: Collection[str] = tuple(_LISTS), around: str = ""
) -> str:
    """Return the question for an issue, or for the next page of some of its lists.

    Args:
        after: Which lists go on, each after the cursor in the variable of its name; without any
            the facts are asked for too.
        lists: The lists of which the first page is asked for, with the facts: those of the issue,
            or the ``states`` of its team.
        around: What is asked for besides.
    """
    names = sorted(after or lists)
    variables = " ".join(f"${name}: String" for name in after)
    pages = "\n".join(_list(name, f", after: ${name}" if after else "") for name in names)
    size = "$first: Int!" if names else ""
    return f"""
query Issue($id: String! {size} {variables}) {{
  issue(id: $id) {{
    {"id" if after else WORK}
    {pages}
    {around}
  }}
}}
"""


def _list(name: str, after: str) -> str:
    if name in _OF_TEAM:
        # Nobody can give an issue what is archived.
        nodes = f"nodes {{ {_OF_TEAM[name]} }}"
        return f"team {{ {name}(first: $first{after}) {{ {nodes} {PAGE} }} }}"
    nodes = f"nodes {{ {_LISTS[name]} }}"
    return f"{name}(first: $first{after}, includeArchived: true) {{ {nodes} {PAGE} }}"
