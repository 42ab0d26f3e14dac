"""Terminal output of sessions."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rove_core import columns, counted, page, styled_line, wrapped
from rove_memory.sessions.first_line import first_line
from rove_memory.sessions.session_rows import UNKNOWN

if TYPE_CHECKING:
    from rove_memory.sessions.full_context import SessionContext
    from rove_memory.sessions.model import SessionInfo
    from rove_memory.sessions.summaries import SessionSummary
    from rove_memory.work_state import BlockingItem, CriterionState

#: Columns of a terminal this wide can be read.
_NARROW: Final = 60
_MARKS = {"verified": "x", "failed": "!", "blocked": "-", "in_progress": "~", "pending": " "}


def print_info(info: "SessionInfo") -> str:
    """Return a session that starts or resumes."""
    return page(_info(info))


def print_context(context: "SessionContext") -> str:
    """Return the context of a session."""
    lines = [*_info(context.session, is_start=False)]
    if context.acceptance_criteria:
        lines += ["", "Acceptance criteria:", *_criteria(context.acceptance_criteria)]
    if context.memory:
        lines += [
            "",
            "Remembered:",
            *columns([("", m.key, first_line(m.content)) for m in context.memory], shrink=(2,)),
        ]
    if context.events:
        lines += ["", "Notes:"]
        lines += columns(
            [
                ("", f"{event.created_at:%m-%d %H:%M}", event.event_type, first_line(event.content))
                for event in context.events
            ],
            shrink=(3,),
        )
    if context.events_left_out:
        lines.append(f"({context.events_left_out} earlier notes are not shown)")
    return page(lines)


def print_summary(summary: "SessionSummary") -> str:
    """Return a session that has ended."""
    minutes = round(summary.duration_seconds / 60)
    return page(
        [
            (
                f"Session {summary.session_id} ended: {summary.outcome}, {minutes} min, "
                f"{counted(summary.events_count, 'note')}, "
                f"{counted(summary.memories_created, 'memory', 'memories')}, "
                f"{counted(summary.ac_verified, 'criterion', 'criteria')} verified, "
                f"{summary.ac_failed} failed"
            ),
            *map(_closed, summary.closed),
            *(f"No longer claimed: {line}" for line in summary.released),
            *summary.summary.splitlines(),
        ]
    )


def _closed(line: str) -> str:
    return line if line.endswith(UNKNOWN) else f"Closed {line}"


def _info(info: "SessionInfo", *, is_start: bool = True) -> Iterator[str]:
    what = "resumed" if info.resumed else "started"
    word = what if is_start and info.status == "active" else info.status
    on = f" on {info.external_item.identifier}" if info.external_item else ""
    yield styled_line(f"Session {info.session_id}{on} {word}", "bold")
    if info.external_item and info.external_item.title != info.external_item.identifier:
        yield f"  {info.external_item.title}"
    for warning in info.warnings:
        yield styled_line(f"  Note: {warning}", "yellow")
    if info.last_session_summary:
        yield "Last session:"
        yield from (f"  {line}" for line in info.last_session_summary.splitlines())
    if info.acceptance_criteria:
        yield "Acceptance criteria:"
        yield from _criteria(info.acceptance_criteria)
    if info.blocking_items:
        yield "Blocked by:"
        yield from _blockers(info.blocking_items)
    if info.recent_memory:
        yield "Remembered:"
        yield from _memories(
            [(item.key, first_line(item.summary or item.content)) for item in info.recent_memory]
        )
    if info.ready_work:
        yield "Ready:"
        yield from columns([("", line) for line in info.ready_work], shrink=(1,))


def _memories(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield memories in columns; on a narrow terminal, which would cut them, in whole sentences."""
    lines = columns([("", *row) for row in rows], shrink=(2,))
    if max(map(len, lines)) < _NARROW and any(line.endswith("…") for line in lines):
        lines = [line for row in rows for line in wrapped(f"  {': '.join(row)}", indent="    ")]
    yield from lines


def _criteria(criteria: "Sequence[CriterionState]") -> Iterator[str]:
    yield from columns(
        [("", f"[{_MARKS[one.status]}] {one.number}", one.id, one.text) for one in criteria],
        shrink=(3,),
        drop=(2,),
    )


def _blockers(items: "Sequence[BlockingItem]") -> Iterator[str]:
    yield from columns([("", one.id, one.status, one.title) for one in items], shrink=(3,))
