"""Status categories of work."""

from typing import Literal, TypeAlias

#: Where work stands, whatever a vendor calls its statuses.
StatusCategory: TypeAlias = Literal["todo", "in_progress", "done", "canceled"]
