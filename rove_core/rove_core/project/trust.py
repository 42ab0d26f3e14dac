"""Whose word a project's settings file is.

A file that came with a clone is not the user's word. Outside the project Rove keeps, per
project, the digest of the file as the user last vouched for it; any change ends that.
"""

import os
from contextlib import suppress
from pathlib import Path

from rove_core.errors import DiskTrouble
from rove_core.project.layout import ProjectPaths
from rove_core.store.files import private_folder, read_file, write_atomic


def is_trusted(places: ProjectPaths, data: bytes) -> bool:
    """Tell whether the user vouched for exactly these bytes of the project's settings file."""
    try:
        return read_file(_record(places)) == _statement(places, data)
    except OSError:
        return False


def was_trusted(places: ProjectPaths) -> bool:
    """Tell whether the user vouched for some state of the project's settings file."""
    return _record(places).is_file()


def record_trust(places: ProjectPaths, data: bytes) -> None:
    """Remember that the user vouches for these bytes of the project's settings file."""
    private_folder(_record(places).parent)
    write_atomic(_record(places), _statement(places, data))


def trusted_projects(data_dir: Path) -> list[Path]:
    """Return the folders of the projects whose settings file the user ever vouched for."""
    folders = []
    for record in sorted((data_dir / "trust").glob("*")):
        with suppress(OSError):
            folder = read_file(record).partition(b"  ")[2].removesuffix(b"\n")
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
    """Return what stands for some bytes in a record."""
    from hashlib import sha256  # noqa: PLC0415  # most projects have no settings of their own

    return sha256(data).hexdigest()


def _record(places: ProjectPaths) -> Path:
    return places.data_dir / "trust" / digest(_project(places))[:32]


def _statement(places: ProjectPaths, data: bytes) -> bytes:
    return digest(data).encode() + b"  " + _project(places) + b"\n"


def _project(places: ProjectPaths) -> bytes:
    return os.fsencode(os.path.realpath(places.root))
