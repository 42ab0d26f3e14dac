"""TOML beyond tomllib: where each key stands, and how values are written."""

from rove_core.project.toml.editor import with_value, without_value
from rove_core.project.toml.reader import TomlFile, parse_toml, read_bytes
from rove_core.project.toml.scan import Entry, Path, scan
from rove_core.project.toml.writer import toml_document, toml_key, toml_value

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
    "without_value",
]
