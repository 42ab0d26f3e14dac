"""Terminal output of the sync."""

from collections.abc import Iterator, Sequence
from typing import Final

from rove_core import columns, counted, page, styled_line
from rove_memory.sessions.first_line import first_line
from rove_memory.sync.model import ChangeInfo, SyncResult, SyncRun, SyncStatusInfo

#: How much of a value a table shows; JSON has the whole.
_SHOWN: Final = 60
_HOUR: Final = 60


def print_pull(result: SyncResult) -> str:
    """Return the result of a pull."""
    head = (
        f"{result.items_created} new, {result.items_updated} changed, "
        f"{result.items_deleted} gone, {result.items_unchanged} unchanged"
    )
    left = f"; {result.items_left} left for the next pull" if result.items_left else ""
    note = [styled_line(result.note, "dim")] if result.note else []
    return page([f"{head}{left}", *note, *_remaining_lines(result)])


def print_push(result: SyncResult) -> str:
    """Return the result of a push, or what it would write."""
    if result.planned:
        lines = columns(map(_row, result.planned), shrink=(3,), styles={0: "dim", 1: "bold cyan"})
        count = counted(len(result.planned), "edit")
        return page([f"{count} would be sent; nothing was:", *lines])
    if not (result.changes_sent or result.changes_waiting or result.errors or result.conflicts):
        return "No edits wait to be sent."
    return page([f"{counted(result.changes_sent, 'edit')} sent", *_remaining_lines(result)])


def print_status(status: SyncStatusInfo) -> str:
    """Return how current the tickets are, and what waits."""
    if status.last_pull_at is None:
        return "No ticket read yet. Read one: rove ticket show TB-123"
    head = (
        f"{counted(status.tickets, 'ticket')} known, last read on "
        f"{status.last_pull_at:%Y-%m-%d %H:%M} UTC{_oldest(status.staleness_seconds)}"
    )
    waiting = f"{counted(status.pending_changes, 'edit')} waiting"
    if status.last_push_at:
        waiting += f"; last sent on {status.last_push_at:%Y-%m-%d %H:%M} UTC"
    lines = columns(map(_row, status.pending), shrink=(3,), styles={0: "dim", 1: "bold cyan"})
    decisions = _decisions(status.conflicts, status.dead_letters)
    reasons = dict.fromkeys(each.reason for each in status.pending if each.attempts)
    errors = filter(None, dict.fromkeys([*reasons, status.last_error or ""]))
    return page(
        [head, waiting, *lines, *decisions, *(styled_line(each, "yellow") for each in errors)]
    )


def _oldest(seconds: int) -> str:
    minutes = seconds // 60
    old = f"{minutes} min" if minutes < _HOUR else f"{minutes / _HOUR:.0f} h"
    return f"; the oldest {old} ago" if minutes else ""


def print_conflicts(changes: Sequence[ChangeInfo]) -> str:
    """Return the edits that were not taken over, each with the way to decide."""
    if not changes:
        return "No edit needs a decision."
    lines: list[str] = []
    for each in changes:
        lines += columns([_row(each)], shrink=(3,), styles={0: "dim", 1: "bold cyan"})
        there = f"; the tracker has {_short(each.remote)}" if each.remote else ""
        lines.append(styled_line(f"    {each.status}: {each.reason}{there}", "yellow"))
    ways = "rove sync resolve ID keep_local | keep_remote | merge"
    return page([*lines, styled_line(f"Decide with: {ways}", "dim")])


def print_resolved(is_sent: bool) -> str:  # noqa: FBT001  # what the operation returns
    """Return what becomes of an edit that was decided."""
    return "It will be sent: rove sync push" if is_sent else "The tracker's value is kept."


def print_log(runs: Sequence[SyncRun]) -> str:
    """Return the latest pulls and pushes."""
    if not runs:
        return "No pull or push yet."
    lines: list[str] = []
    for run in runs:
        did = (
            f"{run.items_created} new, {run.items_updated} changed, {run.items_deleted} gone"
            if run.direction == "pull"
            else f"{counted(sum(each.status == 'synced' for each in run.changes), 'edit')} sent"
        )
        at = f"{run.started_at:%Y-%m-%d %H:%M:%S}"
        lines += columns([[at, run.direction, run.account, run.status, did]])
        lines += [f"    {line}" for line in columns(map(_settled_row, run.changes), shrink=(3,))]
        lines += [styled_line(f"    {each}", "yellow") for each in run.errors]
    return page(lines)


def _remaining_lines(result: SyncResult) -> Iterator[str]:
    if result.changes_waiting:
        waiting = f"{counted(result.changes_waiting, 'edit')} waiting"
        if result.retry_at:
            at = f"{result.retry_at:%Y-%m-%d %H:%M}"
            yield f"{waiting}, tried again at {at} UTC; send them now: rove sync push --force"
        else:
            yield f"{waiting}: rove sync status"
    yield from _decisions(result.conflicts, 0)
    yield from (styled_line(each, "yellow") for each in result.errors)


def _decisions(conflicts: int, dead: int) -> Iterator[str]:
    if conflicts or dead:
        parts = [counted(conflicts, "conflict")] if conflicts else []
        parts += [f"{counted(dead, 'edit')} refused"] if dead else []
        yield styled_line(f"{', '.join(parts)}: rove sync conflicts", "yellow")


def _row(change: ChangeInfo) -> list[str]:
    return [change.id, change.ticket, change.field or change.change_type, _show_change(change)]


def _settled_row(change: ChangeInfo) -> list[str]:
    return [*_row(change)[1:], change.status]


def _show_change(change: ChangeInfo) -> str:
    if change.change_type == "field":
        return f"{_short(change.before) or '(none)'} → {_short(change.value) or '(none)'}"
    return _short(change.value)


def _short(text: str) -> str:
    line = first_line(text)
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
