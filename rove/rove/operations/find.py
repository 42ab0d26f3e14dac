"""Find the document of a ticket."""

from rove_core.operations import Operation
from rove_core.project.find import find

FIND = Operation(find, offline=True, show=lambda document: str(document.path))
