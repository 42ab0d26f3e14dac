"""Convert Atlassian document trees to Markdown and back, without losing a word."""

from collections.abc import Mapping

from rove_core.markup.adf.blocks import AdfBlocks
from rove_core.markup.adf.from_markdown import markdown_to_adf
from rove_core.markup.adf.inline import AdfInline
from rove_core.markup.adf.nodes import nodes
from rove_core.wire.json_types import JSON

__all__ = ["adf_to_markdown", "markdown_to_adf"]

_NOBODY: Mapping[str, str] = {}


def adf_to_markdown(
    document: JSON, *, people: Mapping[str, str] = _NOBODY, files: Mapping[str, str] = _NOBODY
) -> str:
    """Return a document as Markdown, whatever its nodes are.

    Args:
        document: The tree, or a plain text as older fields hold it.
        people: The names of who may be mentioned, by their account ids.
        files: The names of attached files, by their ids.
    """
    return "\n\n".join(AdfBlocks(AdfInline(people, files)).flow(nodes(document)))
