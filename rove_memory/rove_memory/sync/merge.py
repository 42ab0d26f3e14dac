"""Three-way merge of one field: base, local and remote value."""

from typing import Final, Literal, TypeAlias

from attrs import frozen

from rove_core import JSON
from rove_memory.sync.fields import category_of, same_value

#: What becomes of an edit: it is ``sent``; the tracker has it already, and it is ``done``; the
#: tracker's value holds and the edit is kept beside it (``overruled``); or a person must choose
#: (``conflict``).
Verdict: TypeAlias = Literal["send", "done", "overruled", "conflict"]

#: Statuses in the order of work; the third way out of a conflict takes the later one.
_PROGRESS: Final = ("todo", "in_progress", "done", "canceled")


@frozen(kw_only=True)
class FieldEdit:
    """An edit of one field that has not reached its tracker for certain.

    Attributes:
        field: The field.
        base: The value that its author saw.
        value: The value that it should have.
        unanswered: Values that were sent for it, or for an edit that it replaces, without a
            reply: each may have arrived.
        has_moved: Whether the item has another revision than when one of these was sent.
    """

    field: str
    base: JSON
    value: JSON
    unanswered: tuple[JSON, ...] = ()
    has_moved: bool = False


def merge_field(edit: FieldEdit, remote: JSON) -> Verdict:
    """Return what becomes of an edit, now that its tracker has a value."""
    if same_value(edit.field, edit.value, remote):
        return "done"
    if not _is_foreign(edit, remote):
        return "send"
    if edit.field != "status":
        return "overruled"
    # Two names for one thing, as Closed and Done, are nothing to ask a person about.
    agree = category_of(edit.value) == category_of(remote) != ""
    return "overruled" if agree else "conflict"


def merged_value(field: str, base: JSON, local: JSON, remote: JSON) -> JSON:
    """Return the value that has both changes: what ``merge`` makes of a conflict.

    Labels are merged one by one. Of two statuses it is the one further on. Of all other values
    nobody can say what both mean, and the tracker's holds.
    """
    if field == "status":
        further = _rank(local) > _rank(remote)
        return local if further else remote
    if field == "labels" and isinstance(local, list) and isinstance(remote, list):
        before = set(map(str, base)) if isinstance(base, list) else set()
        added, removed = set(map(str, local)) - before, before - set(map(str, local))
        return [*sorted((set(map(str, remote)) | added) - removed)]
    return remote


def _is_foreign(edit: FieldEdit, remote: JSON) -> bool:
    """Return whether somebody else wrote a value that the edit's author did not see."""
    if any(same_value(edit.field, each, remote) for each in edit.unanswered):
        return False
    if not same_value(edit.field, edit.base, remote):
        return True
    # The old value again, at another revision: ours may have arrived, and been taken back.
    return bool(edit.unanswered) and edit.has_moved


def _rank(status: JSON) -> int:
    category = category_of(status)
    return _PROGRESS.index(category) if category in _PROGRESS else -1
