"""The manifest that agents read: one line per file, newest first, within a budget."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from rove_core import clean, counted, estimated_tokens
from rove_folder import phrases
from rove_folder.files.kinds import FileKind
from rove_folder.project_folder import RELINK
from rove_folder.storage.files import ManifestFile
from rove_folder.storage.projects import LinkedProject
from rove_folder.storage.usage import milliseconds
from rove_folder.summary.line import shortened

OPENING: Final = "<linked_folder>"
CLOSING: Final = "</linked_folder>"
#: What the block may take of an agent's context.
MOST_TOKENS: Final = 3_000
#: How long a summary may be there: the longest with which all files fit.
WIDTHS: Final = (500, 300, 200, 140, 100)
#: No line of a file has fewer tokens.
_LEAST: Final = 4
_MINUTE: Final = 60_000
_AGES: Final = ((1_440 * _MINUTE, "d"), (60 * _MINUTE, "h"), (_MINUTE, "min"))


def linked_folder_block(
    project: LinkedProject,
    files: Sequence[ManifestFile],
    now: datetime,
    *,
    most: int = MOST_TOKENS,
) -> str:
    """Return the block that lists the files for an agent.

    Args:
        project: The project; its folder is linked.
        files: Its files, newest first.
        now: The time.
        most: How many tokens it may take.
    """
    place = plain_name(project.folder_path or "")
    head = (
        f"{OPENING}\npath: {place} ({counted(len(files), 'file')},"
        f" scanned {age(project.scanned_at, now)})\nfiles:"
    )
    # The last line is counted as if it were there: its number has at most this many digits.
    room = (
        most
        - estimated_tokens(f"{head}\n{CLOSING}\n")
        - estimated_tokens(phrases.omitted(len(files)) + "\n")
    )
    lines = _fit_lines(files, room)
    if len(lines) < len(files):
        lines = [*lines, phrases.omitted(len(files) - len(lines))]
    return "\n".join([head, *lines, CLOSING])


def gone_folder_block(project: LinkedProject) -> str:
    """Return the block of a folder that is gone: it lists no file that cannot be read."""
    gone = phrases.folder_gone(plain_name(project.folder_path or ""))
    return f"{OPENING}\n{gone}\n{RELINK}\n{CLOSING}"


def manifest_line(path: str, kind: FileKind, summary: str | None, width: int = WIDTHS[0]) -> str:
    """Return the line of a file: its path, its kind and its summary."""
    return f"- /{plain_name(path)} [{kind}] {shortened(summary or '', width)}".rstrip()


def age(moment: int | None, now: datetime) -> str:
    """Return how long ago a moment in milliseconds was."""
    if moment is None:
        return "never"
    passed = max(0, milliseconds(now) - moment)
    for unit, name in _AGES:
        if passed >= unit:
            return f"{passed // unit}{name} ago"
    return "just now"


def plain_name(name: str) -> str:
    """Return a foreign name in a form that can only be read as a name."""
    plain = " ".join(clean(name.replace("\n", " ")).split(" "))
    return plain.replace("<", "(").replace(">", ")")


def _fit_lines(files: Sequence[ManifestFile], room: int) -> list[str]:
    """Return the lines of as many files as fit, with summaries as long as that allows."""
    lines: list[str] = []
    for width in WIDTHS:
        lines = [
            manifest_line(each.path, each.kind, each.summary, width)
            for each in files[: room // _LEAST]
        ]
        fits = sum(estimated_tokens(f"{line}\n") for line in lines) <= room
        if fits and len(lines) == len(files):
            return lines
    head: list[str] = []
    for line in lines:
        room -= estimated_tokens(f"{line}\n")
        if room < 0:
            break
        head.append(line)
    return head
