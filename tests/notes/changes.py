"""Random changes of a folder of notes."""

import os
from pathlib import Path

from tests.changes import VendorChanges

from rove_core.testing import VirtualClock


def folder_changes(folder: Path, clock: VirtualClock) -> VendorChanges:
    """Return what changes the notes of a folder."""

    def path(name: str) -> Path:
        return folder / name.partition("/")[2]

    def edit(name: str, words: str) -> None:
        path(name).write_text(f"{words}\n", "utf-8")
        at = clock.now().timestamp()
        os.utime(path(name), (at, at))

    def add(number: int, words: str) -> str:
        name = f"{folder.name}/note-{number}.md"
        edit(name, words)
        return name

    def delete(name: str) -> None:
        path(name).unlink()

    def move(name: str, number: int) -> str:
        to = f"{folder.name}/moved-{number}.md"
        path(name).rename(path(to))
        return to

    return VendorChanges(clock=clock, add=add, edit=edit, delete=delete, move=move)
