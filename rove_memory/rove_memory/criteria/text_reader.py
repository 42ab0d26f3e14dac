"""Read the criteria of a ticket as soon as it is known, where the settings say so."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite3 import Connection

    from rove_core import Settings
    from rove_memory.store import ProjectStore
    from rove_memory.tickets.table import TicketInfo


def read_automatically(
    db: "Connection", store: "ProjectStore", ticket: "TicketInfo", settings: "Settings"
) -> None:
    """Bring the criteria of a ticket in line with its text, if the settings say so.

    A ticket of which no text is known keeps what it has.
    """
    if not ticket.description.strip():
        return
    from rove_memory.criteria_settings import CRITERIA  # noqa: PLC0415  # only a text needs it

    own = settings.section(CRITERIA)
    if not own.auto_parse:
        return
    from rove_memory.criteria.parsing import update_criteria  # noqa: PLC0415  # only a text needs it
    from rove_memory.criteria.table import CriteriaTable  # noqa: PLC0415  # the same

    update_criteria(CriteriaTable(db, store), ticket, headings=own.patterns)
