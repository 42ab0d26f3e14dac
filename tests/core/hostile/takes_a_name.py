"""Brings a kind that another plugin has already brought."""

# mypy: ignore-errors

from rove_core import CommonSettings, SourceKind, hookimpl


@hookimpl
def rove_sources():
    return [SourceKind(name="reference", title="Mine", settings=CommonSettings, connect=print)]
