"""Raises when it is imported."""

# mypy: ignore-errors

raise RuntimeError("no luck\ntoday")
