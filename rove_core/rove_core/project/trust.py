"""Trust in a project's settings file.

A file that came with a clone is not the user's word. Outside the project Rove keeps, per project,
what the user vouched for: the value of each setting that only a trusted file may set. Comments and
harmless settings may change freely; any other change ends the trust.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from rove_core.errors import DiskTrouble, WrongSetting
from rove_core.project.layout import ProjectPaths
from rove_core.safety.digests import sha256_hex
from rove_core.store.files import private_folder, read_file, write_atomic


def is_trusted(places: ProjectPaths, data: bytes) -> bool:
    """Return whether the user trusts all unsafe values of the project's current file."""
    if not (record := _read_record(places)):
        return False
    if record == _whole_file(places, data):
        return True
    head, _, _ = _statement(places, data).partition(b"\n")
    return record.partition(b"\n")[0] == head


def changes_since_trusted(places: ProjectPaths, data: bytes) -> tuple[str, ...]:
    """Return the unsafe values that changed since the user trusted the file."""
    now = values_to_trust(data)
    try:
        before = json.loads(_read_record(places).partition(b"\n")[2] or b"{}")
    except ValueError:
        before = {}
    if not isinstance(before, dict):
        before = {}
    return (
        *(f"added: {key}" for key in now if key not in before),
        *(f"changed: {key}" for key in now if key in before and before[key] != now[key]),
        *(f"removed: {key}" for key in before if key not in now),
    )


def values_to_trust(data: bytes) -> dict[str, str]:
    """Return the values in a settings file that need trust.

    Of each value, and of a name that Rove does not know, it is a digest: either may be a secret.
    """
    from rove_core.project.settings.declarations import all_settings  # noqa: PLC0415  # the same
    from rove_core.project.settings.untrusted_settings import unsafe_paths  # noqa: PLC0415  # it reads this module
    from rove_core.project.toml.reader import parse_toml  # noqa: PLC0415  # most projects have no settings

    try:
        file = parse_toml(data, shown=".rove/settings.toml")
    except WrongSetting:
        return {"a file that is not TOML": digest(data)}
    values = {}
    for path in unsafe_paths(file):
        value: object = file.table
        for name in path:
            value = value[name] if isinstance(value, dict) else None
        key, text = ".".join(map(str, path)), json.dumps(value, sort_keys=True, default=str)
        values[key if key in all_settings() else _visible(key)] = _visible(text)
    return values


def _visible(text: str) -> str:
    return f"({digest(text.encode())[:12]})"


def was_trusted(places: ProjectPaths) -> bool:
    """Return whether the user vouched for some state of the project's settings file."""
    return _record(places).is_file()


def record_trust(places: ProjectPaths, data: bytes) -> None:
    """Record that the user trusts the unsafe values of the current file."""
    private_folder(_record(places).parent)
    write_atomic(_record(places), _statement(places, data))


def trusted_projects(data_dir: Path) -> list[Path]:
    """Return the folders of all projects that the user ever trusted."""
    folders = []
    for record in sorted((data_dir / "trust").glob("*")):
        with suppress(OSError):
            folder = read_file(record).partition(b"\n")[0].partition(b"  ")[2]
            folders.append(Path(os.fsdecode(folder)))
    return folders


def forget_trust(places: ProjectPaths) -> None:
    """Trust the project's settings file no longer."""
    path = _record(places)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be removed: {error.strerror}") from error


def digest(data: bytes) -> str:
    """Return a digest of bytes, for records."""
    return sha256_hex(data)


def _record(places: ProjectPaths) -> Path:
    return places.data_dir / "trust" / digest(_project(places))[:32]


def _read_record(places: ProjectPaths) -> bytes:
    try:
        return read_file(_record(places))
    except OSError:
        return b""


def _statement(places: ProjectPaths, data: bytes) -> bytes:
    """Return the trust record: a digest of project and values, then the values."""
    payload = json.dumps(values_to_trust(data), sort_keys=True).encode()
    return digest(payload).encode() + b"  " + _project(places) + b"\n" + payload + b"\n"


def _whole_file(places: ProjectPaths, data: bytes) -> bytes:
    """Return the trust record of the first release, which was about the file's bytes."""
    return digest(data).encode() + b"  " + _project(places) + b"\n"


def _project(places: ProjectPaths) -> bytes:
    return os.fsencode(os.path.realpath(places.root))
