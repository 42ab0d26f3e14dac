"""Ends the program when it is imported."""

# mypy: ignore-errors

import sys

sys.exit(3)
