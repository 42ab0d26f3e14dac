"""Settings of a notes account; it has no login."""

from attrs import frozen


@frozen(kw_only=True)
class NotesSettings:
    """The settings of a folder of notes.

    Attributes:
        folder: Where the notes are: an absolute path, one below ``~``, or one in the project.
    """

    folder: str = "notes"
