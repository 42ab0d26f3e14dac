"""Answers about large tickets, graphs and sprints keep their number of tokens, and say so."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest
from tests.memory.operating import call

from rove_core import WrongCall, estimated_tokens, json_text
from rove_core.project.local import LocalProject
from rove_memory.store import ProjectStore
from rove_memory.store.values import time_text

LONG = "Wort w1 w2 tokens rotate é " * 4_000
COUNT = 60


@pytest.fixture
def crowded(store: ProjectStore, rove: LocalProject) -> LocalProject:
    """Give a project with many tickets, criteria and links, whose texts are at their caps."""
    now = time_text(rove.clock.now())
    with store.writing() as db:
        project = store.project_id(db)
        for n in range(COUNT):
            _insert(
                db,
                "external_items",
                {"id": f"e{n}", "project_id": project, "account": "jira", "provider_id": f"TB-{n}"}
                | {"title": LONG[:250], "description": LONG[:50_000], "status": "To Do"}
                | {"status_category": "todo", "url": f"https://x.example/{'u' * 300}"}
                | {"labels": json.dumps(["label"] * 30), "sprint_name": "S", "synced_at": now},
            )
        for n in range(COUNT):
            _insert(
                db,
                "acceptance_criteria",
                {"id": f"a{n}", "external_item_id": "e1", "criterion_text": LONG[:5_000]}
                | {"number": n + 1, "criterion_index": n, "source_type": "manual"}
                | {"evidence": json.dumps({"notes": LONG[:3_000]}), "status": "failed"}
                | {"failed_reason": LONG[:3_000], "created_at": now, "updated_at": now},
            )
        for n in range(1, COUNT):
            _insert(
                db,
                "dependencies",
                {"id": f"d{n}", "source_type": "external", "source_id": f"e{n}"}
                | {"target_type": "external", "target_id": "e0", "relation": "blocks"}
                | {"created_at": now},
            )
    return rove


def _insert(db: Connection, table: str, values: Mapping[str, object]) -> None:
    places = ", ".join("?" * len(values))
    columns = ", ".join(values)
    db.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", [*values.values()])  # noqa: S608  # the test's own words


def _within(answer: object, tokens: int = 8_000) -> Any:  # noqa: ANN401  # JSON
    assert estimated_tokens(json_text(answer)) <= tokens  # type: ignore[arg-type]  # JSON
    return answer


def test_criteria_that_do_not_fit_are_counted(crowded: LocalProject) -> None:
    """A page of criteria says how many follow it, and offset shows them, each once."""
    seen: list[str] = []
    left = COUNT
    while left:
        page = _within(call(crowded, "ac_status", external_item_id="TB-1", offset=len(seen)))
        assert page["total"] == COUNT
        seen += [each["id"] for each in page["criteria"]]
        left = page["left_out"]

    assert seen == [f"a{n}" for n in range(COUNT)]
    check = _within(call(crowded, "ac_check_all", external_item_id="TB-1"))
    assert len(check["failed"]) + check["left_out"] == COUNT


def test_a_graph_says_how_many_items_it_leaves_out(crowded: LocalProject) -> None:
    """Every edge is between items that are shown; a diagram has those items alone."""
    graph = _within(call(crowded, "get_dependency_graph", form="mermaid"))
    shown = {each["id"] for each in graph["nodes"]}

    assert len(shown) + graph["left_out"] == COUNT
    assert graph["left_out"] > 0
    assert graph["edges"]
    assert all({each["source"], each["target"]} <= shown for each in graph["edges"])
    assert graph["mermaid"].count("TB-") <= 3 * len(shown)


@pytest.mark.parametrize(
    ("name", "arguments", "key"),
    [
        ("get_blockers", {"item_id": "TB-0"}, lambda each: each["item"]["id"]),
        ("get_ready_work", {"limit": 200}, lambda each: each["id"]),
        ("sprint_suggest", {"limit": 100, "consider_blockers": False}, lambda each: each["ticket"]),
    ],
)
def test_lists_go_on_with_offset(
    crowded: LocalProject, name: str, arguments: dict[str, Any], key: Callable[[Any], object]
) -> None:
    """A list that does not fit is cut, and the same question with an offset shows the rest."""
    seen: list[str] = []
    while page := _within(call(crowded, name, **arguments, offset=len(seen))):
        seen += [str(key(each)) for each in page]

    assert len(seen) == len(set(seen)) == COUNT - (name != "sprint_suggest")


def test_a_sprint_counts_the_tickets_it_leaves_out(crowded: LocalProject) -> None:
    """The counts are of the whole sprint; left_out says how many tickets follow."""
    first = _within(call(crowded, "sprint_status"))
    rest = _within(call(crowded, "sprint_status", offset=len(first["tickets"])))

    assert first["summary"]["todo"] == rest["summary"]["todo"] == COUNT
    assert first["left_out"] == COUNT - len(first["tickets"]) > 0
    assert not {each["identifier"] for each in first["tickets"]} & {
        each["identifier"] for each in rest["tickets"]
    }


def test_a_session_starts_within_its_tokens(crowded: LocalProject) -> None:
    """Each part gets less where all of them together do not fit."""
    call(
        crowded,
        "memory_store",
        key="k" * 150,
        content=LONG[:90_000],
        memory_type="warning",
        related_items=["TB-1"],
    )
    started = _within(call(crowded, "session_start", external_item_id="TB-1"), 2_000)

    assert started["acceptance_criteria"]
    assert started["recent_memory"]


def test_a_long_memory_is_read_in_parts(crowded: LocalProject) -> None:
    """Each part says where the next begins, and together they are the text that was stored."""
    text = LONG[:90_000].strip()
    call(crowded, "memory_store", key="long", content=text, memory_type="decision")
    read, offset = "", 0
    while True:
        part = _within(call(crowded, "memory_show", key="long", offset=offset))["content"]
        kept, cut, note = part.partition(" [... ")
        read += kept
        if not cut:
            break
        offset = int(note.rpartition("--offset ")[2].rstrip("]"))

    assert read == text


@pytest.mark.parametrize("name", ["memory_list", "memory_recall", "get_session_context"])
def test_many_long_tags_keep_the_tokens(rove: LocalProject, name: str) -> None:
    """Names are cut to make room for memories, and each memory counts those it leaves out."""
    names = [f"{n} {'tag ' * 40}" for n in range(90)]
    call(rove, "session_start", external_item_id="TB-1")
    for n in range(20):
        call(
            rove,
            "memory_store",
            key=f"{n} {'k' * 150}",
            content=f"rotate tokens of {n}",
            memory_type="decision",
            summary="short " * 300,
            tags=names,
            related_items=["TB-1", *names],
        )
    arguments = {"query": "rotate tokens", "limit": 20} if name == "memory_recall" else {}
    answer = _within(call(rove, name, **arguments))
    found = answer["memory"] if name == "get_session_context" else answer

    assert found
    assert all(
        len(each["tags"]) + len(each["related_items"]) + each["names_left_out"] >= 180
        for each in found
    )
    _within(call(rove, "session_start"), 2_000)
    _within(call(rove, "memory_show", key=f"1 {'k' * 150}"))


@pytest.mark.parametrize(
    "text",
    [
        "words of it ",
        "7 1 9 0 ",
        'a "\\" \n\t',
        "</system-reminder>\n<|im_start|>\n",
        "\U0001f511 ",
    ],
)
@pytest.mark.parametrize("most", [600, 2_000, 8_000])
def test_escapes_of_json_count_as_tokens(rove: LocalProject, text: str, most: int) -> None:
    """The longest memory is shown in part within any budget, whatever characters it is made of."""
    name = " ".join((text * 200).split())
    call(
        rove,
        "memory_store",
        key="k",
        content=f"c {text * 20_000}"[:100_000],
        memory_type="decision",
        summary=f"s {text * 2_000}"[:2_000],
        tags=[f"{n} {name}"[:200] for n in range(100)],
    )

    answers = [call(rove, "memory_recall", query=query, max_tokens=most) for query in ("k c", "")]

    assert all(_within(each, most) for each in answers)
    _within(call(rove, "memory_show", key="k"))


def test_a_budget_for_no_memory_is_refused(rove: LocalProject) -> None:
    """An agent does not learn that nothing was found because nothing had room."""
    call(rove, "memory_store", key="k " * 90, content="rotate", memory_type="decision")

    with pytest.raises(WrongCall, match="none of them fits"):
        call(rove, "memory_recall", query="rotate", max_tokens=200)


def test_all_projects_share_the_tokens(rove: LocalProject, tmp_path: Path) -> None:
    """Memories of several projects take together what those of one may."""
    for n in range(4):
        folder = tmp_path / f"p{n}"
        (folder / ".rove").mkdir(parents=True)
        for at in range(3):
            call(
                LocalProject.at(folder, rove.clock),
                "memory_store",
                key=f"k{at}",
                content=f"rotate {at} {LONG[:9_000]}",
                memory_type="decision",
            )

    assert _within(call(rove, "memory_recall", query="rotate", all_projects=True))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_list", {"limit": -5}),
        ("memory_list", {"limit": 101}),
        ("memory_recall", {"limit": 0}),
        ("memory_recall", {"min_importance": 9}),
        ("memory_show", {"key": "k", "offset": -1}),
        ("list_sessions", {"limit": 0}),
        ("list_sessions", {"offset": -1}),
        ("sync_log", {"limit": -1}),
        ("get_blockers", {"item_id": "TB-1", "offset": -1}),
        ("get_dependents", {"item_id": "TB-1", "offset": -1}),
        ("ac_status", {"external_item_id": "TB-1", "offset": -1}),
    ],
)
def test_pages_that_no_list_has_are_refused(
    rove: LocalProject, name: str, arguments: dict[str, Any]
) -> None:
    """The error names the value and what is expected."""
    with pytest.raises(WrongCall, match=r"-?\d+: (expected|give) \d"):
        call(rove, name, **arguments)
