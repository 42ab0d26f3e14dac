"""Brings two kinds of the same name."""

# mypy: ignore-errors

from rove_core import CommonSettings, SourceKind, hookimpl


@hookimpl
def rove_sources():
    kind = SourceKind(name="twin", title="Twin", settings=CommonSettings, connect=print)
    return [kind, kind]
