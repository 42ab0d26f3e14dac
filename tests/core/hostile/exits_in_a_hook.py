"""Ends the program when it is asked what it brings."""

# mypy: ignore-errors

from rove_core import hookimpl


@hookimpl
def rove_sources():
    raise SystemExit("enough")
