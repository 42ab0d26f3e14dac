"""Wants what the hook does not have."""

# mypy: ignore-errors

from rove_core import hookimpl


@hookimpl
def rove_sources(project):
    return []
