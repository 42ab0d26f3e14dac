"""The Markdown of documents, taken apart to be shown: on a terminal and as a page."""

from rove.markdown.blocks import (
    Block,
    BlockQuote,
    CodeBlock,
    Heading,
    HorizontalRule,
    ListBlock,
    Markdown,
    MarkdownTable,
    Paragraph,
    parse,
)
from rove.markdown.inline import MarkdownLink, StyledText, plain, spans

__all__ = [
    "Block",
    "BlockQuote",
    "CodeBlock",
    "Heading",
    "HorizontalRule",
    "ListBlock",
    "Markdown",
    "MarkdownLink",
    "MarkdownTable",
    "Paragraph",
    "StyledText",
    "parse",
    "plain",
    "spans",
]
