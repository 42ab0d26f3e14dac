"""Acceptance criteria: found in what people wrote, and kept across its edits."""
