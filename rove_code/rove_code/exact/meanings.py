"""Meanings of a name: a declaration, a module, a list, or something external."""

from typing import Final, TypeAlias

from attrs import frozen

from rove_code.exact.results import Sure


@frozen
class Target:
    """A declaration: its file and qualified name."""

    path: str
    name: str


@frozen
class Module:
    """A module, as the files that it is made of."""

    files: tuple[str, ...]


@frozen
class ResolvedDeclaration:
    """Something that is declared, and how sure it is that it is meant.

    Attributes:
        target: The declaration.
        is_instance: Whether an object of that class is meant.
        sure: How sure it is.
        receiver: The class of the object that a method was asked of.
    """

    target: Target
    is_instance: bool = False
    sure: Sure = Sure.IMPORT
    receiver: Target | None = None


@frozen
class Elements:
    """A list, by what its elements are."""

    each: ResolvedDeclaration


@frozen
class Elsewhere:
    """Something that is not declared in the repository."""


#: What a chain comes to; None if that is not known.
Meaning: TypeAlias = Module | ResolvedDeclaration | Elements | Elsewhere | None
ELSEWHERE: Final = Elsewhere()
