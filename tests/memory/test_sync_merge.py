"""The three-way merge of one field, as a table."""

from typing import get_args

from rove_core import WorkField
from rove_memory.sync.fields import SYNCED, same_value
from rove_memory.sync.merge import FieldEdit, merge_field, merged_value

OPEN = {"name": "Open", "category": "todo"}
LATER = {"name": "Later", "category": "todo"}
DOING = {"name": "Doing", "category": "in_progress"}
DONE = {"name": "Done", "category": "done"}
CLOSED = {"name": "Closed", "category": "done"}

#: field, what its author saw, what they want, what was sent without a reply, whether the item has
#: moved since, what the tracker has, and what becomes of the edit.
CASES = (
    ("title", "a", "b", (), False, "a", "send"),
    ("title", "a", "b", (), False, "b", "done"),
    ("title", "a", "b", (), False, "c", "overruled"),
    ("description", "a", "b", (), False, "c", "overruled"),
    ("assignee", {"id": "1"}, {"id": "2"}, (), False, {"id": "3"}, "overruled"),
    ("labels", ["a"], ["b"], (), False, ["c"], "overruled"),
    ("priority", 1, None, (), False, 2, "overruled"),
    ("status", OPEN, DONE, (), False, OPEN, "send"),
    ("status", OPEN, DONE, (), False, DONE, "done"),
    ("status", OPEN, DONE, (), False, DOING, "conflict"),
    ("status", OPEN, DONE, (), False, CLOSED, "overruled"),
    # The reply was lost: the request arrived, or it did not.
    ("title", "a", "b", ("b",), True, "b", "done"),
    ("title", "a", "b", ("b",), False, "a", "send"),
    # An edit that replaces one without a reply, which arrived.
    ("title", "a", "c", ("b",), True, "b", "send"),
    # The reply was lost, and the old value is back at another revision: somebody took it back.
    ("title", "a", "b", ("b",), True, "a", "overruled"),
    ("status", OPEN, DONE, (DONE,), True, OPEN, "conflict"),
    ("title", "a", "b", (), True, "a", "send"),
)


def test_what_becomes_of_an_edit() -> None:
    """It is sent, done, overruled or left to a person, by the three values alone."""
    for field, base, value, unanswered, has_moved, remote, verdict in CASES:
        edit = FieldEdit(
            field=field, base=base, value=value, unanswered=unanswered, has_moved=has_moved
        )
        assert merge_field(edit, remote) == verdict, edit


def test_a_merge_has_both_changes() -> None:
    """The further status holds, labels are merged singly, other values are the tracker's."""
    assert merged_value("status", OPEN, DONE, DOING) == DONE
    assert merged_value("status", OPEN, LATER, DOING) == DOING
    assert merged_value("labels", ["a", "b"], ["b", "c"], ["a", "b", "d"]) == ["b", "c", "d"]
    assert merged_value("title", "a", "b", "c") == "c"


def test_a_trackers_spelling_is_no_change() -> None:
    """Spaces, capitals of a status and the order of labels do not count."""
    assert same_value("description", "one\n\ntwo", "one two\n")
    assert same_value("status", DONE, {"name": "DONE", "category": None})
    assert same_value("labels", ["b", "a"], ["a", "b"])
    assert not same_value("title", "one", "One")


def test_every_field_is_merged() -> None:
    """A field that the contract gains is merged, too, unless it is left out on purpose."""
    assert get_args(WorkField) == SYNCED
