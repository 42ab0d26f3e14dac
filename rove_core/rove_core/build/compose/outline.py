"""The outline of a document: statements by topic, and open questions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, TypeAlias

from attrs import Factory, field, frozen

from rove_core.build.gather.candidates import Key, key_of
from rove_core.items import ContextItem, Section

#: How many lines of a document name what is quoted further below.
MOST_POINTERS: Final = 20


@frozen(kw_only=True)
class Statement:
    """A quotable statement: a message, a comment, a part of a description.

    Attributes:
        part: Who said it, when and where: the message or comment itself, or the whole item.
        whole: The item it belongs to.
        text: Its words, as Markdown of somebody else; shortened where ``…`` stands.
        score: How much it matters: above 0, at most 1.
        copies: Where else the same is said.
    """

    part: ContextItem
    whole: ContextItem
    text: str
    score: float = 0.0
    copies: tuple[ContextItem, ...] = ()

    @property
    def key(self) -> Key:
        """The key that stays the same from build to build."""
        return key_of(self.part.ref)


@frozen(kw_only=True)
class Topic:
    """Statements about one topic.

    Attributes:
        key: What it is known by, from one build to the next: the key of its first statement.
        heading: What it is about, in the sources' own words.
        statements: What is said, oldest first.
    """

    key: Key
    heading: str
    statements: tuple[Statement, ...]


QuestionKind: TypeAlias = Literal[
    "unanswered", "unresolved", "contradiction", "replaced", "promised"
]


@frozen(kw_only=True)
class OpenQuestion:
    """Open questions for the ticket's implementer.

    Attributes:
        kind: Asked and not answered, remarked in a review and not resolved, two statements that
            disagree, one that a later one replaced, or promised and not reported as done.
        about: What it is about, in the sources' own words.
        statements: The sentences that raise it, oldest first; what they stand in may be said too.
    """

    kind: QuestionKind
    about: str
    statements: tuple[Statement, ...]

    @property
    def key(self) -> tuple[str, Key]:
        """The key that stays the same from build to build."""
        return self.kind, self.statements[0].key


@frozen(kw_only=True)
class StandingDecision:
    """Something that was decided and holds.

    Attributes:
        statement: The sentence that says so.
        replaced: What held before, in the sentences that said so, the latest first.
    """

    statement: Statement
    replaced: tuple[Statement, ...] = ()

    @property
    def key(self) -> Key:
        """The key that stays the same from build to build."""
        return self.statement.key


@frozen(kw_only=True)
class ConsultedSource:
    """One row of the document's table: a source and the result of querying it.

    Attributes:
        account: The account that was asked.
        title: How people name it (``Jira``, ``Jira (work)``); its name unless given.
        found: How many items it gave.
        updated: When it was last asked with success; None when it never was.
        failure: What went wrong, if anything did.
        copied: Since when something may be lacking in the local copy that was searched instead;
            None if the account itself was asked.
        unlisted: What that copy lacks, in a few words.
    """

    account: str
    title: str = field(default=Factory(lambda self: self.account, takes_self=True))
    found: int = 0
    updated: datetime | None = None
    failure: str = ""
    copied: datetime | None = None
    unlisted: str = ""


@frozen(kw_only=True)
class Outline:
    """All that a document will say.

    Attributes:
        ticket: The ticket itself.
        facts: What the ticket itself says: its description first, then its own discussion.
        topics: What else is said, most important topic first.
        code: What is said in and about code: pull requests, commits; one topic for each.
        decisions: What was decided and holds, what matters most first.
        questions: What is open, and what was replaced.
        listed: What matters too, but is only named: a line each.
        pointers: How many lines may name what is quoted further below.
        sections: What plugins add.
        consulted: The accounts that were queried.
        notes: What the reader should know of how it was made.
        gone: When something was found to be no longer at its source.
    """

    ticket: ContextItem
    facts: tuple[Statement, ...] = ()
    topics: tuple[Topic, ...] = ()
    code: tuple[Topic, ...] = ()
    decisions: tuple[StandingDecision, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    listed: tuple[ContextItem, ...] = ()
    pointers: int = MOST_POINTERS
    sections: Sequence[Section] = ()
    consulted: tuple[ConsultedSource, ...] = ()
    notes: tuple[str, ...] = ()
    gone: Mapping[Key, datetime] = field(factory=dict)
