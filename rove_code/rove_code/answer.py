"""Results of code questions: the text, its metadata and the index status."""

from collections.abc import Mapping
from datetime import datetime

from attrs import frozen

from rove_code.model import Boost, Extent, UnreadFile


@frozen
class LineSpan:
    """Lines of the answer that are unchanged lines of their file.

    Attributes:
        start_line: The first of them.
        end_line: The last of them.
        start: Where they begin in the file, in characters.
        end: Where they end.
        at: Where they begin in the answer's text.
    """

    start_line: int
    end_line: int
    start: int
    end: int
    at: int


@frozen
class ChunkShown:
    """A chunk that was considered, and what became of it.

    Attributes:
        repository: The repository's folder.
        version: The version's name.
        path: The file.
        start_line: The chunk's first line.
        end_line: Its last line.
        start: Where it begins in the file, in characters.
        end: Where it ends.
        score: How much it matters; only the order means anything.
        reason: What speaks for it.
        extent: How much of it is shown.
        spans: What of it is shown.
    """

    repository: str
    version: str
    path: str
    start_line: int
    end_line: int
    start: int
    end: int
    score: float
    reason: str
    extent: Extent
    spans: tuple[LineSpan, ...]


@frozen
class SearchedVersion:
    """A version that the answer was looked for in.

    Attributes:
        repository: The repository's folder.
        name: Its commit, or ``workspace``.
        commit: The commit that it is or is based on; empty without git.
        files: How many files were read.
        skipped: How many were not.
    """

    repository: str
    name: str
    commit: str
    files: int
    skipped: int


@frozen
class Metadata:
    """Metadata of an answer.

    Attributes:
        budget: How many characters it might have.
        used: How many it has.
        versions: Where it was looked for.
        chunks: What was considered, in the order of the text; what is left out comes last.
        boosts_unknown: What was asked for by name and is not there.
        boosts_cut: What was asked for by name and did not fit.
        words_only: Why vectors, which the settings want, were not asked; empty otherwise.
        near: If nothing fits the question: names in the code that are spelled like one of its
            words, or that have such a word in them.
    """

    budget: int
    used: int
    versions: tuple[SearchedVersion, ...]
    chunks: tuple[ChunkShown, ...]
    boosts_unknown: tuple[Boost, ...] = ()
    boosts_cut: tuple[Boost, ...] = ()
    words_only: str = ""
    near: tuple[str, ...] = ()


@frozen
class CodeAnswer:
    """The code that matters for a question.

    Attributes:
        rag_text: It, between tags, for a model to read.
        metadata: What it is made of.
    """

    rag_text: str
    metadata: Metadata


@frozen
class CodeRefresh:
    """The result of refreshing a repository.

    Attributes:
        repository: Its folder.
        version: The version that was looked at.
        commit: The commit that it is or is based on; empty without git.
        files: How many files there are.
        read: How many had never been taken apart.
        skipped: How many are not read.
    """

    repository: str
    version: str
    commit: str
    files: int
    read: int
    skipped: int


@frozen
class CommentaryResult:
    """The result of generating commentary.

    Attributes:
        files: Of how many files something was said.
        why: Why of no more; empty if all that was wanted was done.
    """

    files: int
    why: str


@frozen
class VersionStatus:
    """Index status of a version of a repository.

    Attributes:
        repository: The repository's folder.
        name: Its commit, or ``workspace``.
        commit: The commit that it is or is based on; empty without git.
        files: How many files it has.
        missing: How many of them were never taken apart; the next question does it.
        size: How many bytes of source they are.
        languages: How many files there are of each language; of none that is known, ``""``.
        skipped: What is not read, and why.
    """

    repository: str
    name: str
    commit: str
    files: int
    missing: int
    size: int
    languages: Mapping[str, int]
    skipped: tuple[UnreadFile, ...]


@frozen
class VectorStatus:
    """Vector status of the requested versions.

    Attributes:
        embedder: Who makes them; empty if that cannot be told.
        dimension: How many numbers each has; 0 if there are none yet.
        chunks: Of how many chunks there are some.
        missing: Of how many files there are none.
        trouble: Why the last attempt to make some failed; empty if it did not.
    """

    embedder: str
    dimension: int
    chunks: int
    missing: int
    trouble: str


@frozen
class CodeStatus:
    """Status of the code index.

    Attributes:
        size: How many bytes it takes on disk.
        changed_at: When something was added last; None if nothing ever was.
        versions: The versions that were asked for.
        vectors: How things stand with vectors; None unless the settings want them.
    """

    size: int
    changed_at: datetime | None
    versions: tuple[VersionStatus, ...]
    vectors: VectorStatus | None = None
