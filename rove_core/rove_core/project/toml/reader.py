"""Read a TOML file with errors that name the line."""

import re
import stat
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Final, NamedTuple

from rove_core.errors import WrongSetting

if TYPE_CHECKING:
    from rove_core.project.toml.scan import Entry, Path

_MOST_BYTES: Final = 1_000_000
_POSITION: Final = r" \(at (?:line (\d+), column \d+|end of document)\)$"
#: How a line begins that sets a key, or heads a table.
_KEY: Final = r"\s*([\w.\"': -]{1,80}(?==\s*[^\s=])|[a-z_]{1,30}(?=\s)|\[[^=]{0,80})"


class TomlFile(NamedTuple):
    """A TOML file that was read.

    Attributes:
        shown: How messages name it.
        text: What it holds.
        table: The same, as values.
    """

    shown: str
    text: str
    table: Mapping[str, object]

    @property
    def entries(self) -> "Sequence[Entry]":
        """Where each of its keys stands."""
        return _entries(self.text)

    def place(self, path: "Path") -> str:
        """Return the file and line of a key or table."""
        exact = (entry.line for entry in self.entries if entry.path == path)
        below = (entry.line for entry in self.entries if entry.path[: len(path)] == path)
        return f"{self.shown}:{next(exact, next(below, 1))}"

    def raw(self, path: "Path") -> str:
        """Return the written form of a value; empty for a table with a header."""
        spans = (self.text[entry.start : entry.end] for entry in self.entries if entry.path == path)
        return next(spans, "")


def parse_toml(data: bytes, *, shown: str, hint: str = "") -> TomlFile:
    """Return the content of a TOML file.

    Args:
        data: The file's bytes.
        shown: How messages name it.
        hint: What to do about a file that is not TOML; where its keys are listed unless given.

    Raises:
        WrongSetting: They are not TOML.
    """
    import tomllib  # noqa: PLC0415  # where no file is, none is parsed

    try:
        text = data.decode().removeprefix("\ufeff")
        table = tomllib.loads(text)
        return TomlFile(shown=shown, text=text, table=table)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WrongSetting(
            f"{shown}:{line}: byte {data[error.start]:#04x} is not UTF-8",
            hint="Save the file as UTF-8.",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise WrongSetting(_complaint(str(error), shown, text), hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise WrongSetting(
            f"{shown}: it is nested too deeply, or a number is too long", hint=hint
        ) from error


@lru_cache(maxsize=8)
def _entries(text: str) -> "Sequence[Entry]":
    from rove_core.project.toml.scan import scan  # noqa: PLC0415  # only what is told of a key needs it

    return scan(text)


def read_bytes(path: FilePath, *, shown: str) -> bytes | None:
    """Return a file's bytes, or None if there is no such file.

    Raises:
        WrongSetting: It is there and cannot be read.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise WrongSetting(f"{shown} is not a file", hint=f"Move {path} away.")
        if status.st_size > _MOST_BYTES:
            raise WrongSetting(f"{shown} has {status.st_size} bytes: too large for a settings file")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise WrongSetting(
            f"{shown} cannot be read: {error.strerror}", hint=f"Fix the permissions of {path}."
        ) from error


def _complaint(message: str, shown: str, text: str) -> str:
    found = re.search(_POSITION, message)
    if found is None:
        return f"{shown}: {message}"
    lines = text.splitlines() or [""]
    line = int(found[1]) if found[1] else len(lines)
    complaint = message.removesuffix(found[0])
    # What stands behind the key may be a secret, and so may a line that has none.
    key = re.match(_KEY, lines[line - 1])
    at = f", at: {key[1].strip()}" if key else ""
    return f"{shown}:{line}: {complaint[:1].lower()}{complaint[1:]}{at}"
