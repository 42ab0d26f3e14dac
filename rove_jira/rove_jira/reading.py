"""What Jira sends, read so that nothing in it can be wrong: what does not fit is not there.

A ticket is many people's words. One odd value among them must not cost the others.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from rove_core import JSON


def at(value: JSON, *path: str) -> JSON:
    """Return what stands at a path of names; None when nothing does."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text(value: JSON, *path: str) -> str:
    """Return the text at a path; empty when there is none. A number is a text too."""
    found = at(value, *path)
    if isinstance(found, str):
        return found
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return str(found) if is_number else ""


def each(value: JSON, *path: str) -> Sequence[JSON]:
    """Return what is in the list at a path; nothing when there is none."""
    found = at(value, *path)
    return found if isinstance(found, list) else ()


def texts(value: JSON, *path: str, name: str = "name") -> list[str]:
    """Return the texts in the list at a path, or what the things in it are called."""
    found = (text(item) or text(item, name) for item in each(value, *path))
    return [*filter(None, found)]


def whole(value: JSON, *path: str) -> int | None:
    """Return the whole number at a path, if there is one."""
    found = at(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def moment(value: JSON, *path: str) -> datetime | None:
    """Return the moment at a path, in UTC, if there is one."""
    try:
        found = datetime.fromisoformat(text(value, *path))
        return found.astimezone(UTC) if found.tzinfo else None
    except (ValueError, OverflowError):
        return None
