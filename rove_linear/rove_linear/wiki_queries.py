"""GraphQL queries for documents, projects and initiatives."""

import re
from collections.abc import Mapping
from typing import Final

from rove_linear.queries import ISSUES_SAYING, PAGE, SEARCH, SEARCH_HEAD

_LINK: Final = "slugId url"
_TOLD: Final[Mapping[str, str]] = {
    "document": f"""
    slugId title content url createdAt updatedAt creator {{ name }}
    project {{ {_LINK} name }} initiative {{ {_LINK} name }} issue {{ identifier url }}
""",
    "project": """
    slugId name description content url createdAt updatedAt targetDate
    creator { name } lead { name } projectStatus: status { name type }
""",
    "initiative": """
    slugId name description content url createdAt updatedAt targetDate
    owner { name } initiativeStatus: status
""",
}
_HITS: Final[Mapping[str, str]] = {
    "document": _TOLD["document"],
    "project": _TOLD["project"].replace("targetDate", ""),
    "initiative": _TOLD["initiative"],
}
_UPDATE: Final = "id body health url createdAt updatedAt user { name }"
_HANGING: Final[Mapping[str, str]] = {
    "document": f"""
    comments(first: $first, includeArchived: true) {{
      nodes {{
        id parentId body url createdAt updatedAt
        user {{ name }} externalUser {{ name }} botActor {{ name }}
      }}
      {PAGE}
    }}
""",
    "project": f"""
    updates: projectUpdates(first: $first) {{ nodes {{ {_UPDATE} }} {PAGE} }}
    documents(first: 25) {{ nodes {{ {_LINK} title }} {PAGE} }}
    initiatives(first: 25) {{ nodes {{ {_LINK} name }} {PAGE} }}
""",
    "initiative": f"""
    updates: initiativeUpdates(first: $first) {{ nodes {{ {_UPDATE} }} {PAGE} }}
    documents(first: 25) {{ nodes {{ {_LINK} title }} {PAGE} }}
    projects(first: 25) {{ nodes {{ {_LINK} name }} {PAGE} }}
""",
}

_PAGES_SAYING: Final = f"""
  documents: searchDocuments(
    term: $term, first: 10, includeComments: true, includeArchived: true
  ) {{ nodes {{ {_HITS["document"]} }} }}
  projects: searchProjects(
    term: $term, first: 5, includeComments: true, includeArchived: true
  ) {{ nodes {{ {_HITS["project"]} }} }}
  initiatives(
    first: 5, includeArchived: true, filter: {{ name: {{ containsIgnoreCase: $term }} }}
  ) {{ nodes {{ {_HITS["initiative"]} }} }}
"""
#: The search of issues, which finds the others as well: each counts for itself.
SEARCH_ALL: Final = SEARCH.rstrip().removesuffix("}") + _PAGES_SAYING.removeprefix("\n") + "}\n"
#: The lists of a search by the names that a query gives them.
LISTS: Final = ("searchIssues", "documents", "projects", "initiatives")
_LIST: Final = re.compile(r"^  (?:(\w+): )?(\w+)\(", re.MULTILINE)


def search_several(count: int, *, pages: bool) -> str:
    """Return the search for several terms: ``$term0`` and so on, whose lists end with the number.

    Args:
        count: The number of terms.
        pages: Whether to search more than issues.
    """
    terms = "".join(f"$term{number}: String!, " for number in range(count))
    part = ISSUES_SAYING + (_PAGES_SAYING if pages else "")
    parts = (_numbered(part, number) for number in range(count))
    return f"query Search({terms}{SEARCH_HEAD}) {{{''.join(parts)}}}"


def _numbered(part: str, number: int) -> str:
    """Return a part of a query with a number behind the names of its lists and of its term."""
    names = _LIST.sub(lambda found: f"  {found[1] or found[2]}{number}: {found[2]}(", part)
    return names.replace("$term", f"$term{number}")


def around(*, documents: int) -> str:
    """Return the part of an issue query for its documents and project."""
    return f"""
    documents(first: {documents}, includeArchived: true) {{ nodes {{ {_LINK} title }} {PAGE} }}
    projectPage: project {{ {_LINK} name description lastUpdate {{ id }} }}
"""


def page(kind: str) -> str:
    """Return the question for a document, a project or an initiative."""
    return f"""
query Page($id: String!, $first: Int!) {{
  page: {kind}(id: $id) {{ {_TOLD[kind]} {_HANGING[kind]} }}
}}
"""
