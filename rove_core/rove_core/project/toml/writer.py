"""Format values as TOML."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rove_core.wire.json_types import JSON

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_UNPRINTABLE: Final = re.compile(r'["\\\x00-\x1f\x7f]')
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def toml_document(table: Mapping[str, JSON]) -> str:
    """Return a table as the text of a file, without None values."""
    return "\n".join(_tables((), table)).lstrip("\n") + "\n"


def toml_key(name: str) -> str:
    """Return a key, quoted if it must be."""
    return name if _BARE_KEY.fullmatch(name) else _text(name)


def toml_value(value: object) -> str:
    """Return a value in TOML; None is left out of lists and inline tables."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case int() | float():
            return repr(value)
        case Mapping():
            pairs = (
                f"{toml_key(key)} = {toml_value(child)}" for key, child in _without_none(value)
            )
            return f"{{ {', '.join(pairs)} }}" if value else "{}"
        case Sequence():
            return f"[{', '.join(toml_value(item) for item in value if item is not None)}]"
        case _:
            raise TypeError(f"no setting can store {value!r}")


def _tables(path: tuple[str, ...], table: Mapping[str, JSON]) -> Iterator[str]:
    entries = dict(_without_none(table))
    below = {key: value for key, value in entries.items() if isinstance(value, Mapping)}
    if path and (entries.keys() != below.keys() or not below):
        yield f"\n[{'.'.join(map(toml_key, path))}]"
    for key, value in entries.items():
        if key not in below:
            yield f"{toml_key(key)} = {toml_value(value)}"
    for key, table_below in below.items():
        yield from _tables((*path, key), table_below)


def _without_none(table: Mapping[str, JSON]) -> Iterator[tuple[str, JSON]]:
    return ((key, value) for key, value in table.items() if value is not None)


def _text(text: str) -> str:
    # Half a surrogate pair is no character, and TOML cannot say it.
    whole = _SURROGATE.sub("\ufffd", text)
    return f'"{_UNPRINTABLE.sub(_escape, whole)}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
