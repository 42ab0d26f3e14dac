"""Change one key of a TOML text; comments and order stay."""

import tomllib
from collections.abc import Iterator, Mapping

from rove_core.project.toml.reader import TomlFile
from rove_core.project.toml.scan import Entry
from rove_core.project.toml.writer import toml_key, toml_value
from rove_core.wire.json_types import JSON


def with_value(file: TomlFile, path: tuple[str, ...], value: JSON) -> str | None:
    """Return a file's text with one key of one of its tables set; None if it must be done by hand.

    Args:
        file: The file.
        path: The tables and the key.
        value: The new value of the key.
    """
    expected = _with(file.table, path, tomllib.loads(f"x = {toml_value(value)}")["x"])
    return next((text for text in _edits(file, path, value) if _parses_to(text, expected)), None)


def without_value(file: TomlFile, path: tuple[str, ...]) -> str | None:
    """Return a file's text without one key; None if it must be removed by hand."""
    expected = _without(file.table, path)
    for entry in file.entries:
        if entry.path == path and not entry.is_header:
            begin = file.text.rfind("\n", 0, entry.start) + 1
            head, tail = file.text[:begin], _split_after_line(file.text, entry.end, "\n")[1]
            if _parses_to(head + tail, expected):
                return head + tail
    return None


def _edits(file: TomlFile, path: tuple[str, ...], value: JSON) -> Iterator[str]:
    """Yield the text with the key set in each way that may be right, the most natural first."""
    text, newline = file.text, "\r\n" if "\r\n" in file.text else "\n"
    table, key = ".".join(map(toml_key, path[:-1])), toml_key(path[-1])
    line = f"{key} = {toml_value(value)}{newline}"
    for entry in file.entries:
        if entry.path == path and not entry.is_header:
            yield text[: entry.start] + toml_value(value) + text[entry.end :]
    if (last := _last_of_table(file, path[:-1])) is not None:
        head, tail = _split_after_line(text, last.end, newline)
        yield head + line + tail
    gap = newline if text.strip() else ""
    head, _ = _split_after_line(text, len(text), newline)
    yield f"{head}{gap}[{table}]{newline}{line}"
    yield f"{table}.{line}{text}"


def _last_of_table(file: TomlFile, table: tuple[str, ...]) -> Entry | None:
    """Return the last key directly in a table, or its header."""
    last: Entry | None = None
    inside = False
    for entry in file.entries:
        if entry.is_header:
            inside = entry.path == table
        if inside and (entry.is_header or entry.path[: len(table)] == table):
            last = entry
    return last


def _split_after_line(text: str, position: int, newline: str) -> tuple[str, str]:
    end = text.find("\n", position)
    if end >= 0:
        return text[: end + 1], text[end + 1 :]
    return text + (newline if text and not text.endswith("\n") else ""), ""


def _with(table: Mapping[str, object], path: tuple[str, ...], value: object) -> object:
    if len(path) == 1:
        return {**table, path[0]: value}
    section = table.get(path[0], {})
    if not isinstance(section, Mapping):
        return None
    return {**table, path[0]: _with(section, path[1:], value)}


def _without(table: Mapping[str, object], path: tuple[str, ...]) -> object:
    section = table.get(path[0])
    if len(path) > 1 and isinstance(section, Mapping):
        return {**table, path[0]: _without(section, path[1:])}
    return {name: value for name, value in table.items() if name != path[0]}


def _parses_to(text: str, expected: object) -> bool:
    try:
        return tomllib.loads(text) == expected
    except tomllib.TOMLDecodeError:
        return False
