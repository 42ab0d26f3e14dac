"""All operations of this package."""

from collections.abc import Sequence

from rove_core import Operation
from rove_memory.plans.graph_operations import GRAPH_OPERATIONS
from rove_memory.plans.operations import PLAN_OPERATIONS


def operations() -> Sequence[Operation]:
    """Return what this package can do, by the names that agents know."""
    return (*PLAN_OPERATIONS, *GRAPH_OPERATIONS)
