"""List changes in a folder of notes since a cursor."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

from rove_core import ListScope
from rove_notes.folder import NotesFolder, NoteState

#: After so many notes a listing can go on.
STEP: Final = 100


@frozen(kw_only=True)
class FolderChanges:
    """Pages through the changes of a folder.

    Attributes:
        changed: The notes that are new or changed, newest first.
        gone: The ids of those that were there and are not any more.
        unchanged: What was listed before and is still as it was.
        states: What is there.
    """

    changed: Sequence[str]
    gone: Sequence[str]
    unchanged: Mapping[str, NoteState]
    states: Mapping[str, NoteState]

    def cursor(self, done: int) -> str:
        """Return where to go on after so many of the changed notes."""
        listed = {name: self.states[name] for name in self.changed[:done]}
        states = {name: [*state] for name, state in sorted({**self.unchanged, **listed}.items())}
        return json.dumps(states, separators=(",", ":"), ensure_ascii=False)


def folder_changes(folder: NotesFolder, scope: ListScope) -> FolderChanges:
    """Return what changed in a folder.

    Args:
        folder: The folder.
        scope: What is listed; its containers are folders, by their paths from the folder's name on.
    """
    since = scope.since
    states = {
        name: state
        for name, state in folder.states().items()
        if not scope.containers or any(name.startswith(f"{each}/") for each in scope.containers)
    }
    before = dict(_read(scope.cursor))
    old_states = {name: state for name, state in before.items() if states.get(name) == state}
    changed = [
        name
        for name, state in states.items()
        if name not in old_states and (since is None or name in before or _time(state) >= since)
    ]
    changed.sort(key=lambda name: (-states[name].changed, name))
    stored = before.keys() | {each.id for each in scope.unconfirmed}
    gone = sorted(stored - states.keys())
    return FolderChanges(changed=changed, gone=gone, unchanged=old_states, states=states)


def _time(state: NoteState) -> datetime:
    return datetime.fromtimestamp(state.changed / 1e9, UTC)


def _read(cursor: str) -> Iterator[tuple[str, NoteState]]:
    with suppress(ValueError, AttributeError, TypeError):
        for name, (changed, size) in json.loads(cursor or "{}").items():
            yield name, NoteState(changed=changed, size=size)
