"""GraphQL mutations for Linear, and the queries they need."""

from typing import Final

from rove_linear.queries import PAGE, WORK

_LABELS: Final = f"labels(first: $first, includeArchived: true) {{ nodes {{ id name }} {PAGE} }}"
_ISSUE: Final = f"issue {{ {WORK} {_LABELS} }}"
_COMMENT: Final = "comment { id body url }"

UPDATE: Final = f"""
mutation Update($id: String!, $input: IssueUpdateInput!, $first: Int!) {{
  issueUpdate(id: $id, input: $input) {{ success {_ISSUE} }}
}}
"""

CREATE: Final = f"""
mutation Create($input: IssueCreateInput!, $first: Int!) {{
  issueCreate(input: $input) {{ success {_ISSUE} }}
}}
"""

COMMENT: Final = f"""
mutation Comment($input: CommentCreateInput!) {{
  commentCreate(input: $input) {{ success {_COMMENT} }}
}}
"""

EDIT: Final = """
mutation Edit($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success }
}
"""

UPLOAD: Final = """
mutation Upload($contentType: String!, $filename: String!, $size: Int!) {
  fileUpload(contentType: $contentType, filename: $filename, size: $size) {
    success uploadFile { assetUrl uploadUrl headers { key value } }
  }
}
"""

ATTACH: Final = """
mutation Attach($input: AttachmentCreateInput!) {
  attachmentCreate(input: $input) { success attachment { id url } }
}
"""

SAID: Final = f"""
query Said($id: String!) {{ {_COMMENT.replace("comment", "comment(id: $id)", 1)} }}
"""

#: A team, and the workspace that it is in.
TEAM: Final = f"""
query Team($key: String!, $first: Int!) {{
  organization {{ id }}
  teams(first: $first, filter: {{ key: {{ eq: $key }} }}) {{ nodes {{ id key }} {PAGE} }}
}}
"""

#: The labels that an issue of a team can have.
LABELS: Final = f"""
query Labels($team: ID!, $first: Int!, $after: String) {{
  issueLabels(first: $first, after: $after, filter: {{
    isGroup: {{ eq: false }}
    or: [{{ team: {{ null: true }} }}, {{ team: {{ id: {{ eq: $team }} }} }}]
  }}) {{ nodes {{ id name }} {PAGE} }}
}}
"""

CYCLES: Final = f"""
query Cycles($key: String!, $first: Int!, $after: String) {{
  teams(first: 1, filter: {{ key: {{ eq: $key }} }}) {{ nodes {{ key
    cycles(first: $first, after: $after) {{
      nodes {{ id number name description startsAt endsAt isActive isPast }} {PAGE}
    }}
  }} }}
}}
"""
