"""Data model of this package: files, declarations, chunks, questions and excerpts.

A file is text: its bytes as UTF-8 or, where they are none, as Latin-1, so that nothing is lost.
Offsets count characters of that text; lines are those that end in a line feed, and count from 1.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

#: Changed whenever the same text would be taken apart otherwise: what was kept is made anew.
FORMAT: Final = 4


def text_of(data: bytes) -> str:
    """Return a file's text; each invalid byte becomes one character."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


@frozen
class Place:
    """A part of a file.

    Attributes:
        start: Where it begins, in characters.
        end: Where it ends: the first character that is no longer part of it.
        first: Its first line.
        last: Its last line, which is part of it.
    """

    start: int
    end: int
    first: int
    last: int


class TypeRelation(StrEnum):
    """The relation of a type to one that it names."""

    EXTENDS = "extends"
    IMPLEMENTS = "implements"


@frozen
class Base:
    """A base type of another one.

    Attributes:
        name: As it is written, without arguments (``Mapping``, ``models.Model``).
        relation: How.
    """

    name: str
    relation: TypeRelation


@frozen
class Declaration:
    """A declaration in a file: a function, class, type or section of a text.

    Attributes:
        name: Its own name.
        kind: ``class``, ``function``, ``method``, ``interface``, ``constant``, ``section``...
        containers: The names of what it stands in, the outermost first.
        place: All of it, with its decorators and the comment that documents it.
        signature: What tells how it is used: all lines before its body.
        doc: The comment or docstring that documents it; None if there is none.
        bases: What it is built on.
    """

    name: str
    kind: str
    containers: tuple[str, ...]
    place: Place
    signature: Place
    doc: Place | None = None
    bases: tuple[Base, ...] = ()

    @property
    def path(self) -> str:
        """Return its qualified name: ``Outer.Inner.name``."""
        return ".".join((*self.containers, self.name))


class Role(StrEnum):
    """The role of a chunk in its file."""

    HEAD = "head"
    """Imports, and the comment or docstring that the file begins with."""
    DECLARATIONS = "declarations"
    """One declaration, or several small neighbours."""
    CONTAINER = "container"
    """What a large class or section says before its members."""
    REST = "rest"
    """Whatever stands between declarations, or all of a file that has none."""


@frozen
class Chunk:
    """Lines of a file that are found, and shown, together. The chunks of a file cover all of it.

    Attributes:
        place: Where: whole lines, next to those of the chunks before and after.
        role: What it is to its file.
        declarations: Which declarations of the file it shows, by their number in it.
        containers: The names of what it stands in, the outermost first.
    """

    place: Place
    role: Role
    declarations: tuple[int, ...] = ()
    containers: tuple[str, ...] = ()


@frozen
class NameReference:
    """A place where a file names something that it, or another, declares.

    Attributes:
        name: What is named, its last part alone (``join`` for ``os.path.join``); a path for a link.
        kind: ``call``, ``type``, ``import``, ``name`` or ``link``.
        line: Where.
        chunk: The number of the chunk that it stands in.
    """

    name: str
    kind: str
    line: int
    chunk: int


@frozen
class ParsedFile:
    """A file, taken apart.

    Attributes:
        language: What it is written in (``python``); empty when that is not known.
        declarations: In the order of the text; what contains others comes before them.
        chunks: In the order of the text, all of it.
        references: In the order of the text; of what was kept, none.
        is_generated: Whether a machine wrote it, or squeezed it: long lines, a word that says so.
    """

    language: str
    declarations: Sequence[Declaration]
    chunks: Sequence[Chunk]
    references: Sequence[NameReference] = ()
    is_generated: bool = False

    def around(self, first: int, last: int) -> Sequence[Declaration]:
        """Return the declarations that enclose lines, outermost first."""
        return [
            each
            for each in self.declarations
            if each.place.first <= first and last <= each.place.last
        ]

    def named(self, name: str) -> Sequence[int]:
        """Return the numbers of the declarations of a name."""
        return [at for at, each in enumerate(self.declarations) if each.name == name]

    def members(self, declaration: Declaration) -> Sequence[Declaration]:
        """Return the direct members of a declaration."""
        inside = (*declaration.containers, declaration.name)
        return [each for each in self.declarations if each.containers == inside]

    def built_on_others(self) -> Sequence[Declaration]:
        """Return the declarations that have bases."""
        return [each for each in self.declarations if each.bases]


@frozen
class FileVersion:
    """A file in one version of a repository.

    Attributes:
        path: Below the repository's root, with slashes.
        blob: What git calls its content; equal content has an equal name, wherever it stands.
        size: In bytes.
    """

    path: str
    blob: str
    size: int


@frozen
class UnreadFile:
    """An existing file that is not read.

    Attributes:
        path: Below the repository's root.
        why: ``too large``, ``binary``, ``a link``, ``a submodule``...
    """

    path: str
    why: str


@frozen
class Version:
    """All files of a repository, as they were at one time.

    Attributes:
        repository: The repository's folder, absolute.
        name: The commit, as 40 hexadecimal digits, or ``workspace``: the files as they are now.
        commit: The commit that it is, or that the working tree is based on; empty without git.
        files: By path.
        skipped: What is not read, and why.
    """

    repository: str
    name: str
    commit: str
    files: tuple[FileVersion, ...]
    skipped: tuple[UnreadFile, ...] = ()


