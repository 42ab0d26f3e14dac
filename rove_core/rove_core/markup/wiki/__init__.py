"""Jira's wiki markup as Markdown, and Markdown as wiki markup: every word of it."""

from rove_core.markup.wiki.from_markdown import markdown_to_wiki
from rove_core.markup.wiki.reader import wiki_to_markdown

__all__ = ["markdown_to_wiki", "wiki_to_markdown"]
