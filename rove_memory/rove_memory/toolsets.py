"""Names of toolsets that several modules' operations belong to."""

from typing import Final

#: Operations on tickets, sprints and the sync.
TICKETS: Final = "tickets"
#: Operations on acceptance criteria.
CRITERIA: Final = "criteria"
