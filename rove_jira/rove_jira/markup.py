"""Markup of Cloud (ADF) and Data Center (wiki), and how each names people and new tickets.

ADF is converted by ``rove_core.markup.adf``, wiki markup by ``rove_core.markup.wiki``.
"""

from typing import Final

from attrs import frozen

from rove_core import (
    JSON,
    adf_to_markdown,
    find_hidden_mark,
    markdown_to_adf,
    markdown_to_wiki,
    wiki_to_markdown,
    without_hidden_marks,
)
from rove_core.json_reader import elements, leaves, text


@frozen
class Dialect:
    """How one of the two writes.

    Attributes:
        person: The field of a person by which others name them.
        types: The list of types in a page of them.
        is_markup: Whether texts are wiki markup, not document trees. A new ticket's key is then a
            hidden mark in its description: Data Center's search does not bring properties.
    """

    person: str
    types: str
    is_markup: bool

    def document(self, markdown: str, mark: str = "") -> JSON:
        """Return Markdown in the site's format, with a hidden mark; None for empty text.

        Args:
            markdown: The text.
            mark: A hidden mark.
        """
        if self.is_markup:
            return f"{markdown_to_wiki(markdown)}{mark}" or None
        if not mark:
            return markdown_to_adf(markdown) if markdown else None
        blocks = [*elements(markdown_to_adf(markdown), "content")]
        is_text = bool(blocks) and text(blocks[-1], "type") == "paragraph"
        last = elements(blocks.pop(), "content") if is_text else ()
        inside: list[JSON] = [*last, {"type": "text", "text": mark}]
        end: JSON = {"type": "paragraph", "content": inside}
        return {"type": "doc", "version": 1, "content": [*blocks, end]}

    def mark(self, document: JSON) -> str:
        """Return the hidden mark of a text; empty if it has none."""
        return find_hidden_mark("".join(words for _, words in leaves(document)))

    def raw(self, document: JSON) -> str:
        """Return a text as Markdown, with its mark at the end."""
        if isinstance(document, str):
            words = wiki_to_markdown(without_hidden_marks(document))
        else:
            words = without_hidden_marks(adf_to_markdown(document))
        return f"{words.strip()}{self.mark(document)}"


CLOUD: Final = Dialect(person="accountId", types="issueTypes", is_markup=False)
SERVER: Final = Dialect(person="name", types="values", is_markup=True)
