"""The operations of this package."""

from rove_core import Operation
from rove_folder.operations.agents import AGENT_OPERATIONS
from rove_folder.operations.folder import FOLDER_OPERATIONS


def operations() -> tuple[Operation, ...]:
    """Return every operation of this package."""
    return (*FOLDER_OPERATIONS, *AGENT_OPERATIONS)
