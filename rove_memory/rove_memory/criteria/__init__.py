"""Acceptance criteria: parsed from tickets, and tracked across edits."""
