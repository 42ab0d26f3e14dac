"""What the end of a session closes, as its notes say."""

import pytest
from tests.memory.operating import call

from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.sessions.event_model import SessionEvent
from rove_memory.sessions.statements import statements_in

CRITERIA = "## Acceptance criteria\n- PNG is shown\n- GIF is refused\n- Safari works"


@pytest.fixture
def plan(rove: LocalProject) -> str:
    """Give a plan of a session's ticket, with three criteria."""
    call(rove, "session_start", external_item_id="TB-1")
    call(rove, "ac_parse", external_item_id="TB-1", description=CRITERIA)
    return str(call(rove, "plan_create", title="Resize", external_item_id="TB-1")["id"])


def _note(rove: LocalProject, text: str, kind: str = "progress", **more: object) -> None:
    call(rove, "session_note", event_type=kind, content=text, **more)


def _criteria(rove: LocalProject) -> list[str]:
    status = call(rove, "ac_status", external_item_id="TB-1")
    return [each["status"] for each in status["criteria"]]


def test_the_end_closes_what_notes_say(rove: LocalProject, plan: str) -> None:
    """A plan that is done is completed, criteria are verified or failed, and each is told."""
    _note(rove, f"Done: {plan}. TB-1#1 is verified by hand")
    _note(rove, "criterion 2 failed: animated ones pass", "error")

    ended = call(rove, "session_end")

    assert ended["closed"] == [f"{plan} Resize: completed", "TB-1#1: verified", "TB-1#2: failed"]
    assert (ended["ac_verified"], ended["ac_failed"]) == (1, 1)
    assert ended["summary"].splitlines() == [
        f"Progress: Done: {plan}. TB-1#1 is verified by hand",
        "Went wrong: criterion 2 failed: animated ones pass",
        "1 criterion verified, 1 failed.",
    ]
    assert _criteria(rove) == ["verified", "failed", "pending"]


@pytest.mark.usefixtures("plan")
def test_the_end_names_what_is_unknown(rove: LocalProject) -> None:
    """A note about a criterion that does not exist closes nothing, and the end says so."""
    _note(rove, "TB-1#9 verified")

    assert call(rove, "session_end")["closed"] == ["TB-1#9: unknown here, so not closed"]


def test_a_later_call_counts_more_than_a_note(
    rove: LocalProject, plan: str, clock: VirtualClock
) -> None:
    """What an agent set by a call after it noted something stays so."""
    _note(rove, f"{plan} done, TB-1#1 verified")
    clock.advance(60)
    call(rove, "plan_update", plan_id=plan, status="blocked")
    call(rove, "ac_verify", criterion_id="TB-1#1", status="failed", notes="not in Safari")

    assert call(rove, "session_end")["closed"] == []
    assert _criteria(rove)[0] == "failed"


def test_the_end_gives_back_what_was_claimed(rove: LocalProject, plan: str) -> None:
    """Others may take what a session had claimed and not completed, and its end says so."""
    done = call(rove, "plan_create", title="Crop", external_item_id="TB-1")["id"]
    for item in (plan, done):
        call(rove, "get_ready_work", claim=True, item=item)
    _note(rove, f"{done} done")

    assert call(rove, "session_end")["released"] == [f"{plan} Resize"]
    (taken,) = call(rove, "get_ready_work", claim=True, item=plan, agent="ben")
    assert taken["claimed_by"].startswith("ben in ")


def test_without_evidence_a_note_verifies_nothing(rove: LocalProject, plan: str) -> None:
    """Where a project asks for evidence, a note that says "verified" only begins a criterion."""
    settings = "[acceptance_criteria]\nrequire_evidence_for_verification = true\n"
    (rove.places.root / ".rove" / "settings.toml").write_text(settings)
    rove = LocalProject.at(rove.places.root, rove.clock)
    _note(rove, "TB-1#3 verified")

    assert call(rove, "session_end")["closed"] == ["TB-1#3: in_progress, it needs evidence"]
    assert call(rove, "plan_list")[0]["id"] == plan


def test_items_may_stand_beside_the_words(rove: LocalProject, plan: str) -> None:
    """A note that begins with "done" closes its related items; a blocker blocks them."""
    other = call(rove, "plan_create", title="Store")["id"]
    _note(rove, "Finished the resizing", context={"related_items": [plan, "TB-1"]})
    _note(rove, "No bucket yet", "blocker", context={"related_items": [other]})

    assert call(rove, "session_end")["closed"] == [
        f"{plan} Resize: completed",
        f"{other} Store: blocked",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p-00001 done", "p-00001 done"),
        ("p-00001, p-00002 and p-00003 are now all completed", "3 done"),
        ("Finished p-00001. p-00002 is blocked by the bucket", "p-00001 done, p-00002 blocked"),
        ("TB-1#2: verified", "TB-1#2 done"),
        ("AC 2 passes", "AC 2 done"),
        ("p-00001 done; p-00001 failed in CI", "p-00001 failed"),
        ("p-00001 is not done", ""),
        ("when p-00001 is done, release", ""),
        ("p-00001 should be done by Friday", ""),
        ("is p-00001 done?", ""),
        ("p-00001 done except the tests", ""),
        ("the undone p-00001x9z9z9z9z9 done", ""),
        ("worked on p-00001", ""),
    ],
)
def test_only_plain_statements_count(text: str, said: str, clock: VirtualClock) -> None:
    """Doubts, plans and denials close nothing; the last word on an item holds."""
    event = SessionEvent(
        id="e-1",
        event_type="progress",
        importance="medium",
        content=text,
        context={},
        created_at=clock.now(),
    )

    found = [f"{each.item} {each.verdict}" for each in statements_in([event])]

    assert ", ".join(found) == said or (said == "3 done" and len(found) == 3)
