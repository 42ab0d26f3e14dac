"""What agents call, under the names and with the answers of the published design."""

from typing import Final

from rove_core import Operation

AGENT_OPERATIONS: Final[tuple[Operation, ...]] = ()
