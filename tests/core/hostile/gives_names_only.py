"""Gives a list of the wrong things."""

# mypy: ignore-errors

from rove_core import hookimpl


@hookimpl
def rove_sources():
    return ["jira"]
