"""Has on the package what belongs on a source."""

# mypy: ignore-errors

from rove_core import hookimpl


@hookimpl
async def rove_identity():
    return None
