"""Summaries of files: one line of at most 500 characters each."""
