"""A folder of notes as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SearchableField, SourceKind, hookimpl
from rove_notes.settings import NotesSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_api", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[NotesSettings]]:
    """Bring notes."""
    return [
        SourceKind(
            name="notes",
            title="Notes",
            settings=NotesSettings,
            connect=_connect,
            fields=(
                SearchableField("note_title", "text", "What the note is called, and its file name"),
                SearchableField("note_content", "text", "What the note says, and who said it"),
            ),
            id_pattern=r".+\.(?i:md|txt|vtt|srt)",
        )
    ]


def _connect(account: "Account[NotesSettings]", http: "Http") -> "SourceHooks":  # noqa: ARG001  # files need no HTTP
    from rove_notes.source import NotesSource  # noqa: PLC0415  # loaded when an account needs it

    return NotesSource(account)
