"""Whatever people write in Azure DevOps is read in the item and in the document."""

from collections.abc import Sequence
from html import escape

from tests.literal_text import assert_verbatim, leaves, one_of, tried

from rove_azure.items import AzureItems, WorkItemParts
from rove_azure.references import AzureReferences
from rove_azure.replies import (
    ItemCommentReply,
    RelationAttributes,
    RelationReply,
    WorkItemReply,
)
from rove_core import escape_markdown

ITEMS = AzureItems(AzureReferences("azure", "https://dev.azure.com/acme"))
FIELDS = (
    "System.Description",
    "Microsoft.VSTS.Common.AcceptanceCriteria",
    "Microsoft.VSTS.TCM.ReproSteps",
    "Custom.RolloutPlan",
)


@tried(said=leaves(), field=one_of(FIELDS), is_markdown=one_of((True, False)))
def test_long_texts(said: Sequence[str], field: str, is_markdown: bool) -> None:  # noqa: FBT001  # it is drawn
    """As HTML, which Azure's editor writes, and as Markdown."""
    html = "".join(f"<div>{escape(words)}</div>" for words in said)
    markdown = "\n\n".join(map(escape_markdown, said))
    reply = WorkItemReply(
        id=1,
        fields={field: markdown if is_markdown else html},
        multilineFieldsFormat={field: "markdown" if is_markdown else "html"},
    )

    assert_verbatim(ITEMS.item(reply, None).content, said)


@tried(said=leaves())
def test_comments(said: Sequence[str]) -> None:
    """The paragraphs of one comment."""
    html = "".join(f"<p>{escape(words)}</p>" for words in said)
    comment = ItemCommentReply(id=1, text=html, format="html")
    (read,) = ITEMS.item(WorkItemReply(id=1), None, WorkItemParts([comment])).thread

    assert_verbatim(read.content, said)


@tried(said=leaves())
def test_names_of_what_is_linked(said: Sequence[str]) -> None:
    """They are plain text."""
    relations = tuple(
        RelationReply(
            rel="Hyperlink", url="https://a.example", attributes=RelationAttributes(comment=words)
        )
        for words in said
    )
    reply = WorkItemReply(id=1, relations=relations)

    assert_verbatim(ITEMS.item(reply, None).content, said)
