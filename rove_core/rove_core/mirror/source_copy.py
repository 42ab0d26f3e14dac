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
        is_outdated: Whether its account was not reached just now, so that news may be missing.
    """

    at: datetime
    coverage: str = ""
    unlisted: str = ""
    is_outdated: bool = False
