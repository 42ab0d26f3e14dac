"""Search results of mirrors."""

from datetime import datetime
from typing import Self

from attrs import frozen

from rove_core.store.document_search import DocumentExcerpt


@frozen(kw_only=True)
class CopiedResult:
    """An item in a local copy that a search found.

    Attributes:
        account: The account that it was copied from.
        kind: Its kind, as its source names it.
        id: Its id.
        url: Its URL, for people.
        title: Its title.
        author: The author of the excerpt.
        at: The time of the excerpt.
        score: How well it matches: above 0, at most 1.
        excerpt: The text around some of the words.
    """

    account: str
    kind: str
    id: str
    url: str
    title: str
    author: str
    at: datetime
    score: float
    excerpt: DocumentExcerpt | None


@frozen(kw_only=True)
class SearchedCopy:
    """The local copy of an account that was searched, and its age.

    Attributes:
        account: The account.
        updated_at: The time up to which the copy is complete.
        age: Seconds since then.
    """

    account: str
    updated_at: datetime
    age: int

    @classmethod
    def at(cls, account: str, updated_at: datetime, now: datetime) -> Self:
        """Return the copy of an account with its age."""
        return cls(
            account=account, updated_at=updated_at, age=int((now - updated_at).total_seconds())
        )
