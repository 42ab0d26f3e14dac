"""Rank code for a question."""
