"""Parse the criteria of a ticket."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from rove_core import JSON, ItemNotFound, RoveError
from rove_memory.criteria.model import AcceptanceCriterion
from rove_memory.criteria.rules import (
    FoundCriterion,
    criteria_of_field,
    find_criteria,
    to_markdown,
)
from rove_memory.criteria.table import CriteriaTable
from rove_memory.memory.redaction import quoted
from rove_memory.store.values import read_json
from rove_memory.tickets.table import TicketInfo, split_account

if TYPE_CHECKING:
    from rove_core import ContextItem, Project

#: Where Azure DevOps keeps criteria apart from the description.
_OWN_FIELD: Final = "Microsoft.VSTS.Common.AcceptanceCriteria"


def update_criteria(
    table: CriteriaTable, ticket: TicketInfo, *, headings: Collection[str] = ()
) -> Sequence[AcceptanceCriterion]:
    """Update a ticket's criteria from its text in the project's memory.

    Args:
        table: The table.
        ticket: The ticket.
        headings: Further headings that criteria stand under in this project.
    """
    return table.merge(ticket, criteria_in(table, ticket, headings))


def criteria_in(
    table: CriteriaTable, ticket: TicketInfo, headings: Collection[str]
) -> Sequence[FoundCriterion]:
    """Return the criteria in the ticket's own field, else in its description."""
    row = table.db.execute(
        "SELECT provider_data FROM external_items WHERE id = ?", [ticket.id]
    ).fetchone()
    field = _own_field(read_json(row["provider_data"]))
    listed = criteria_of_field(to_markdown(field, "html")) if field else ()
    return listed or find_criteria(ticket.description, headings=headings)


async def fetch_ticket(rove: "Project", text: str, *, hint: str = "") -> "ContextItem":
    """Return a ticket as its tracker has it now.

    Args:
        rove: The project.
        text: Its id.
        hint: What to do if no account in use knows it.

    Raises:
        ItemNotFound: No account in use has it.
        RoveError: The account that may have it did not answer.
    """
    failed: RoveError | None = None
    account, identifier = split_account(text)
    for ref in rove.accounts.recognise(identifier):
        if account not in ("", ref.account):
            continue
        try:
            item = await rove.accounts.item_detail(ref)
        except RoveError as error:
            failed = failed or error
            continue
        if item.role == "ticket":
            return item
    raise failed or ItemNotFound(
        f"no account in use here knows {quoted(text)}",
        hint=hint or "List the connected accounts: rove sources list",
    )


def _own_field(data: JSON) -> str:
    fields = data.get("fields", data) if isinstance(data, dict) else {}
    value = fields.get(_OWN_FIELD) if isinstance(fields, dict) else None
    return value if isinstance(value, str) else ""
