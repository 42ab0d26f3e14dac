"""Match a person's status to the possible ones."""

from collections.abc import Sequence

from rove_core import StatusOption


def chosen_status(text: str, options: Sequence[StatusOption]) -> StatusOption | None:
    """Return the status with a name, else the only one of a category.

    Args:
        text: ``In Review``, ``in review``, or ``in_progress``.
        options: What the ticket can become.
    """
    meant = text.casefold()
    named = [each for each in options if each.status.name.casefold() == meant]
    category = meant.replace(" ", "_")
    found = named or [each for each in options if each.status.category == category]
    return found[0] if len(found) == 1 else None


def names_of(options: Sequence[StatusOption]) -> str:
    """Return the possible statuses for an error message."""
    return f"It can become: {', '.join(each.status.name for each in options) or 'nothing else'}"
