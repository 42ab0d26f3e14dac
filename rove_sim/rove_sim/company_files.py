"""Load a company from TOML tables and notes."""

import tomllib
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path

from rove_core import JSON, WrongSetting

_NOTES = frozenset({".md", ".txt", ".vtt", ".srt"})


def read(path: Path) -> JSON:
    """Return a company's data from a file or folder."""
    if path.is_file():
        return _table(path)
    if not path.is_dir():
        raise WrongSetting(
            f"{path} is neither a file nor a folder", hint="Name a company's TOML file."
        )
    joined: dict[str, JSON] = {}
    for file in sorted(path.rglob("*.toml")):
        joined = _join(joined, _table(file), file)
    notes = _notes(path / "notes")
    return _join(joined, {"notes": notes}, path) if notes else joined


def _table(path: Path) -> Mapping[str, JSON]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongSetting(f"{path}: {error}", hint="Mend the line named above.") from None
    return {name: _plain(value) for name, value in table.items()}


def _plain(value: object) -> JSON:
    match value:
        case dict():
            return {str(key): _plain(each) for key, each in value.items()}
        case list():
            return [_plain(each) for each in value]
        case datetime() | date():
            return value.isoformat()
        case bool() | int() | float() | str():
            return value
        case _:
            return str(value)


def _join(one: Mapping[str, JSON], other: Mapping[str, JSON], file: Path) -> dict[str, JSON]:
    joined = dict(one)
    for name, value in other.items():
        before = joined.get(name)
        if isinstance(before, list) and isinstance(value, list):
            joined[name] = before + value
        elif before is None or before == value:
            joined[name] = value
        else:
            message = f"{file}: {name} is {value!r}, but another file of the folder says {before!r}"
            raise WrongSetting(message, hint="Say it in one of the files only.")
    return joined


def _notes(folder: Path) -> list[JSON]:
    files = [file for file in sorted(folder.rglob("*")) if file.suffix in _NOTES]
    return [
        {"path": file.relative_to(folder).as_posix(), "text": file.read_text("utf-8")}
        for file in files
    ]
