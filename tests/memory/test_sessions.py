"""Sessions, as agents call them."""

import asyncio
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.memory.conftest import Checkout
from tests.memory.operating import call

from rove_core import (
    JSON,
    Conflict,
    ContextItem,
    DocumentRecord,
    Facts,
    ItemRef,
    WrongCall,
    estimated_tokens,
    json_text,
)
from rove_core.operations import finish
from rove_core.project.local import LocalProject
from rove_core.store.documents import save_document
from rove_core.store.store import open_store
from rove_core.testing import VirtualClock
from rove_memory.operations import operations
from rove_memory.store import ProjectStore
from rove_memory.tickets.table import store_ticket

OPERATIONS = {operation.name: operation for operation in operations()}


class Agent:
    """Calls operations in a folder, as every door does."""

    def __init__(self, folder: Path, clock: VirtualClock) -> None:
        self._rove = LocalProject.at(folder, clock)

    def call(self, name: str, **arguments: JSON) -> Any:  # noqa: ANN401  # plain JSON
        """Return what an operation returns, as JSON."""
        arguments = {"project_path": str(self._rove.places.root), **arguments}
        known = {parameter.name for parameter in OPERATIONS[name].parameters}
        taken = {k: v for k, v in arguments.items() if k in known}
        return finish(OPERATIONS[name].call(self._rove, taken))


@pytest.fixture
def folder(checkout: Checkout) -> Path:
    """Give a repository with one commit."""
    folder = checkout("api", origin="git@github.com:acme/api")
    _commit(folder, "first")
    return folder


@pytest.fixture
def agent(folder: Path, clock: VirtualClock) -> Agent:
    """Give an agent in that repository."""
    return Agent(folder, clock)


