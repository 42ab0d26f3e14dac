"""Parse the Markdown of documents, for the terminal and for HTML pages."""

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
