"""TOML beyond tomllib: where each key stands, and how values are written."""

from rove_core.toml.editing import with_value
from rove_core.toml.reading import TomlFile, parse_toml, read_bytes
from rove_core.toml.scan import Entry, Path, scan
from rove_core.toml.writing import toml_document, toml_key, toml_value

__all__ = [
    "Entry",
    "Path",
    "TomlFile",
    "parse_toml",
    "read_bytes",
    "scan",
    "toml_document",
    "toml_key",
    "toml_value",
    "with_value",
]
