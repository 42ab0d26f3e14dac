"""The outline of a document: statements by topic, and open questions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, TypeAlias

from attrs import Factory, field, frozen

from rove_core.build.gather.candidates import Key, key_of
from rove_core.items import ContextItem, Section
from rove_core.mirror.source_copy import SourceCopy

#: Maximum lines of a document that name what is quoted further below.
MOST_POINTERS: Final = 20


@frozen(kw_only=True)
class Statement:
    """A quotable statement: a message, a comment, a part of a description.

    Attributes:
        part: The message or comment itself, or the whole item, with its author and time.
        whole: The item it belongs to.
        text: Its words, as untrusted Markdown; ``…`` stands where something was left out.
        score: Its relevance: above 0, at most 1.
        copies: Other places where the same is said.
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
        key: Its key, stable between builds: that of its first statement.
        heading: What it is about, in the sources' own words.
        statements: Its statements, oldest first.
    """

    key: Key
    heading: str
    statements: tuple[Statement, ...]


QuestionKind: TypeAlias = Literal[
    "unanswered", "unresolved", "contradiction", "replaced", "promised"
]


@frozen(kw_only=True)
class OpenQuestion:
    """An open question for the ticket's implementer.

    Attributes:
        kind: An unanswered question, an unresolved review remark, two statements that disagree,
            one that a later one replaced, or a promise not reported as done.
        about: What it is about, in the sources' own words.
        statements: The sentences that raise it, oldest first; the document may quote more of them.
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
    """A decision that holds.

    Attributes:
        statement: The sentence that states it.
        replaced: The sentences that stated what held before, latest first.
        repeated: Other sentences that state it.
    """

    statement: Statement
    replaced: tuple[Statement, ...] = ()
    repeated: tuple[Statement, ...] = ()

    @property
    def key(self) -> Key:
        """The key that stays the same from build to build."""
        return self.statement.key


@frozen(kw_only=True)
class ConsultedSource:
    """One row of the document's table: a source and the result of querying it.

    Attributes:
        account: The account.
        title: Its display title (``Jira``, ``Jira (work)``); its name unless given.
        found: The number of items in the document from it.
        updated: When it was last queried successfully; None if it never was.
        failure: The error message, if any.
        copy: The local copy that was searched instead; None if the account itself was queried.
    """

    account: str
    title: str = field(default=Factory(lambda self: self.account, takes_self=True))
    found: int = 0
    updated: datetime | None = None
    failure: str = ""
    copy: SourceCopy | None = None


@frozen(kw_only=True)
class Outline:
    """Everything that a document will say.

    Attributes:
        ticket: The ticket itself.
        facts: The ticket's own statements: its description first, then its own discussion.
        topics: Other statements by topic, most important topic first.
        code: Statements in and about code, with one topic for each pull request or commit.
        decisions: Decisions that hold, most important first.
        questions: Open questions, and statements that were replaced.
        listed: Relevant items that are only named, in a line each.
        pointers: Maximum lines that name what is quoted further below.
        sections: The sections that plugins add.
        consulted: The accounts that were queried.
        notes: Remarks for the reader on how the document was made.
        gone: Items gone from their source, and when that was noticed.
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
