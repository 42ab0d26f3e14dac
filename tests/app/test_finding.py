"""Searching and listing documents, and cancelling tasks, as people do."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core.clock import SYSTEM
from rove_core.project.layout import ProjectPaths
from rove_core.store.connection import open_for_reading
from rove_core.store.store import open_store
from rove_core.store.task_changes import add_task
from rove_core.store.tasks import Task, list_tasks

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Spawn, Terminal

    from rove_core.wire.json_types import JSON


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("words", ["JWT", "token", "tokens", "handheld"])
def test_a_word_of_the_text_is_found(rove: "Rove", words: str) -> None:
    """The excerpt below the document's line marks the hit."""
    head, excerpt = rove("--search", words).out.splitlines()

    assert "TB-123" in head
    assert f"*{words}" in excerpt


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("words", ['"', "zzz", "-"])
def test_nothing_found_is_said(rove: "Rove", words: str) -> None:
    """It is said on standard error; standard output stays empty."""
    outcome = rove("search", "--", words)

    assert (outcome.code, outcome.out) == (0, "")
    assert "no document matches" in outcome.err


def test_what_a_person_adds_is_found(rove: "Rove", project: Path) -> None:
    """The file is what counts, not what Rove wrote there."""
    path = next((project / ".context").glob("TB-123*"))
    path.write_text(path.read_text("utf-8") + "\nAsk the zebras first.\n", "utf-8")

    assert "*zebras*" in rove("search", "zebra").out


@pytest.mark.usefixtures("project")
def test_an_excerpt_as_json(rove: "Rove") -> None:
    """The words that match are listed apart from the text."""
    (result,) = json.loads(rove("search", "JWT", "--json").out)["results"]

    assert "JWT" in result["excerpt"]["text"]
    assert "JWT" in result["excerpt"]["hits"]


def test_a_person_reads_a_title_as_it_was_written(
    rove: "Rove", spawn: "Spawn", terminal: "Terminal", project: Path
) -> None:
    """A terminal shows its angle brackets; a pipe, which an agent may read, gets entities."""
    with closing(sqlite3.connect(project / ".rove" / "index.db", isolation_level=None)) as db:
        db.execute("UPDATE context_files SET title = 'Map<K> and &lt;'")

    assert "Map&lt;K> and &lt;" in rove("list").out
    spawn("list", stdout=terminal.end, line='COLUMNS=200 PAGER=cat exec "$@"')
    terminal.wait_for("Map<K> and &lt;")


def test_documents_are_listed(rove: "Rove", project: Path) -> None:
    """A line for each: ticket, title, when it was written, and the file."""
    (line,) = rove("list").out.splitlines()

    assert line.startswith("TB-123  User Authentication Flow  20")
    assert (project / line.split("  ")[-1]).is_file()


@pytest.mark.usefixtures("empty")
def test_no_document_is_said(rove: "Rove") -> None:
    """With the command that builds one."""
    outcome = rove("list")

    assert (outcome.code, outcome.out) == (0, "")
    assert "rove --ticket" in outcome.err


@pytest.mark.usefixtures("project")
def test_documents_of_one_source_are_listed(rove: "Rove") -> None:
    """Those of another one are left out."""
    assert rove("list", "--source", "jira").out
    assert not rove("list", "--source", "linear").out


def test_a_waiting_task_is_cancelled(rove: "Rove", project: Path) -> None:
    """By its ticket, in any case."""
    _queue(project, "TB-7")

    outcome = rove("cancel", "tb-7")

    assert (outcome.code, outcome.out) == (0, "cancelled build TB-7\n")
    with open_for_reading(project / ".rove" / "index.db") as db:
        assert [task.state for task in list_tasks(db) if task.arguments == _CALL] == ["cancelled"]


def test_all_tasks_are_cancelled(rove: "Rove", project: Path) -> None:
    """Where none is left, that is said."""
    _queue(project, "TB-7")

    assert rove("cancel", "--all").out == "cancelled build TB-7\n"
    assert rove("cancel", "--all").out == "no task is waiting or running\n"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("arguments", "code"), [((), 2), (("TB-1", "--all"), 2), (("TB-1",), 3)])
def test_what_cannot_be_cancelled(rove: "Rove", arguments: tuple[str, ...], code: int) -> None:
    """Either tasks are named, or all of them are meant."""
    assert rove("cancel", *arguments).code == code


_CALL = {"tickets": ["TB-7"]}


def _queue(project: Path, ticket: str) -> None:
    now = SYSTEM.now()
    arguments: dict[str, JSON] = {"tickets": [ticket]}
    task = Task(operation="build", arguments=arguments, key=ticket, created_at=now, due_at=now)

    async def queue() -> None:
        index = ProjectPaths.at(project).index
        async with open_store(index, clock=SYSTEM) as store, store.transaction() as db:
            await add_task(db, task)

    asyncio.run(queue())
