"""Summarise a session from its notes, without a model."""

from collections.abc import Iterator, Sequence
from typing import Final

from rove_core import counted
from rove_memory.sessions.event_model import SessionEvent
from rove_memory.sessions.events import IMPORTANCE
from rove_memory.sessions.first_line import first_line
from rove_memory.sessions.session_rows import NOTHING_NOTED

_TITLES: Final = {
    "decision": "Decided",
    "discovery": "Found out",
    "progress": "Progress",
    "blocker": "Blocked by",
    "error": "Went wrong",
    "note": "Noted",
}
_OF_EACH: Final = 5


def summary_of(
    events: Sequence[SessionEvent],
    *,
    files: int,
    commits: int,
    verified: int = 0,
    failed: int = 0,
) -> str:
    """Return a summary: the most important notes of each kind, the criteria, and git facts.

    Args:
        events: The notes, oldest first.
        files: How many files changed.
        commits: How many commits were made.
        verified: How many criteria were verified.
        failed: How many criteria failed.
    """
    lines = [line for kind in _TITLES for line in _of_kind(events, kind)]
    if verified or failed:
        criteria = counted(verified, "criterion", "criteria")
        lines.append(f"{criteria} verified, {failed} failed.")
    if files or commits:
        lines.append(f"{counted(files, 'file')} changed, {counted(commits, 'commit')}.")
    return "\n".join(lines) or NOTHING_NOTED


def _of_kind(events: Sequence[SessionEvent], kind: str) -> Iterator[str]:
    own = [event for event in events if event.event_type == kind]
    if kind == "note":
        own = [event for event in own if event.importance != "low"]
    best = sorted(own, key=lambda event: -IMPORTANCE[event.importance])[:_OF_EACH]
    title = f"{_TITLES[kind]}: "
    lines = [first_line(event.content).removeprefix(title) for event in own if event in best]
    if lines:
        more = f" (and {len(own) - len(lines)} more)" if len(own) > len(lines) else ""
        yield f"{title}{'; '.join(lines)}{more}"
