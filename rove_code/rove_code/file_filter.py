"""Filter files by path, language and role."""

from fnmatch import fnmatchcase
from typing import Annotated, Literal, TypeAlias

from rove_code.model import Filter
from rove_core import WrongCall

#: What a file is there for.
FileKind: TypeAlias = Literal["source", "test", "example", "foreign", "document", "data"]

#: How operations take the three.
PathFilter: TypeAlias = Annotated[
    tuple[str, ...], "Only files in this folder or matching this pattern; may be given again."
]
LanguageFilter: TypeAlias = Annotated[tuple[str, ...], "Only this language; may be given again."]
KindFilter: TypeAlias = Annotated[
    tuple[FileKind, ...], "Only files of this kind; may be given again."
]


def filter_of(
    paths: tuple[str, ...], languages: tuple[str, ...], kinds: tuple[FileKind, ...]
) -> Filter:
    """Return a filter from a person's arguments, or raise WrongCall."""
    from rove_code.parsing.languages import LANGUAGES  # noqa: PLC0415  # few ask for some

    unknown = [name for name in languages if name not in LANGUAGES]
    if unknown:
        raise WrongCall(f"no such language: {unknown[0]!r}", hint=f"One of: {', '.join(LANGUAGES)}")
    return Filter(paths, languages, kinds)


def allows(only: Filter, path: str, kind: str) -> bool:
    """Return whether a filter allows a file.

    Args:
        only: The filter.
        path: The file.
        kind: What the file is there for.
    """
    from rove_code.parsing import language_of  # noqa: PLC0415  # grammars come with it

    return (
        (not only.paths or any(_is_below(path, each) for each in only.paths))
        and (not only.languages or language_of(path) in only.languages)
        and (not only.kinds or kind in only.kinds)
    )


def _is_below(path: str, pattern: str) -> bool:
    folder = pattern.removeprefix("./").rstrip("/")
    return path == folder or path.startswith(f"{folder}/") or fnmatchcase(path, folder)
