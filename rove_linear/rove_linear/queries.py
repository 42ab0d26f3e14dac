"""What Rove asks Linear, in GraphQL."""

from typing import Final

_FACTS: Final = """
    identifier title url description createdAt updatedAt
    creator { name } externalUserCreator { name } botActor { name }
    state { name }
    labels(first: 50) { nodes { name } }
"""

WHO: Final = """
query Who {
  viewer { id name organization { name urlKey } }
  teams(first: 250) { nodes { key } }
}
"""

#: Archived issues too: what was decided last year is what nobody remembers.
SEARCH: Final = f"""
query Search($term: String!, $first: Int!, $filter: IssueFilter) {{
  searchIssues(
    term: $term, first: $first, filter: $filter, includeComments: true, includeArchived: true
  ) {{
    nodes {{ {_FACTS} }}
  }}
}}
"""

ISSUE: Final = f"""
query Issue($id: String!) {{
  issue(id: $id) {{
    {_FACTS}
    parent {{ identifier url }}
    children(first: 50) {{ nodes {{ identifier url }} }}
    attachments(first: 50) {{ nodes {{ title url }} }}
    comments(first: 100) {{
      nodes {{
        id body url createdAt updatedAt
        user {{ name }} externalUser {{ name }} botActor {{ name }}
      }}
    }}
  }}
}}
"""
