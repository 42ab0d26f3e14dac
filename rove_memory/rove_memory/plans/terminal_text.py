"""Terminal output of plans and dependencies."""

from typing import TYPE_CHECKING, Final

from rove_core import columns, page, styled_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_memory.plans.graph_model import (
        BlockerInfo,
        Dependency,
        DependencyGraph,
        DependentInfo,
        WorkSummary,
    )
    from rove_memory.plans.model import LocalPlan
    from rove_memory.plans.ready_operations import ReadyWorkItem

_STATUS: Final = {
    "pending": "○ pending",
    "in_progress": "◐ in progress",
    "completed": "● completed",
    "blocked": "■ blocked",
    "canceled": "✗ canceled",
}
_PRIORITY: Final = ("none", "low", "normal", "high", "urgent")


def print_plan(plan: "LocalPlan") -> str:
    """Return a plan, one fact a line."""
    facts = [
        ("status", _STATUS[plan.status]),
        ("priority", _PRIORITY[plan.priority]),
        ("ticket", plan.external_item_id or ""),
        ("blocked by", ", ".join(plan.blocked_by)),
        ("claimed by", plan.claimed_by),
        ("tags", ", ".join(plan.tags)),
        ("description", plan.description),
    ]
    lines = columns([[name, value] for name, value in facts if value], styles={0: "dim"})
    title = columns([[plan.id, plan.title]], styles={0: "bold cyan", 1: "bold"})
    return page([*title, *(type(line)(f"  {line}") for line in lines)])


def print_plans(plans: "Sequence[LocalPlan]") -> str:
    """Return plans as a table."""
    if not plans:
        return "no open plan; create one with: rove plan create TITLE"
    rows = [
        [
            plan.id,
            _STATUS[plan.status],
            plan.title,
            plan.external_item_id or "",
            _PRIORITY[plan.priority] if plan.priority != _PRIORITY.index("normal") else "",
            f"waits for {', '.join(plan.blocked_by)}" if plan.blocked_by else plan.claimed_by,
        ]
        for plan in plans
    ]
    styles = {0: "bold cyan", 1: "dim", 3: "cyan", 4: "yellow", 5: "dim"}
    return page(columns(rows, shrink=(2, 5), drop=(4, 3), styles=styles))


def print_ready(items: "Sequence[ReadyWorkItem]") -> str:
    """Return the ready items as a table with reasons; on request, the others below."""
    if not items:
        return "nothing is ready; find out why with: rove ready --explain"
    rows = [
        [
            "▶" if item.ready else "·",
            item.id,
            item.title if item.title != item.id else "",
            item.external_item_id or "",
            _PRIORITY[item.priority],
            item.reason,
        ]
        for item in items
    ]
    styles = {0: "green", 1: "bold cyan", 3: "cyan", 4: "yellow", 5: "dim"}
    # That nothing blocks an item matters less than its title; what blocks it does not.
    drop = (3, 4, 5) if all(item.ready for item in items) else (3, 4)
    return page(columns(rows, shrink=(2, 5), drop=drop, styles=styles))


def print_dependency(found: "Dependency") -> str:
    """Return a dependency in a line."""
    words = found.relation.replace("_", " ")
    both = " (both ways)" if found.bidirectional else ""
    return page([f"{found.source_id} {words} {found.target_id}{both}"])


def print_blockers(found: "Sequence[BlockerInfo]") -> str:
    """Return the blockers of an item, indented by distance."""
    if not found:
        return "nothing blocks it"
    return _indent_by_depth([(each.item, each.depth, each.resolved) for each in found])


def print_dependents(found: "Sequence[DependentInfo]") -> str:
    """Return the dependents of an item, indented by distance."""
    if not found:
        return "nothing waits for it"
    return _indent_by_depth([(each.item, each.depth, False) for each in found])


def print_graph(graph: "DependencyGraph") -> str:
    """Return items with their dependencies as a tree, and its cycles."""
    from rove_memory.plans.graph_drawing import tree  # noqa: PLC0415  # only this needs it

    if graph.mermaid:
        return page(graph.mermaid.split("\n"))
    lines = tree(graph).split("\n") if graph.nodes else ["no tickets or plans yet"]
    if graph.left_out:
        lines.append(f"… {graph.left_out} more items: rove plan graph --root-id ID")
    circles = [styled_line(f"cycle: {' → '.join(way)}", "red") for way in graph.cycles]
    return "\n".join([page(lines), *circles])


def _indent_by_depth(found: "Sequence[tuple[WorkSummary, int, bool]]") -> str:
    rows = [
        [
            f"{'· ' * (depth - 1)}{item.id}",
            item.title if item.title != item.id else "",
            "resolved" if done else item.status,
        ]
        for item, depth, done in found
    ]
    return page(columns(rows, shrink=(1,), styles={0: "bold cyan", 2: "dim"}))
