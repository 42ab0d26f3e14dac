"""Whatever people write in Linear is read in the item and in the document as Linear shows it."""

import re
from collections.abc import Sequence

from tests.literal_text import assert_verbatim, leaves, one_of, tried

from rove_core import escape_markdown
from rove_linear.items import LinearItems
from rove_linear.references import LinearReferences
from rove_linear.replies import AttachmentNode, Attachments, IssueNode

ISSUES = LinearItems(LinearReferences("linear"))
#: The backslash before what looks like a tag, of which Linear itself writes none.
_LIKE_A_TAG = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=<)")


def _content(issue: IssueNode) -> str:
    return ISSUES.item([issue]).content


@tried(
    [{"said": ["Ƣ0ƣ\\<Button disabled>"], "escapes": False}],
    said=leaves(),
    escapes=one_of((True, False)),
)
def test_markdown(said: Sequence[str], escapes: bool) -> None:  # noqa: FBT001  # it is drawn
    """Linear knows no HTML: what looks like a tag is text, escaped or not."""
    markdown = "\n\n".join(map(escape_markdown, said))
    written = markdown if escapes else _LIKE_A_TAG.sub(r"\1", markdown)

    assert_verbatim(_content(IssueNode(identifier="TB-1", description=written)), said)


@tried([{"said": ["[Ƣ0ƣ]"]}, {"said": ["[a](b)Ƣ0ƣ[^1]"]}], said=leaves())
def test_titles_of_what_is_attached(said: Sequence[str]) -> None:
    """They are plain text."""
    nodes = tuple(AttachmentNode(title=words, url="https://a.example") for words in said)

    assert_verbatim(
        _content(IssueNode(identifier="TB-1", attachments=Attachments(nodes=nodes))), said
    )
