"""Terminal output of the code operations."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rove_code.answer import (
    CodeAnswer,
    CodeRefresh,
    CodeStatus,
    CommentaryResult,
    VectorStatus,
    VersionStatus,
)
from rove_code.model import Boost, UnreadFile
from rove_code.tags import one_line
from rove_core import counted, page, visible

_MANY: Final = 20
#: What a terminal obeys: all control characters but those that end a line or stand in one.
_OBEYED: Final = {
    code: "\N{REPLACEMENT CHARACTER}"
    for code in (*range(32), *range(127, 160))
    if code not in b"\t\n\r"
}
_UNITS: Final = ("bytes", "kB", "MB", "GB")


def print_answer(answer: CodeAnswer) -> str:
    """Return the text as a model reads it, and the requests that could not be met."""
    metadata = answer.metadata
    notes = [
        *(f"not there: {_named(each)}" for each in metadata.boosts_unknown),
        *(f"did not fit: {_named(each)}" for each in metadata.boosts_cut),
        *([f"found by words alone: {metadata.words_only}"] if metadata.words_only else []),
    ]
    return "\n".join([print_code(answer.rag_text), *notes])


def print_code(text: str) -> str:
    """Return code without terminal control characters."""
    return text.rstrip("\n").translate(_OBEYED)


def print_refreshed(refreshed: CodeRefresh) -> str:
    """Return what became of looking again, in a line."""
    base = f", based on {refreshed.commit[:12]}" if refreshed.commit else ""
    return visible(
        f"{refreshed.repository}: {counted(refreshed.files, 'file')}{base};"
        f" {refreshed.read} were new, {refreshed.skipped} are not read"
    )


def print_commented(commented: CommentaryResult) -> str:
    """Return the number of described files, as a line."""
    why = f": {commented.why}" if commented.why else ""
    return visible(f"commented on {counted(commented.files, 'file')}{why}")


def print_status(status: CodeStatus) -> str:
    """Return the status, one fact per line."""
    changed = f", last added to {status.changed_at:%Y-%m-%d %H:%M} UTC" if status.changed_at else ""
    return page(
        [
            f"kept here: {_size(status.size)}{changed}",
            *(line for each in status.versions for line in _version(each)),
            *(_vectors(status.vectors) if status.vectors else []),
        ]
    )


def _vectors(vectors: VectorStatus) -> Iterator[str]:
    yield f"vectors: {vectors.embedder or 'none'}"
    if vectors.embedder:
        missing = f"; {vectors.missing} files have none yet" if vectors.missing else ""
        yield f"  {vectors.chunks} of {vectors.dimension} numbers{missing}"
    if vectors.trouble:
        yield f"  {vectors.trouble}"


def _version(version: VersionStatus) -> Iterator[str]:
    yield f"{version.repository} ({version.name})"
    if version.commit and version.commit != version.name:
        yield f"  based on {version.commit}"
    missing = f"; {version.missing} are yet to be taken apart" if version.missing else ""
    yield f"  {counted(version.files, 'file')}, {_size(version.size)}{missing}"
    for language, count in version.languages.items():
        yield f"  {count:7} {language or 'of no language that is known'}"
    if version.skipped:
        yield from _skipped(version.skipped)


def _skipped(skipped: tuple[UnreadFile, ...]) -> Iterator[str]:
    yield f"  not read: {len(skipped)}"
    for why, count in Counter(each.why for each in skipped).most_common():
        yield f"  {count:7} {why}"
    for each in skipped[:_MANY]:
        yield (
            f"          {each.path!a}: {each.why}"
            if not each.path.isprintable()
            else (f"          {each.path}: {each.why}")
        )
    if len(skipped) > _MANY:
        yield f"          and {len(skipped) - _MANY} more: see them with --json"


def _named(boost: Boost) -> str:
    return one_line(f"{boost.path}#{boost.declaration}" if boost.declaration else boost.path)


def _size(size: float) -> str:
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.0f} {_UNITS[unit]}" if not unit else f"{size:.1f} {_UNITS[unit]}"
