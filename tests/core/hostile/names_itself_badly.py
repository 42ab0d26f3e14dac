"""Its kind has a name that nobody could type."""

# mypy: ignore-errors

from rove_core import CommonSettings, SourceKind, hookimpl


@hookimpl
def rove_sources():
    return [SourceKind(name="My Wiki", title="Wiki", settings=CommonSettings, connect=print)]
