"""Convert Jira's wiki markup to Markdown and back, without losing a word."""

from rove_core.markup.wiki.from_markdown import markdown_to_wiki
from rove_core.markup.wiki.reader import wiki_to_markdown

__all__ = ["markdown_to_wiki", "wiki_to_markdown"]
