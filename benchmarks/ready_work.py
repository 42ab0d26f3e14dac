"""What ready work costs in a graph of thousands of plans, and whether a plain program agrees."""

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from attrs import frozen

from benchmarks.memory import NOW, a_project, cpu, part
from rove_core.operations import finish
from rove_core.project.local import LocalProject
from rove_memory.plans.ready_operations import get_ready_work
from rove_memory.store import ProjectStore
from rove_memory.store.values import time_text

#: The most milliseconds of CPU that a question may take, at the 95th percentile.
MOST: Final = 20.0
LIMIT: Final = 10
_STATUSES: Final = ("pending", "pending", "pending", "in_progress", "completed", "canceled")
_DONE: Final = ("completed", "canceled")


@frozen
class Step:
    """One plan of the graph.

    Attributes:
        id: Its id.
        status: Its status.
        priority: 0 to 4.
        created_at: When it was made.
        order: Its place among plans of the same moment.
    """

    id: str
    status: str
    priority: int
    created_at: datetime
    order: int


def main() -> int:
    """Print the CPU of questions; return 1 if one is wrong or they take too long."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks ready_work", description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--edges", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    steps, edges = drawn(options.nodes, options.edges, options.seed)
    with a_project() as store:
        write(store, steps, edges)
        rove = LocalProject.at(store.places.root, store.clock)

        def ask() -> list[str]:
            return [each.id for each in finish(get_ready_work(rove, limit=LIMIT))]

        found, expected = ask(), ready(steps, edges)[:LIMIT]
        taken = [1e3 * cpu(ask, times=1) for _ in range(options.runs)]
    print(f"{len(steps)} plans, {len(edges)} dependencies that block, {options.runs} questions")
    print(f"ready work: CPU p50 {part(taken, 0.5):.1f} ms, p95 {part(taken, 0.95):.1f} ms")
    print(f"a plain program finds the same: {'yes' if found == expected else 'no'}")
    return int(found != expected or part(taken, 0.95) > MOST)


def drawn(nodes: int, edges: int, seed: int) -> tuple[list[Step], set[tuple[int, int]]]:
    """Return plans in many statuses, and which of them blocks which, without cycles."""
    chance = random.Random(seed)  # noqa: S311  # the same graph in every run
    steps = [
        Step(
            id=f"p-{at:06}",
            status=chance.choice(_STATUSES),
            priority=chance.randint(0, 4),
            created_at=NOW - timedelta(minutes=chance.randint(0, 90 * 24 * 60)),
            order=at,
        )
        for at in range(nodes)
    ]
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < min(edges, nodes * (nodes - 1) // 2):
        one, other = sorted((chance.randrange(nodes), chance.randrange(nodes)))
        if one != other:
            pairs.add((one, other))
    return steps, pairs


def write(store: ProjectStore, steps: Sequence[Step], edges: set[tuple[int, int]]) -> None:
    """Write the graph into a project's database."""

    def at(step: Step) -> str:
        return time_text(step.created_at)

    with store.writing() as db:
        project, now = store.project_id(db), store.now()
        db.executemany(
            "INSERT INTO local_plans (id, project_id, title, status, priority, order_index, "
            "created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (one.id, project, one.id, one.status, one.priority, one.order, at(one), now)
                for one in steps
            ],
        )
        db.executemany(
            "INSERT INTO dependencies (id, source_type, source_id, target_type, target_id, "
            "relation, created_at) VALUES (?, 'local', ?, 'local', ?, 'blocks', ?)",
            [
                (f"d-{number}", steps[one].id, steps[other].id, now)
                for number, (one, other) in enumerate(sorted(edges))
            ],
        )


def ready(steps: Sequence[Step], edges: set[tuple[int, int]]) -> list[str]:
    """Return the ready plans as the plainest program finds them, in their order."""
    blockers: Mapping[int, list[Step]] = defaultdict(list)
    for one, other in edges:
        blockers[other].append(steps[one])
    free = [
        step
        for at, step in enumerate(steps)
        if step.status == "pending" and all(each.status in _DONE for each in blockers[at])
    ]
    free.sort(key=lambda step: (-step.priority, step.created_at, step.order))
    return [step.id for step in free]


if __name__ == "__main__":
    sys.exit(main())
