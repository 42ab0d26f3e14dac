"""What the compliance suite is told about a source, and what it then tests."""

from collections.abc import Mapping
from itertools import chain

from docs_src.blocks.markdown import code, first_line, prose, table
from docs_src.blocks.signatures import fields_table
from rove_core.testing import LOOKALIKES, SourceTests, Vendor
from rove_core.testing.comment_tests import CommentTests
from rove_core.testing.container_tests import ContainerTests
from rove_core.testing.expected_item import ExpectedItem
from rove_core.testing.levels import level_of
from rove_core.testing.source_under_test import SourceUnderTest
from rove_core.testing.work_tests import WorkTests
from rove_core.wire.parameters import described


def given() -> str:
    """Return what the author of a source sets."""
    classes = (SourceUnderTest, ContainerTests, WorkTests, CommentTests)
    facts = dict(
        chain.from_iterable(described(each.__doc__ or "", "Attributes").items() for each in classes)
    )
    rows = [[code(name), _class_default(name), prose(text)] for name, text in facts.items()]
    return table(["Name", "Default", "What it is"], rows)


def vendor() -> str:
    """Return what a vendor has."""
    return fields_table(Vendor)


def expected() -> str:
    """Return what can be said of the known item."""
    facts = described(ExpectedItem.__doc__ or "", "Attributes")
    return table(
        ["Name", "What it is"], [[code(name), prose(text)] for name, text in facts.items()]
    )


def _class_default(name: str) -> str:
    value = getattr(SourceTests, name, ...)
    if value is LOOKALIKES:
        return "`LOOKALIKES`"
    if value is ...:
        return "required"
    return code(dict(value) if isinstance(value, Mapping) else repr(value))


def standard_tests() -> str:
    """Return each standard test with the fact it states, group by group."""
    groups = [base for base in SourceTests.__mro__ if _tests(base)]
    return "\n\n".join(f"### {_title(group)}\n\n{_table(group)}" for group in groups)


def _tests(group: type) -> list[str]:
    return [name for name in vars(group) if name.startswith("test_")]


def _title(group: type) -> str:
    return "The suite itself" if group is SourceTests else first_line(group).rstrip(".")


def _table(group: type) -> str:
    rows = [
        [code(name), level_of(getattr(group, name)), first_line(getattr(group, name))]
        for name in _tests(group)
    ]
    return table(["Test", "Level", "What holds"], rows)
