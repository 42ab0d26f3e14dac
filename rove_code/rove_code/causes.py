"""The answer to why a declaration is as it is."""

from datetime import datetime

from attrs import frozen


@frozen
class CauseQuote:
    """A quote about a change, from one of Rove's documents.

    Attributes:
        document: The document's file.
        ticket: The ticket that it is about.
        title: The ticket's title.
        text: What is said.
        url: Where a person reads it; empty if that is not known.
    """

    document: str
    ticket: str
    title: str
    text: str
    url: str


@frozen
class Cause:
    """A commit that changed a declaration.

    Attributes:
        commit: Its name.
        at: When it was made.
        author: Who made it.
        subject: Its first line.
        body: The first lines of what else it says.
        pull_request: The number of its pull request; empty if it names none.
        tickets: What else it names.
        url: Its page; empty if that is not known.
        quotes: What is known of it.
    """

    commit: str
    at: datetime
    author: str
    subject: str
    body: str
    pull_request: str
    tickets: tuple[str, ...]
    url: str
    quotes: tuple[CauseQuote, ...]


@frozen
class Why:
    """Why a declaration is as it is.

    Attributes:
        path: The file.
        name: The declaration.
        first: Its first line in the commit that was asked for.
        last: Its last line there.
        commit: That commit.
        causes: The commits that changed it, the newest first.
        is_cut: Whether there are older ones.
        is_edited: Whether the file was edited since that commit.
    """

    path: str
    name: str
    first: int
    last: int
    commit: str
    causes: tuple[Cause, ...]
    is_cut: bool
    is_edited: bool = False
