"""Current, last and next tasks of a project."""

from rove.operations.status_view import show_status
from rove_core.operations import Operation
from rove_core.project.status import status

STATUS = Operation(status, offline=True, show=show_status)
