"""What blocks what, and what is ready: compared with the plainest program that gives the answer."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from sqlite3 import Connection, Row, connect

import pytest

from rove_core import WrongCall
from rove_memory.plans.graph import DependencyKind, Edge, GraphItem, WorkGraph, WorkKey
from rove_memory.plans.graph_drawing import mermaid, tree
from rove_memory.plans.items import load_around, load_graph
from rove_memory.plans.ready import Claim, Viewer, explained
from rove_memory.plans.ready_work import explained_work, ready_work
from rove_memory.plans.statuses import LEGAL, check_change
from rove_memory.plans.summaries import listed
from rove_memory.store.migrations import PROJECT_MIGRATIONS
from rove_memory.store.values import time_text

EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "100"))
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
VIEWER = Viewer(now=NOW, owner="me", names={"ana"})
_CATEGORIES = {
    "pending": "todo",
    "blocked": "in_progress",
    "in_progress": "in_progress",
    "completed": "done",
    "canceled": "canceled",
}


def _item(name: str, status: str = "pending", **more: object) -> GraphItem:
    values = {
        "key": WorkKey("local", name),
        "name": name,
        "title": f"Step {name}",
        "status": status,
        "category": _CATEGORIES[status],
        "created_at": NOW,
    }
    return GraphItem(**{**values, **more})  # type: ignore[arg-type]  # as the test says


def _graph(items: list[GraphItem], *edges: str) -> WorkGraph:
    """Return a graph of items and edges like ``a blocks b``."""
    keys = {item.name: item.key for item in items}
    told = (edge.split() for edge in edges)
    found = [Edge(keys[a], keys[b], relation) for a, relation, b in told]  # type: ignore[arg-type]  # one of the four
    return WorkGraph({item.key: item for item in items}, found)


def _drawn(seed: int) -> tuple[WorkGraph, dict[WorkKey, Claim]]:
    """Draw a graph with circles, canceled blockers, deleted items and all sorts of edges."""
    chance = Random(seed)  # noqa: S311  # the same graphs in every run
    items = [
        _item(
            f"p{at}",
            chance.choice(["pending", "pending", *_CATEGORIES]),
            key=WorkKey(chance.choice(["local", "external"]), f"p{at}"),
            priority=chance.randint(0, 4),
            created_at=NOW - timedelta(days=chance.randint(0, 3)),
            gone=chance.random() < 0.1,
            assignee=chance.choice(["", "", "Ana", "Ben, Ana", "Ben"]),
        )
        for at in range(chance.randint(1, 12))
    ]
    keys = [item.key for item in items]
    ends = [*keys, WorkKey("local", "deleted")]
    relations: list[DependencyKind] = ["blocks", "blocks", "parent_of", "related_to"]
    edges = [
        Edge(chance.choice(ends), chance.choice(ends), chance.choice(relations))
        for _ in range(chance.randint(0, 20))
    ]
    claims = {
        key: Claim(
            owner=chance.choice(["me", "other"]),
            lease_until=NOW + timedelta(hours=chance.randint(-1, 1)),
        )
        for key in chance.sample(keys, chance.randint(0, len(keys)))
    }
    return WorkGraph({item.key: item for item in items}, edges), claims


def _oracle(graph: WorkGraph, claims: Mapping[WorkKey, Claim]) -> list[WorkKey]:
    """Return what is ready, by looking at every edge for every item."""
    found = []
    for item in graph.items.values():
        blocked = any(
            edge.target == item.key
            and edge.relation == "blocks"
            and edge.source in graph.items
            and not graph.items[edge.source].gone
            and graph.items[edge.source].status not in ("completed", "canceled")
            for edge in graph.edges
        )
        claim = claims.get(item.key)
        taken = claim is not None and claim.owner != "me" and claim.lease_until > NOW
        others = item.assignee == "Ben"
        if item.status == "pending" and not (item.gone or blocked or taken or others):
            found.append(item)
    order = {"external": 0, "local": 1}
    found.sort(key=lambda each: each.key.id)
    found.sort(key=lambda each: order[each.key.type])
    found.sort(key=lambda each: each.created_at)
    found.sort(key=lambda each: each.priority, reverse=True)
    return [item.key for item in found]


@pytest.fixture(scope="module")
def tables() -> Iterator[Connection]:
    """Give the empty tables of a project, without what refers to whom."""
    with closing(connect(":memory:", isolation_level=None)) as db:
        db.row_factory = Row
        for script in PROJECT_MIGRATIONS:
            db.executescript(script)
        db.execute("PRAGMA foreign_keys = OFF")
        yield db


def _write(db: Connection, graph: WorkGraph, claims: Mapping[WorkKey, Claim]) -> None:
    """Let the tables hold a graph and nothing else."""
    for table in ("local_plans", "external_items", "dependencies", "work_claims"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608  # our own names
    for item in graph.items.values():
        at = time_text(item.created_at)
        values = [item.key.id, "here", item.title, item.status, item.priority, at]
        if item.key.type == "local":
            db.execute(
                "INSERT INTO local_plans (id, project_id, title, status, priority, created_at, "
                "updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [*values, at],
            )
        else:
            db.execute(
                "INSERT INTO external_items (id, project_id, title, status, priority, synced_at, "
                "provider_id, status_category, assignee, deleted_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [*values, item.key.id, item.category, item.assignee, at if item.gone else None],
            )
    known = [edge for edge in graph.edges if {edge.source, edge.target} <= graph.items.keys()]
    for number, edge in enumerate(known):
        db.execute(
            "INSERT OR IGNORE INTO dependencies (id, source_type, source_id, target_type, "
            "target_id, relation, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                *(f"d-{number}", edge.source.type, edge.source.id, edge.target.type),
                *(edge.target.id, edge.relation, time_text(NOW)),
            ],
        )
    for key, claim in claims.items():
        db.execute(
            "INSERT INTO work_claims (item_type, item_id, owner, claimed_at, lease_until) "
            "VALUES (?, ?, ?, ?, ?)",
            [key.type, key.id, claim.owner, time_text(NOW), time_text(claim.lease_until)],
        )


def test_what_is_ready_is_what_an_oracle_says() -> None:
    """In any graph the same items are ready in the same order, and the rest has a reason."""
    for seed in range(EXAMPLES):
        graph, claims = _drawn(seed)
        told = explained(graph, claims, VIEWER)
        ready = [each.item.key for each in told if each.is_ready]
        assert ready == _oracle(graph, claims), f"graph {seed}"
        assert all(each.reason for each in told), f"graph {seed}"


def test_the_first_ready_items_are_read_from_the_tables(tables: Connection) -> None:
    """The query that leaves out what cannot be ready finds the same items, with the same words."""
    for seed in range(EXAMPLES // 2):
        graph, claims = _drawn(seed)
        _write(tables, graph, claims)
        stored = load_graph(tables)
        told = [each for each in explained(stored, claims, VIEWER) if each.is_ready]

        found = ready_work(tables, VIEWER, 5)

        assert [(each.item, each.reason) for each in found] == [
            (each.item, each.reason) for each in told[:5]
        ], f"graph {seed}"


def test_what_is_not_ready_is_explained_from_its_blockers(tables: Connection) -> None:
    """Loading what blocks an item explains it as loading the whole graph does."""
    for seed in range(EXAMPLES // 2):
        graph, claims = _drawn(seed)
        _write(tables, graph, claims)
        told = explained(load_graph(tables), claims, VIEWER)

        found = explained_work(tables, VIEWER, len(told))

        assert [(each.item, each.reason, each.is_ready) for each in found] == [
            (each.item, each.reason, each.is_ready) for each in told
        ], f"graph {seed}"


def test_what_is_around_an_item_is_the_same_part_of_the_graph(tables: Connection) -> None:
    """A few steps of an item's dependencies are loaded without the rest of the graph."""
    for seed in range(EXAMPLES // 4):
        graph, claims = _drawn(seed)
        _write(tables, graph, claims)
        stored = load_graph(tables)
        for root in stored.items:
            whole = stored.around(root, 2)
            near = load_around(tables, [root], steps=3).around(root, 2)
            assert (dict(near.items), list(near.edges)) == (whole.items, whole.edges), f"{seed}"


def test_a_circle_is_found_wherever_there_is_one() -> None:
    """A circle is a way along edges back to its start; without any, items can be put in order."""
    for seed in range(EXAMPLES):
        graph, _ = _drawn(seed)
        edges = {(edge.source, edge.target) for edge in graph.edges if edge.relation == "blocks"}
        edges = {(a, b) for a, b in edges if a in graph.items and b in graph.items}
        left = set(graph.items)
        while free := {key for key in left if not any(b == key and a in left for a, b in edges)}:
            left -= free

        cycles = graph.cycles()

        assert all(way[0] == way[-1] and set(pairwise(way)) <= edges for way in cycles)
        assert bool(cycles) == bool(left), f"graph {seed}"


def test_a_drawing_names_every_item() -> None:
    """Whatever the edges, the tree and the Mermaid text have each item in them."""
    for seed in range(EXAMPLES):
        graph, _ = _drawn(seed)
        drawing = [line for line in tree(listed(graph)).split("\n") if "(see above)" not in line]
        text = mermaid(listed(graph))
        for item in graph.items.values():
            assert sum(f" {item.name} " in line for line in drawing) == 1, f"graph {seed}"
            assert f'"{item.name} Step {item.name}"' in text, f"graph {seed}"


def test_blockers_are_told_with_their_distance() -> None:
    """Walking back tells each blocker once, by the shortest way, not further than asked."""
    items = [_item(name) for name in "abcd"]
    graph = _graph(items, "a blocks b", "b blocks c", "a blocks c", "c blocks d")

    far = graph.blockers(items[3].key, depth=10)

    assert [(each.item.name, each.depth) for each in far] == [("c", 1), ("b", 2), ("a", 2)]
    assert [each.item.name for each in graph.blockers(items[3].key)] == ["c"]
    assert [key.id for key in graph.block_path(items[0].key, items[3].key)] == ["a", "c", "d"]


def test_every_reason_names_what_it_is_about() -> None:
    """What is not ready says for whom or what it waits."""
    items = [
        _item("a"),
        _item("b"),
        _item("c"),
        _item("d"),
        _item("e", "in_progress"),
        _item("f", assignee="Ben"),
        _item("g", "completed"),
        _item("h"),
    ]
    graph = _graph(items, "e blocks a", "b blocks c", "c blocks b", "g blocks h", "h blocks a")
    claims = {items[3].key: Claim(owner="bob", lease_until=NOW + timedelta(hours=1))}

    reasons = {each.item.name: each.reason for each in explained(graph, claims, VIEWER)}

    assert reasons == {
        "a": "blocked by e (in_progress), h (pending)",
        "b": "in a cycle: b → c → b",
        "c": "in a cycle: c → b → c",
        "d": "claimed by bob until 2026-03-02 10:00 UTC",
        "e": "its status is in_progress",
        "f": "assigned to Ben",
        "h": "no longer blocked by g (completed); 1 item waits for it",
    }


def test_a_title_is_nothing_but_a_label() -> None:
    """No title ends its label in Mermaid, or does anything at a terminal."""
    graph = _graph([_item("a", title='x"] --> n2; click n1 "https://a.example"\x1b[2J\nend')])

    drawn = mermaid(listed(graph))

    assert len(drawn.split("\n")) == 6
    assert drawn.split("\n")[1].count('"') == 2
    assert "\x1b" not in tree(listed(graph))
    assert "\n" not in tree(listed(graph))


@pytest.mark.parametrize("before", LEGAL)
def test_an_illegal_change_names_the_legal_ones(before: str) -> None:
    """Every change is as the table says, and a refusal tells what is possible."""
    for after in LEGAL:
        legal = LEGAL[before]  # type: ignore[index]  # one of its keys
        if after == before or after in legal:
            check_change("p-1", before, after)  # type: ignore[arg-type]  # as above
            continue
        with pytest.raises(WrongCall) as caught:
            check_change("p-1", before, after)  # type: ignore[arg-type]  # as above
        assert all(each in caught.value.message for each in ("p-1", before, after, *legal))