@frozen
class Filter:
    """A file filter of a question; empty means all files.

    Attributes:
        paths: Folders, or patterns of paths (``src/**/*.py``).
        languages: What they are written in.
        kinds: What they are there for: ``source``, ``test``, ``document``...
    """

    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


#: Lets every file answer.
EVERY_FILE: Final = Filter()


class ModelFamily(StrEnum):
    """A family of models that read answers."""

    CLAUDE = "claude"
    OPENAI = "openai"


@frozen
class CodeQuestion:
    """A question.

    Attributes:
        text: What the conversation is about: its last message.
        title: What counts most of all: a ticket's title; empty if there is none.
        budget: How many characters the answer may have.
        boosted: What is to be shown in any case.
        earlier: What was said before that, the latest first: it counts less.
        only: Which files may answer.
        family: The models that the answer is for.
    """

    text: str
    budget: int
    title: str = ""
    boosted: "tuple[Boost, ...]" = ()
    earlier: tuple[str, ...] = ()
    only: Filter = EVERY_FILE
    family: ModelFamily = ModelFamily.CLAUDE


@frozen
class Boost:
    """A file or declaration that the question names.

    Attributes:
        path: The file.
        declaration: The declaration in it, as ``Outer.name``; empty for all of the file.
        whole: Whether with its implementation, or just what it declares.
        repository: Which of several repositories; empty for the first that has it.
    """

    path: str
    declaration: str = ""
    whole: bool = True
    repository: str = ""


@frozen
class ScoredChunk:
    """A chunk that may answer a question.

    Attributes:
        repository: The number of its repository among those that are asked.
        file: The number of its file in that repository's version.
        chunk: Its number in the file.
        score: How much it matters; more is better, and only the order means anything.
        reason: What speaks for it, in a few words a person can read.
    """

    repository: int
    file: int
    chunk: int
    score: float
    reason: str


@frozen
class DeclarationSite:
    """The location of a declaration.

    Attributes:
        repository: The number of its repository among those that are asked.
        file: The number of its file in that repository's version.
        declaration: Its number in the file.
    """

    repository: int
    file: int
    declaration: int


@frozen
class SignatureLine:
    """A declaration shown as one line: what a further file offers.

    Attributes:
        site: Which.
        score: How much it matters; more is better, and only the order means anything.
        reason: What speaks for it, in a few words a person can read.
    """

    site: DeclarationSite
    score: float
    reason: str


@frozen
class Ranking:
    """The ranked results of a question.

    Attributes:
        versions: Where it was looked for, in the order of the question's repositories.
        scored: The chunks that may answer it, the best first.
        signatures: The declarations that are worth a line, the best first, at most one per file;
            each is found out when it is come to.
        parsed: Gives a file, taken apart, by the numbers of its repository and its own.
        declaring: Gives where something of this name is declared.
        relevance: Gives for each of some lines how much it has to do with the question; 0 is none.
        passage_score: Gives how well a text fits that declares some names; 0 is not at all.
    """

    versions: tuple[Version, ...]
    scored: tuple[ScoredChunk, ...]
    signatures: Iterable[SignatureLine]
    parsed: Callable[[int, int], ParsedFile]
    declaring: Callable[[str], Sequence[DeclarationSite]]
    relevance: Callable[[Sequence[str]], Sequence[float]]
    passage_score: Callable[[str, Sequence[str]], float]


@frozen
class ShownLines:
    """Lines of a chunk that are shown unchanged.

    Attributes:
        place: Where they stand: whole lines.
        text: Them.
    """

    place: Place
    text: str

    def followed_by(self, other: "ShownLines") -> "ShownLines":
        """Return these lines joined with the adjacent ones."""
        place = Place(self.place.start, other.place.end, self.place.first, other.place.last)
        return ShownLines(place, self.text + other.text)


class Extent(StrEnum):
    """The shown extent of a chunk."""

    INCLUDED = "included"
    """All of it."""
    PARTIAL = "partial"
    """The lines of a long one that have most to do with the question."""
    SIGNATURE = "signature"
    """A part of it, for the sake of others: what it declares, or what stands around them."""
    ELIDED = "elided"
    """Nothing: there was no room for it."""


@frozen
class ExcerptPiece:
    """A chunk, shown or not.

    Attributes:
        scored: Which chunk, and why.
        place: Where the whole chunk stands.
        shown: What of it is shown, in the order of the file; nothing when it is left out.
        extent: How much that is.
    """

    scored: ScoredChunk
    place: Place
    shown: tuple[ShownLines, ...]
    extent: Extent


@frozen
class FileExcerpt:
    """The excerpt of one file.

    Attributes:
        repository: The repository's folder.
        version: The version's name.
        path: The file.
        language: What it is written in.
        pieces: In the order of the file.
        notes: What is said of it: ``Basket extends Container``.
        is_further: Whether it is one of many of which a signature each is shown, together.
        blob: What git calls its content.
    """

    repository: str
    version: str
    path: str
    language: str
    pieces: tuple[ExcerptPiece, ...]
    notes: tuple[str, ...] = ()
    is_further: bool = False
    blob: str = ""
