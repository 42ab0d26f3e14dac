"""Keys of the tasks that the schedule creates."""

from typing import Final

#: How the key of what the schedule asks for begins.
PLANNED: Final = "planned "
#: The keys of operations that run by themselves; no account's name begins so.
RECURRING: Final = f"{PLANNED}@*"


def planned_key(account: str, ticket_id: str) -> str:
    """Return the key of a scheduled refresh."""
    return f"{PLANNED}{account} {ticket_id}"


def recurring_key(operation: str) -> str:
    """Return the key of the tasks that run an operation by the schedule."""
    return f"{PLANNED}@{operation}"