def _commit(folder: Path, name: str) -> str:
    (folder / name).write_text(name)
    who = ["-c", "user.name=A", "-c", "user.email=a@b"]
    for command in (["add", "."], [*who, "commit", "-qm", name]):
        subprocess.run(["git", "-C", folder, *command], check=True)  # noqa: S603, S607  # the test's own repository
    done = subprocess.run(  # noqa: S603  # as above
        ["git", "-C", folder, "rev-parse", "HEAD"],  # noqa: S607  # as above
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_it_is_found_again(agent: Agent) -> None:
    """A second start in the same checkout is the same session, resumed."""
    first = agent.call("session_start", external_item_id="TB-123")
    again = agent.call("session_start")

    assert (first["resumed"], again["resumed"]) == (False, True)
    assert first["session_id"] == again["session_id"]
    assert again["external_item"]["identifier"] == "TB-123"


def test_a_resumed_one_says_how_to_see_its_notes(agent: Agent) -> None:
    """An agent that crashed learns that it took notes, and which command shows them."""
    first = agent.call("session_start", external_item_id="TB-123")
    agent.call("session_note", event_type="discovery", content="The vault is at kv2/signing")
    again = agent.call("session_start", external_item_id="TB-123")

    shown = "1 note so far: rove session context"
    assert shown in again["warnings"]
    assert shown not in first["warnings"]


def test_it_has_the_fields_agents_know(agent: Agent) -> None:
    """The eight fields of a session's start are there."""
    fields = (
        "session_id project external_item acceptance_criteria blocking_items recent_memory "
        "last_session_summary sync_status"
    )

    assert set(fields.split()) <= agent.call("session_start").keys()


def test_another_ticket_is_refused_while_one_is_active(agent: Agent) -> None:
    """The error names the command that ends the first."""
    agent.call("session_start", external_item_id="TB-1")
    with pytest.raises(Conflict, match="TB-1") as caught:
        agent.call("session_start", external_item_id="TB-2")

    assert "rove session end" in caught.value.hint


def test_two_agents_have_two_sessions(agent: Agent) -> None:
    """One session is active for each agent in a checkout."""
    ids = {agent.call("session_start", agent=name)["session_id"] for name in ("a", "b", "a")}

    assert len(ids) == 2


def test_a_forgotten_session_is_closed_and_told(agent: Agent, clock: VirtualClock) -> None:
    """After a day of silence it is abandoned; the next start says so, and can go on with it."""
    first = agent.call("session_start", external_item_id="TB-1")
    clock.advance(timedelta(hours=25).total_seconds())
    second = agent.call("session_start", external_item_id="TB-1", resume_last=True)

    assert second["session_id"] == first["session_id"]
    assert "was never ended" in second["warnings"][0]


def test_a_forgotten_session_can_be_resumed_later(agent: Agent, clock: VirtualClock) -> None:
    """The commands in the warning of the new session lead back to the forgotten one."""
    first = agent.call("session_start")
    clock.advance(timedelta(hours=25).total_seconds())
    second = agent.call("session_start")
    assert f"rove session end {second['session_id']}" in second["warnings"][1]

    agent.call("session_end", session_id=second["session_id"])
    resumed = agent.call("session_start", resume_last=True)

    assert resumed["session_id"] == first["session_id"]


def test_its_end_tells_what_was_done(agent: Agent, folder: Path, clock: VirtualClock) -> None:
    """The summary comes from the notes, files and commits from git; important notes are kept."""
    started = agent.call("session_start", external_item_id="TB-123")
    agent.call("session_note", event_type="decision", content="Rotate tokens", importance="high")
    agent.call("session_note", event_type="progress", content="Wrote the test")
    commit = _commit(folder, "tokens.py")
    (folder / "draft.py").write_text("")
    clock.advance(timedelta(minutes=90).total_seconds())
    ended = agent.call("session_end", outcome="partial")

    assert ended["session_id"] == started["session_id"]
    assert ended["summary"].splitlines() == [
        "Decided: Rotate tokens",
        "Progress: Wrote the test",
        "2 files changed, 1 commit.",
    ]
    assert (ended["duration_seconds"], ended["memories_created"]) == (5400, 1)
    assert ended["files_modified"] == ["tokens.py", "draft.py"]
    assert ended["commits_made"] == [commit]


def test_the_next_session_knows_it(agent: Agent, clock: VirtualClock) -> None:
    """What the last one came to and what it remembered is told at the start."""
    agent.call("session_start", external_item_id="TB-123")
    agent.call("session_note", event_type="error", content="The pool deadlocks", importance="high")
    agent.call("session_end")
    clock.advance(timedelta(days=1).total_seconds())
    info = agent.call("session_start", external_item_id="TB-123")

    assert info["last_session_summary"] == "2026-03-02, success: Went wrong: The pool deadlocks"
    (memory,) = info["recent_memory"]
    assert (memory["memory_type"], memory["why"]) == ("warning", "about this ticket")


def test_a_session_that_left_nothing_is_not_the_last_one(agent: Agent) -> None:
    """An empty session hides neither the earlier result nor the notes on its outcome."""
    agent.call("session_start", external_item_id="TB-123")
    agent.call("session_end", outcome="blocked", outcome_notes="CI is down", summary="Half done")
    agent.call("session_start", external_item_id="TB-123")
    empty = agent.call("session_end")
    info = agent.call("session_start", external_item_id="TB-123")

    assert empty["summary"] == "Nothing was noted."
    assert info["last_session_summary"] == "2026-03-02, blocked: CI is down\nHalf done"


def test_after_an_empty_first_session_no_last_one_is_shown(agent: Agent) -> None:
    """There is nothing to say about a session in which nothing was noted."""
    agent.call("session_start")
    agent.call("session_end")

    assert agent.call("session_start")["last_session_summary"] is None


def test_memories_belong_to_the_active_session(agent: Agent) -> None:
    """What is stored while one is active says so, without being told its id."""
    session = agent.call("session_start")["session_id"]
    item = agent.call("memory_store", key="k", content="c", memory_type="pattern")

    assert item["session_id"] == session


def test_a_note_after_the_end_is_refused(agent: Agent) -> None:
    """A session that has ended takes no more notes."""
    session = agent.call("session_start")["session_id"]
    agent.call("session_end")

    with pytest.raises(Conflict, match="completed"):
        agent.call("session_note", session_id=session, event_type="note", content="late")
    with pytest.raises(WrongCall, match="no session is active"):
        agent.call("session_note", event_type="note", content="late")


def test_a_list_of_sessions_fits_its_budget(agent: Agent) -> None:
    """Long summaries are cut in a list; none is left out as long as the cut ones fit."""
    for number in range(20):
        agent.call("session_start")
        agent.call("session_end", summary=f"word{number} " * 2_000)
    listed = agent.call("list_sessions")

    assert estimated_tokens(json_text(listed)) <= 8_000
    assert len(listed) == 20


def test_answers_fit_their_budgets(agent: Agent) -> None:
    """With the longest notes and memories the start takes 2,000 tokens, the context what it may."""
    agent.call("session_start", external_item_id="TB-123")
    for number in range(30):
        words = " ".join(f"w{number}x{n}" for n in range(2_000))
        agent.call("session_note", event_type="decision", content=words, importance="high")
        if number < 10:
            agent.call(
                "memory_store",
                key=f"k{number}",
                content=words,
                memory_type="decision",
                related_items=["TB-123"],
            )
    start = agent.call("session_start")
    context = agent.call("get_session_context", max_tokens=8_000)

    assert estimated_tokens(str(start)) <= 2_000
    assert estimated_tokens(str(context)) <= 8_000
    assert context["events_left_out"] == 30 - len(context["events"])


def test_a_long_title_fits_the_budget(agent: Agent, folder: Path, clock: VirtualClock) -> None:
    """A title and labels may be as long as a tracker lets them be: a start cuts them."""
    ticket = ContextItem(
        ref=ItemRef(account="jira", kind="ticket", id="TB-123"),
        source="jira",
        author="",
        role="ticket",
        title="word " * 4_000,
        content="",
        timestamp=clock.now(),
        facts=Facts(labels=tuple(f"label{number} " * 400 for number in range(20))),
    )
    store = ProjectStore.of(LocalProject.at(folder, clock))
    with store.writing() as db:
        store_ticket(db, store, ticket)
    start = agent.call("session_start", external_item_id="TB-123")

    assert estimated_tokens(json_text(start)) <= 2_000


def test_notes_of_low_importance_are_folded_and_kept(agent: Agent, folder: Path) -> None:
    """Of many notes the oldest become one, again and again, and each of them stays a line of it."""
    (folder / ".rove").mkdir(mode=0o700, exist_ok=True)
    (folder / ".rove" / "settings.toml").write_text(
        "[session]\nmax_events_before_compaction = 10\n"
    )
    agent.call("session_start")
    for number in range(20):
        agent.call(
            "session_note", event_type="progress", content=f"note {number}", importance="low"
        )
    context = agent.call("get_session_context", include_memory=False)
    said = [line for each in context["events"] for line in each["content"].splitlines()]

    assert len(context["events"]) == 10
    assert said == [f"note {number}" for number in range(20)]


def test_sessions_are_listed_newest_first(agent: Agent, clock: VirtualClock) -> None:
    """By ticket and by page."""
    for ticket in ("TB-1", "TB-2", "TB-1"):
        agent.call("session_start", external_item_id=ticket)
        agent.call("session_end")
        clock.advance(timedelta(hours=1).total_seconds())
    all_of_them = agent.call("list_sessions")

    assert [one["external_item_id"] for one in all_of_them] == ["TB-1", "TB-2", "TB-1"]
    assert len(agent.call("list_sessions", external_item_id="tb-1")) == 2
    assert agent.call("list_sessions", limit=1, offset=1) == all_of_them[1:2]


def _start_here(folder: Path, clock: VirtualClock) -> Any:  # noqa: ANN401  # JSON
    agent = Agent(folder, clock)
    started = agent.call("session_start", external_item_id="TB-123", project_path=None)
    return started["warnings"]


def test_an_unread_ticket_names_a_command_that_works_here(
    folder: Path, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no source is in use, a build would fail: the sources come first."""
    unused = _start_here(folder, clock)
    monkeypatch.setenv("ROVE_SOURCES_USE", "notes")
    used = _start_here(folder, clock)

    assert unused == [
        "TB-123 has not been read yet, and no source is in use here. See: rove sources list"
    ]
    assert used == ["TB-123 has not been read yet: rove build TB-123"]


@pytest.mark.parametrize(
    ("days", "warnings"),
    [
        (6, []),
        (
            8,
            ["TB-123 was read on 2026-03-02, and no source is in use here. See: rove sources list"],
        ),
    ],
)
def test_a_ticket_with_a_document_has_been_read(
    folder: Path, clock: VirtualClock, days: int, warnings: list[str]
) -> None:
    """Its document says when, although no list of tickets has it."""
    asyncio.run(_keep_document(LocalProject.at(folder, clock)))
    clock.advance(timedelta(days=days).total_seconds())

    assert _start_here(folder, clock) == warnings


async def _keep_document(rove: LocalProject) -> None:
    now = rove.clock.now()
    record = DocumentRecord(
        account="jira", ticket_id="TB-123", filename="a.md", last_updated=now, created_at=now
    )
    index = rove.places.index
    index.parent.mkdir()
    async with open_store(index, clock=rove.clock) as store, store.transaction() as db:
        await save_document(db, record, {})


def test_a_session_starts_beside_a_damaged_index(folder: Path, clock: VirtualClock) -> None:
    """Whether a document is there cannot be found out then, and does not matter."""
    index = LocalProject.at(folder, clock).places.index
    index.parent.mkdir()
    index.write_bytes(b"no database" * 100)

    assert "TB-123 has not been read yet" in _start_here(folder, clock)[0]


def test_an_old_ticket_names_the_source_it_was_read_from(folder: Path, clock: VirtualClock) -> None:
    """In a checkout that does not use its source, a refresh needs the source first."""
    _start_here(folder, clock)
    store = ProjectStore.of(LocalProject.at(folder, clock))
    with store.writing() as db:
        db.execute("UPDATE external_items SET account = 'jira', synced_at = ?", [store.now()])
    clock.advance(8 * 86_400)

    assert (
        "TB-123 was read on 2026-03-02. To read it here: rove sources use jira, then "
        "rove refresh TB-123"
    ) in _start_here(folder, clock)


def test_names_of_agents_and_branches_are_kept_without_secrets(
    checkout: Checkout, data_dir: Path, clock: VirtualClock
) -> None:
    """A token in either is redacted, and the agent finds its session and its claim again."""
    token, branch = "ghp_TlN99mhWp708DwGw5HqXDgLVXZx3scB8fnvG", "glpat-sSfUQUAkNX7LHQ7AtNJX"
    folder = checkout("api")
    (folder / ".git" / "HEAD").write_text(f"ref: refs/heads/fix/{branch}\n")
    rove = LocalProject.at(folder, clock)

    started = call(rove, "session_start", agent=token)
    call(rove, "plan_create", title="Step")
    claimed = call(rove, "get_ready_work", claim=True, agent=token)
    ended = call(rove, "session_end", agent=token, summary="done")

    assert ended["session_id"] == started["session_id"]
    assert claimed
    assert ended["released"]
    kept = b"".join(each.read_bytes() for each in data_dir.rglob("*") if each.is_file())
    assert token.encode() not in kept
    assert branch.encode() not in kept
