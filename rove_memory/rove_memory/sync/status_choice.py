"""Match a person's status to the possible ones."""

from collections.abc import Sequence

from rove_core import ItemStatus, StatusOption


def chosen_status(
    text: str, options: Sequence[StatusOption], current: ItemStatus | None = None
) -> StatusOption | None:
    """Return the status with a name, else the current one or the only one of a category.

    Args:
        text: ``In Review``, ``in review``, or ``in_progress``.
        options: What the ticket can become.
        current: The status that it has: it stays if it belongs to the category already.
    """
    meant = text.casefold()
    named = [each for each in options if each.status.name.casefold() == meant]
    category = meant.replace(" ", "_")
    if not named and current and current.category == category:
        return StatusOption(status=current)
    found = named or [each for each in options if each.status.category == category]
    return found[0] if len(found) == 1 else None


def names_of(options: Sequence[StatusOption]) -> str:
    """Return the possible statuses for an error message."""
    return f"It can become: {', '.join(each.status.name for each in options) or 'nothing else'}"
