"""Memories: decisions, findings and lessons, with all their versions."""
