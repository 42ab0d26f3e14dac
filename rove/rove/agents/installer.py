"""Add Rove's instructions to an agent's files, and remove them again."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from rove.agents.managed_block import InstallState, ManagedPart
from rove_core.errors import DiskTrouble, UnsafePlace
from rove_core.store.files import read_file, write_atomic

_LARGEST: Final = 1 << 20


def state_of(folder: Path, path: str, managed: ManagedPart) -> InstallState:
    """Compare a file below a folder with what Rove wants in it."""
    return managed.state(_read(_file_in(folder, path)))


def install(folder: Path, path: str, managed: ManagedPart, *, force: bool = False) -> InstallState:
    """Put Rove's part into a file, and return how the file stood before.

    What a person changed in it stays as it is, unless ``force``; and so does, in any case, a
    person's own file where one of Rove's should be.

    Raises:
        UnsafePlace: A link leads elsewhere.
    """
    place = _file_in(folder, path)
    old = _read(place)
    state = managed.state(old)
    if state in {InstallState.CURRENT, InstallState.FOREIGN} or (
        state is InstallState.CHANGED and not force
    ):
        return state
    _write(place, managed.whole() if old is None else managed.put(old))
    return state


def take_out(folder: Path, path: str, managed: ManagedPart, *, force: bool = False) -> InstallState:
    """Remove Rove's block from a file, and return its previous state.

    The file goes if a person wrote nothing into it, and so do the folders that are empty then.
    """
    place = _file_in(folder, path)
    old = _read(place)
    rest = managed.taken_out(old) if old is not None else None
    if old is None or rest == old:
        return InstallState.MISSING
    if managed.is_changed(old) and not force:
        return InstallState.CHANGED
    if rest is not None:
        _write(place, rest)
        return InstallState.CURRENT
    place.unlink()
    for above in (folder / path).parents:
        if above == folder:
            break
        with suppress(OSError):
            above.rmdir()
    return InstallState.CURRENT


def _file_in(folder: Path, path: str) -> Path:
    """Return the file that a path means; a link may lead to another file of the same folder."""
    root = Path(os.path.realpath(folder))
    place = Path(os.path.realpath(root / path))
    if not place.is_relative_to(root):
        raise UnsafePlace(f"{folder / path} points outside {folder}, to {place}")
    return place


def _read(place: Path) -> bytes | None:
    try:
        if not place.exists():
            return None
        if not place.is_file() or place.stat().st_size > _LARGEST:
            raise UnsafePlace(f"{place} is not a text file of at most 1 MB")
        return read_file(place)
    except OSError as error:
        raise DiskTrouble(f"{place} cannot be read: {error.strerror}") from error


def _write(place: Path, data: bytes) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        mode = place.stat().st_mode & 0o777 if place.exists() else 0o644
    except OSError as error:
        raise DiskTrouble(f"{place} cannot be written: {error.strerror}") from error
    write_atomic(place, data, mode=mode)
