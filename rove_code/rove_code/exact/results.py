"""Result types of exact answers."""

from enum import StrEnum

from attrs import frozen


class Sure(StrEnum):
    """How sure a resolution is."""

    IMPORT = "import"
    """It is declared in the same file or package, or imported from where it is declared."""
    TYPE = "type"
    """The type of the object is known from an annotation, a constructor or a class."""
    NAME = "name"
    """Only the name matches."""


@frozen
class Symbol:
    """A declaration.

    Attributes:
        path: The file.
        line: Its first line.
        name: Its name, with those it stands in.
        kind: What it is: ``class``, ``function``, ``section``...
        text: Its first line.
    """

    path: str
    line: int
    name: str
    kind: str
    text: str


@frozen
class AnswerLine:
    """A line that answers.

    Attributes:
        path: The file.
        line: The line.
        inside: The declaration that it stands in, or is; empty for none.
        sure: How sure it is: ``import``, ``type`` or ``name``.
        how: How it uses the name, or what it is.
        text: The line.
        steps: How many steps it is away; 1 for the nearest.
        of: Which declaration it is about.
    """

    path: str
    line: int
    inside: str
    sure: str
    how: str
    text: str
    steps: int = 1
    of: str = ""


@frozen
class ExactAnswer:
    """A question about a name, with all its answers.

    Attributes:
        asked: What was asked: ``callers``, ``refs``...
        name: Of which name.
        symbols: The declarations that have the name.
        places: What answers, the surest first.
        total: How many answer; more than there are places if the limit cut them.
        unsure: How many more use the same name, of an object whose type is not known.
        unread: How many files that have the name are in languages whose names Rove cannot resolve.
    """

    asked: str
    name: str
    symbols: tuple[Symbol, ...]
    places: tuple[AnswerLine, ...]
    total: int
    unsure: int = 0
    unread: int = 0


class How(StrEnum):
    """The kind of a declaration's change."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@frozen
class ChangedDeclaration:
    """A declaration that differs between two versions.

    Attributes:
        path: The file.
        name: The declaration; empty for what stands outside of any.
        how: How it differs.
        line: Its line in the version where it is last.
        text: Its first line there.
    """

    path: str
    name: str
    how: How
    line: int
    text: str


@frozen
class Changes:
    """The declarations that differ between two versions.

    Attributes:
        since: The older version.
        at: The newer one.
        changed: Them, by path.
    """

    since: str
    at: str
    changed: tuple[ChangedDeclaration, ...]
