"""Check the rows of an import before any of them is stored."""

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any, Final

from rove_core import WrongCall, clean
from rove_memory.memory.redaction import LONGEST, LONGEST_SUMMARY, clean_name, without_secrets
from rove_memory.memory.words import fingerprint, parts_of, title_of
from rove_memory.sessions.events import LONGEST_NOTE
from rove_memory.store.values import json_text, time_text

_TIME: Final = re.compile(r".*_at|.*_at_provider|at|valid_from|valid_to|last_accessed")
_NAMES: Final = frozenset({"tags", "related_items", "labels", "files_modified", "commits_made"})
_RECORDS: Final = frozenset({"evidence", "context", "provider_data"})
#: Columns that a row cannot do without, because an import looks at them.
_NEEDED: Final[Mapping[str, Sequence[str]]] = {
    "memory": ("id", "memory_type", "key", "content", "updated_at"),
    "memory_versions": ("memory_id", "version", "content", "valid_from"),
    "memory_mentions": ("memory_id",),
    "external_items": ("id", "provider_id"),
    "acceptance_criteria": ("id", "external_item_id", "criterion_text"),
}
#: What one machine says of itself.
_LOCAL: Final = frozenset({"number", "project_id"})
_LARGEST: Final = 2**63 - 1
#: Columns of text that an import reads before the database checks their types.
_TEXTS: Final = frozenset(
    {"id", "memory_id", "memory_type", "key", "content", "provider_id", "account"}
    | {"external_item_id", "criterion_text"}
)
_NUMBERS: Final = frozenset({"number", "version"})
#: Texts that may be shorter than all others; lists and records may hold several texts.
_LONGEST: Final[Mapping[tuple[str, str], int]] = {
    ("memory", "summary"): LONGEST_SUMMARY,
    ("memory_versions", "summary"): LONGEST_SUMMARY,
    ("session_events", "content"): LONGEST_NOTE,
}
_LONGEST_JSON: Final = 10 * LONGEST
_HINT: Final = "Export it again: rove memory export"

Row = Mapping[str, Any]


def checked_rows(
    tables: object, columns: Mapping[str, AbstractSet[str]]
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table in stored form: without secrets, and without empty columns.

    Args:
        tables: What an export holds.
        columns: The columns of each table.

    Raises:
        WrongCall: It holds something that no export holds; the error names it.
    """
    checked: dict[str, list[dict[str, Any]]] = {}
    by_table = tables if isinstance(tables, Mapping) else None
    for table, valid_columns in columns.items():
        rows = by_table.get(table, ()) if by_table is not None else None
        if not isinstance(rows, Sequence) or isinstance(rows, str):
            raise WrongCall(f"its table {table} is not a list of rows", hint=_HINT)
        checked[table] = [_checked(table, row, valid_columns) for row in rows]
    return checked


def _checked(table: str, row: object, valid_columns: AbstractSet[str]) -> dict[str, Any]:
    if not isinstance(row, Mapping):
        raise WrongCall(f"{table} has a row that is {row!r:.40}", hint=_HINT)
    if wrong := set(row) - valid_columns:
        raise WrongCall(f"{table} has no column {min(wrong)}", hint=_HINT)
    own = _LOCAL if table == "memory" else {"project_id"}
    values = {
        name: _clean_text(table, row, name, value) if isinstance(value, str) else value
        for name, value in row.items()
        if name not in own and value is not None and _is_value(table, name, value)
    }
    if missing := [name for name in _NEEDED.get(table, ()) if name not in values]:
        raise WrongCall(f"{table} has a row without {missing[0]}", hint=_HINT)
    if table == "memory":
        # An edited text has other words than the one that was exported.
        content = values["content"]
        values["key"] = clean_name(values["key"], "key")
        values["title"], values["parts"] = title_of(content), parts_of(content)
        values["fingerprint"] = fingerprint(content)
    return values


def _is_value(table: str, name: str, value: object) -> bool:
    """Return True for a value that its column can have; raise WrongCall for all others."""
    try:
        if isinstance(value, str):
            fits = _is_text(name, value)
        else:
            fits = isinstance(value, float) or (isinstance(value, int) and abs(value) <= _LARGEST)
            fits = fits and name not in _TEXTS
            fits = fits and not (name in _NUMBERS and isinstance(value, float))
    except (ValueError, RecursionError):
        fits = False
    if not fits:
        raise WrongCall(f"{name} of a row of {table} cannot be {value!r:.40}", hint=_HINT)
    return True


def _is_text(name: str, text: str) -> bool:
    text.encode()
    if _TIME.fullmatch(name) and text:
        return datetime.fromisoformat(text).tzinfo is not None
    if name in _NAMES and text:
        names = json.loads(text)
        return isinstance(names, list) and all(isinstance(each, str) for each in names)
    if name in _RECORDS and text:
        return isinstance(json.loads(text), dict)
    return name not in _NUMBERS


def _clean_text(table: str, row: Row, name: str, text: str) -> str:
    """Return a text in stored form; raise WrongCall for one that is too long to be stored here."""
    stored = _stored(name, text)
    most = _LONGEST_JSON if name in _NAMES | _RECORDS else _LONGEST.get((table, name), LONGEST)
    # A tracker's texts are as long as the tracker allows.
    if len(stored) > most and table != "external_items":
        which = next((row[key] for key in ("key", "id", "memory_id") if key in row), "")
        raise WrongCall(
            f"{name} of {which!r:.60} in {table} has {len(stored)} characters; the most are {most}",
            hint="Shorten it in the file, and import the file again.",
        )
    return stored


def _stored(name: str, text: str) -> str:
    """Return a text in stored form, as if it had been written here."""
    if text and _TIME.fullmatch(name):
        return time_text(datetime.fromisoformat(text))
    if text and name in _NAMES | _RECORDS:
        value = json.loads(text)
        stored = _stored_json(value)
        return text if stored == value else json_text(stored)
    return without_secrets(clean(text))


def _stored_json(value: Any) -> Any:  # noqa: ANN401  # any JSON
    match value:
        case str():
            return without_secrets(clean(value))
        case list():
            return [_stored_json(each) for each in value]
        case dict():
            return {_stored_json(name): _stored_json(each) for name, each in value.items()}
        case _:
            return value
