"""GraphQL queries for documents, projects and initiatives."""

from collections.abc import Mapping
from typing import Final

from rove_linear.queries import PAGE, SEARCH

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

#: The search of issues, which finds the others as well: each counts for itself.
SEARCH_ALL: Final = (
    SEARCH.rstrip().removesuffix("}")
    + f"""
  documents: searchDocuments(
    term: $term, first: 10, includeComments: true, includeArchived: true
  ) {{ nodes {{ {_HITS["document"]} }} }}
  projects: searchProjects(
    term: $term, first: 5, includeComments: true, includeArchived: true
  ) {{ nodes {{ {_HITS["project"]} }} }}
  initiatives(
    first: 5, includeArchived: true, filter: {{ name: {{ containsIgnoreCase: $term }} }}
  ) {{ nodes {{ {_HITS["initiative"]} }} }}
}}
"""
)


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
