"""Terminal output of memories."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import columns, page, styled_line
from rove_memory.memory.memory_version import MemoryVersion
from rove_memory.memory.model import MemoryItem

if TYPE_CHECKING:
    from rove_memory.memory.decay import DecayReport

_SHORT = 160


def print_memories(items: Sequence[MemoryItem]) -> str:
    """Return memories with their duplicates, contradictions and the reason for each."""
    if not items:
        return "No memory matches."
    heads = columns(
        [(item.key, item.memory_type, _day(item), item.project or "") for item in items],
        drop=(2, 1, 3),
        styles={0: "bold", 1: "cyan", 2: "dim", 3: "dim"},
    )
    lines: list[str] = []
    for item, head in zip(items, heads, strict=True):
        lines += [head, *_indented(_first_line(item.summary or item.content))]
        if item.contradicts:
            lines += _indented(f"contradicted by {', '.join(item.contradicts)}", "yellow")
        if item.also:
            lines += _indented(f"says the same: {', '.join(item.also)}", "dim")
        if item.why:
            lines += _indented(item.why, "dim")
    return page(lines)


def print_memory(item: MemoryItem) -> str:
    """Return one memory in full."""
    facts = [
        f"{item.memory_type}, importance {item.importance}, version {item.version}",
        f"of {item.updated_at:%Y-%m-%d %H:%M}",
        f"session {item.session_id}" if item.session_id else "",
        f"about {', '.join(item.related_items)}" if item.related_items else "",
        f"tags {', '.join(item.tags)}" if item.tags else "",
        f"confidence {item.confidence:g}" if item.confidence < 1 else "",
        f"replaced by {item.superseded_by}" if item.superseded_by else "",
        f"contradicted by {', '.join(item.contradicts)}" if item.contradicts else "",
        "archived" if item.archived else "",
    ]
    return page(
        [
            styled_line(f"{item.key} ({item.id})", "bold"),
            styled_line("; ".join(filter(None, facts)), "dim"),
            *item.content.splitlines(),
        ]
    )


def print_versions(versions: Sequence[MemoryVersion]) -> str:
    """Return the versions of a memory."""
    return page(
        columns(
            [
                (
                    str(one.version),
                    f"{one.valid_from:%Y-%m-%d %H:%M}",
                    f"{one.valid_to:%Y-%m-%d %H:%M}" if one.valid_to else "now",
                    _first_line(one.content),
                )
                for one in versions
            ],
            shrink=(3,),
        )
    )


def print_decay(report: "DecayReport") -> str:
    """Return the memories that decayed."""
    word = "would be archived" if report.dry_run else "archived"
    lines = [f"{report.decayed} of {report.examined} memories {word}"]
    lines += columns(
        [
            (each.key, each.memory_type, f"{each.days_unused} days", f"score {each.score:g}")
            for each in report.archived
        ]
    )
    if unlisted := report.decayed - len(report.archived):
        lines.append(f"and {unlisted} more")
    if report.dry_run and report.archived:
        lines.append("To do it: rove memory decay --no-dry-run")
    return page(lines)


def _indented(text: str, style: str = "") -> list[str]:
    return columns([("", "", text)], shrink=(2,), styles={2: style})


def _first_line(text: str) -> str:
    line = next((line for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= _SHORT else f"{line[:_SHORT]}..."


def _day(item: MemoryItem) -> str:
    return f"{item.updated_at:%Y-%m-%d}"
