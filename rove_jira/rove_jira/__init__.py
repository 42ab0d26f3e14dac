"""Jira as a source for Rove."""
