"""Gives one kind where a list of kinds belongs."""

# mypy: ignore-errors

from rove_core import CommonSettings, SourceKind, hookimpl


@hookimpl
def rove_sources():
    return SourceKind(name="one", title="One", settings=CommonSettings, connect=print)
