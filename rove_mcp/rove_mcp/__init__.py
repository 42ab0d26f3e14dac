"""MCP for Rove: a server for agents."""

from typing import TYPE_CHECKING

from rove_core import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_core import Operation

__all__ = ["rove_api", "rove_operations"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_operations() -> "Sequence[Operation]":
    """Bring ``rove mcp serve``."""
    from rove_mcp.serve import SERVE  # noqa: PLC0415  # a source alone needs none

    return [SERVE]
