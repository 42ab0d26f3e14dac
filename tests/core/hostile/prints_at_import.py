"""Writes where results belong."""

# mypy: ignore-errors

print("Welcome to my plugin!")
