import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from attrs import evolve

from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.lookup import find_filename

if TYPE_CHECKING:
    from tests.core.conftest import Index

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_OAUTH = DocumentRecord(
    account="jira",
    ticket_id="TB-123",
    filename="TB-123_oauth_login.md",
    last_updated=_NOON,
    created_at=_NOON,
)


def test_the_only_document_of_a_ticket_is_named(index: "Index") -> None:
    """It is what the fast path prints."""
    index.write(save_document, _OAUTH, {})

    assert find_filename(str(index.path), "TB-123") == "TB-123_oauth_login.md"


@pytest.mark.parametrize("ticket_id", ["tb-123", "TB-124", "", "TB-\udcff"])
def test_any_other_ticket_is_left_to_the_command_line(index: "Index", ticket_id: str) -> None:
    """It knows how to explain."""
    index.write(save_document, _OAUTH, {})

    assert find_filename(str(index.path), ticket_id) is None


def test_two_documents_of_a_ticket_are_left_to_the_command_line(index: "Index") -> None:
    """It asks which one is meant."""
    index.write(save_document, _OAUTH, {})
    index.write(save_document, evolve(_OAUTH, account="jira:work"), {})

    assert find_filename(str(index.path), "TB-123") is None


def test_a_missing_database_is_left_to_the_command_line(index: "Index") -> None:
    """To look creates nothing."""
    assert find_filename(str(index.path), "TB-123") is None
    assert not index.path.exists()


def test_a_damaged_database_is_left_to_the_command_line(index: "Index") -> None:
    """It says how to mend it."""
    index.path.write_bytes(b"no database" * 1000)

    assert find_filename(str(index.path), "TB-123") is None


def test_a_file_name_that_leads_elsewhere_is_not_named(index: "Index") -> None:
    """A cloned repository may bring a database of its own."""
    index.write(save_document, evolve(_OAUTH, filename="../../etc/passwd"), {})

    assert find_filename(str(index.path), "TB-123") is None


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("lookup", ["typing", "attrs", "json", "pathlib", "asyncio"]),
        ("documents", ["asyncio", "aiosqlite", "cattrs"]),
        ("tasks", ["asyncio", "aiosqlite", "cattrs"]),
        ("events", ["asyncio", "aiosqlite", "cattrs"]),
        ("items", ["asyncio", "aiosqlite", "cattrs"]),
        ("connection", ["asyncio", "aiosqlite", "cattrs", "attrs"]),
    ],
)
def test_reading_imports_little(module: str, absent: list[str]) -> None:
    """A command that only looks something up answers at once."""
    program = f"import sys, rove_core.store.{module}; print(*sys.modules, sep='\\n')"
    command = [sys.executable, "-c", program]
    output = subprocess.check_output(command, text=True)  # noqa: S603  # our own program, above

    assert set(output.split()) & set(absent) == set()
