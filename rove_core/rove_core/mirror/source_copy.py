"""What a document says of a local copy that was searched instead of its account."""

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class SourceCopy:
    """A local copy that was searched instead of its account.

    Attributes:
        at: The time up to which it is complete.
        coverage: How much of the account it covers, in a few words; empty for all of it.
        unlisted: What it lacks, in a few words.
        is_outdated: Whether it was not brought up to date just now, so that news may be missing.
        is_busy: Whether that is because another process is still updating it.
    """

    at: datetime
    coverage: str = ""
    unlisted: str = ""
    is_outdated: bool = False
    is_busy: bool = False

    @property
    def why_outdated(self) -> str:
        """Why news may be missing, in a few words; empty if none is."""
        if not self.is_outdated:
            return ""
        return "being updated" if self.is_busy else "not reached"
