"""HTTP to the vendors: deadlines, limits, retries and credentials are kept here, once for all."""

from rove_core.http.client import Fault, Http, status_fault
from rove_core.http.reply import Reply

__all__ = ["Fault", "Http", "Reply", "status_fault"]
