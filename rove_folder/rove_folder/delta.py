"""The difference between a folder and its manifest: new, changed, deleted and renamed files."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from attrs import frozen

from rove_folder.files.walk import FoundFile
from rove_folder.storage.files import FileState


@frozen(kw_only=True)
class FolderDelta:
    """The difference between a folder and its manifest.

    Attributes:
        new: Files that the manifest lacks.
        changed: Files whose state is another one.
        deleted: Paths of the manifest that are no longer there.
        renamed: Files with a new path, by their old one.
    """

    new: Sequence[FoundFile]
    changed: Sequence[FoundFile]
    deleted: Sequence[str]
    renamed: Mapping[str, FoundFile]


def folder_delta(found: Mapping[str, FoundFile], states: Mapping[str, FileState]) -> FolderDelta:
    """Return the difference between found and known files.

    A file is renamed when one with the same inode, size and time of change is gone. That is true
    for one name alone: hard links to one file are told apart by their content, when they are read.
    """
    new, changed = [], []
    for path, file in found.items():
        state = states.get(path)
        if state is None:
            new.append(file)
        elif state != file[2:]:
            changed.append(file)
    gone = [path for path in states if path not in found]
    renamed = _find_renamed(new, gone, states)
    taken = {file.path for file in renamed.values()}
    return FolderDelta(
        new=[file for file in new if file.path not in taken] if taken else new,
        changed=changed,
        deleted=[path for path in gone if path not in renamed],
        renamed=renamed,
    )


def _find_renamed(
    new: Sequence[FoundFile], gone: Sequence[str], states: Mapping[str, FileState]
) -> Mapping[str, FoundFile]:
    if not gone:
        return {}
    candidates: dict[tuple[int, int, int], list[FoundFile]] = defaultdict(list)
    for file in new:
        candidates[file.inode, file.size, file.mtime].append(file)
    renamed: dict[str, FoundFile] = {}
    for path in gone:
        state = states[path]
        fitting = candidates.get((state.inode, state.size, state.mtime), [])
        if fitting:
            renamed[path] = fitting.pop()
    return renamed
