"""What Rove asks Linear, in GraphQL; every list with how much of it, and where to go on."""

from collections.abc import Collection, Mapping
from typing import Final

_PAGE: Final = "pageInfo { hasNextPage endCursor }"

_FACTS: Final = """
    id identifier title url description createdAt updatedAt archivedAt
    branchName dueDate priorityLabel previousIdentifiers
    creator { name } externalUserCreator { name } botActor { name }
    assignee { name } state { name type } project { name } cycle { number name }
"""
_LABELS: Final = "labels(first: 20) { nodes { name } }"

#: The lists of an issue, and what is asked of each thing in them. Archived things too: what was
#: decided last year is what nobody remembers.
_LISTS: Final[Mapping[str, str]] = {
    "attachments": "title subtitle url",
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
    "labels": "name",
    "relations": "type relatedIssue { identifier url }",
}

WHO: Final = f"""
query Who($first: Int!, $after: String) {{
  viewer {{ id name organization {{ name urlKey }} }}
  teams(first: $first, after: $after, includeArchived: true) {{ nodes {{ key }} {_PAGE} }}
}}
"""

TEAMS: Final = f"""
query Teams($first: Int!, $after: String) {{
  teams(first: $first, after: $after, includeArchived: true) {{ nodes {{ key name }} {_PAGE} }}
}}
"""

#: By words, which Linear ranks; it lets one ask this 30 times a minute.
SEARCH: Final = f"""
query Search($term: String!, $first: Int!, $after: String, $filter: IssueFilter) {{
  searchIssues(
    term: $term, first: $first, after: $after, filter: $filter,
    includeComments: true, includeArchived: true
  ) {{
    nodes {{ {_FACTS} {_LABELS} }}
    {_PAGE}
  }}
}}
"""

#: By what a filter can say, newest first.
FILTER: Final = f"""
query Filter($first: Int!, $after: String, $filter: IssueFilter) {{
  issues(
    first: $first, after: $after, filter: $filter, includeArchived: true, orderBy: updatedAt
  ) {{
    nodes {{ {_FACTS} {_LABELS} }}
    {_PAGE}
  }}
}}
"""

#: The same, as a listing asks for it: the beginning of each list, archived and deleted things too.
_BEGINNINGS: Final = "\n".join(
    f"{name}(first: 15, includeArchived: true) {{ nodes {{ {nodes} }} {_PAGE} }}"
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
LIST: Final = _ISSUES.format(f"{_FACTS} parent {{ identifier url }} {_BEGINNINGS}", _PAGE)
#: What all issues are called, in few requests.
NAMES: Final = _ISSUES.format("", _PAGE)


def issue(lists: Collection[str] = ()) -> str:
    """Return the question for an issue, or for the next page of some of its lists.

    Args:
        lists: Which lists go on, each after the cursor in the variable of its name; without any
            the facts are asked for too, and the first page of all lists.
    """
    wanted = sorted(lists or _LISTS)
    variables = " ".join(f"${name}: String" for name in lists)
    pages = "\n".join(_list(name, f", after: ${name}" if lists else "") for name in wanted)
    return f"""
query Issue($id: String!, $first: Int! {variables}) {{
  issue(id: $id) {{
    {"id" if lists else f"{_FACTS} parent {{ identifier url }}"}
    {pages}
  }}
}}
"""


def _list(name: str, after: str) -> str:
    nodes = f"nodes {{ {_LISTS[name]} }}"
    return f"{name}(first: $first{after}, includeArchived: true) {{ {nodes} {_PAGE} }}"
