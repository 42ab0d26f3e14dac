"""Positions of keys in TOML text, which tomllib does not expose."""

import re
import tomllib
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from rove_core.safety.lazy_pattern import lazy_pattern

#: The keys from the top of a text to a value; a number is a place in a list.
Path: TypeAlias = tuple[str | int, ...]

_SPACE: Final = lazy_pattern(r"[ \t]*")
_BLANK: Final = lazy_pattern(r"(?:[ \t\r\n]|#[^\n]*)*")
_PART: Final = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')"""
_KEY: Final = lazy_pattern(rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*")
_TEXT: Final = lazy_pattern(
    r'''"""(?:\\.|[^\\])*?"""(?!")|\'\'\'.*?\'\'\'(?!')|"(?:\\.|[^"\\])*"|'[^']*\'''', re.DOTALL
)
_SCALAR: Final = lazy_pattern(r"[^,\]}#\r\n]*[^,\]}#\s]")


class Entry(NamedTuple):
    """One key with its value, or one table's header.

    Attributes:
        path: The keys from the top.
        line: The line of the key, from 1.
        start: Where the value begins; of a header, where it ends.
        end: Where the value, or the header, ends.
        is_header: Whether it is a header.
    """

    path: Path
    line: int
    start: int
    end: int
    is_header: bool = False


def scan(text: str) -> tuple[Entry, ...]:
    """Return all keys and headers of a text that tomllib has accepted, in their order."""
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._counted = 0
        self._lengths: dict[Path, int] = {}
        self._entries: list[Entry] = []

    def scan(self) -> tuple[Entry, ...]:
        table: Path = ()
        while self._skip(_BLANK) < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
        return tuple(sorted(self._entries, key=lambda entry: entry.end))

    def _header(self) -> Path:
        line = self._current_line()
        of_list = self._text.startswith("[[", self._at)
        self._at += len("[[") if of_list else len("[")
        self._skip(_SPACE)
        keys = self._keys()
        self._skip(_SPACE)
        self._at += len("]]") if of_list else len("]")
        path = self._next_of_list(keys) if of_list else self._resolve(keys)
        self._entries.append(Entry(path, line, self._at, self._at, is_header=True))
        return path

    def _pair(self, table: Path) -> None:
        line = self._current_line()
        path = (*table, *self._keys())
        self._skip(_SPACE)
        self._at += len("=")
        start = self._skip(_SPACE)
        self._value(path)
        self._entries.append(Entry(path, line, start, self._at))

    def _keys(self) -> tuple[str, ...]:
        start = self._at
        return _names(self._text[start : self._skip(_KEY)])

    def _value(self, path: Path) -> None:
        match self._text[self._at]:
            case "[":
                self._list(path)
            case "{":
                self._inline_table(path)
            case '"' | "'":
                self._skip(_TEXT)
            case _:
                self._skip(_SCALAR)

    def _list(self, path: Path) -> None:
        self._at += len("[")
        place = 0
        while self._text[self._skip(_BLANK)] != "]":
            if self._text[self._at] == ",":
                self._at += len(",")
                place += 1
            else:
                self._value((*path, place))
        self._at += len("]")

    def _inline_table(self, path: Path) -> None:
        self._at += len("{")
        while self._text[self._skip(_BLANK)] != "}":
            if self._text[self._at] == ",":
                self._at += len(",")
            else:
                self._pair(path)
        self._at += len("}")

    def _resolve(self, keys: tuple[str, ...]) -> Path:
        """Return the path of a header's keys, where an array of tables means its last one."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
        return path

    def _next_of_list(self, keys: tuple[str, ...]) -> Path:
        path = (*self._resolve(keys[:-1]), keys[-1])
        place = self._lengths.get(path, 0)
        self._lengths[path] = place + 1
        return (*path, place)

    def _skip(self, pattern: re.Pattern[str]) -> int:
        if found := pattern.match(self._text, self._at):
            self._at = found.end()
        return self._at

    def _current_line(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line


def _names(dotted: str) -> tuple[str, ...]:
    """Return the names in a dotted key, as tomllib reads them."""
    names = []
    table: object = tomllib.loads(f"{dotted} = 0")
    while isinstance(table, Mapping):
        ((name, table),) = table.items()
        names.append(name)
    return tuple(names)
