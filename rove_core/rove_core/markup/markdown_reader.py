"""Parse Markdown that is converted to a vendor's markup."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@lru_cache(maxsize=1)
def markdown_parser() -> "MarkdownIt":
    """Return the parser: GitHub's tables and strikethrough, and HTML as text like any other."""
    from markdown_it import MarkdownIt  # noqa: PLC0415  # only who writes to a vendor needs it

    # With its own limit it would leave out what is nested deeper, without a word.
    options = {"html": False, "xhtmlOut": True, "maxNesting": 1_000_000}
    return MarkdownIt("commonmark", options).enable(["table", "strikethrough"])


def markdown_to_html(text: str) -> str:
    """Return a text in Markdown as HTML that is well-formed XML, too.

    What is nested deeper than a program can follow becomes one paragraph.

    Args:
        text: The text; raw HTML in it is text like any other.
    """
    from html import escape  # noqa: PLC0415  # as above

    try:
        return str(markdown_parser().render(text))
    except RecursionError:
        return f"<p>{escape(text)}</p>\n"
