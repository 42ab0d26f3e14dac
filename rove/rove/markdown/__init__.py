"""The Markdown of documents, taken apart to be shown: on a terminal and as a page."""

from rove.markdown.blocks import (
    Block,
    CodeBlock,
    Heading,
    ListBlock,
    Markdown,
    Paragraph,
    Quote,
    Rule,
    Table,
    parse,
)
from rove.markdown.inline import Link, Span, plain, spans

__all__ = [
    "Block",
    "CodeBlock",
    "Heading",
    "Link",
    "ListBlock",
    "Markdown",
    "Paragraph",
    "Quote",
    "Rule",
    "Span",
    "Table",
    "parse",
    "plain",
    "spans",
]
