"""Mirrors: local, searchable copies of the relevant parts of accounts."""
