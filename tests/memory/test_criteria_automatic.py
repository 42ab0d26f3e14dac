"""Criteria that are read without being asked for."""

import asyncio

from tests.memory.operating import call

from rove_core import ContextItem, ItemRef
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.section import sections


def _ticket(text: str, clock: VirtualClock) -> ContextItem:
    return ContextItem(
        ref=ItemRef(account="jira", kind="ticket", id="TB-1"),
        source="jira",
        role="ticket",
        title="Avatars",
        content=text,
        timestamp=clock.now(),
    )


def test_a_document_and_a_session_read_criteria(rove: LocalProject, clock: VirtualClock) -> None:
    """What a build saw of a ticket has its criteria in the document and in the next session."""
    call(rove, "plan_create", title="step")
    item = _ticket("## Acceptance criteria\n- PNG is shown\n- GIF is refused", clock)

    found = asyncio.run(sections(item, 2_000, rove.places.root, clock=clock))

    assert found[0].heading == "Acceptance criteria"
    assert "- [ ] 1. PNG is shown\n- [ ] 2. GIF is refused" in found[0].content
    info = call(rove, "session_start", external_item_id="TB-1")
    assert [each["text"] for each in info["acceptance_criteria"]] == [
        "PNG is shown",
        "GIF is refused",
    ]


def test_a_project_may_read_none_by_itself(rove: LocalProject, clock: VirtualClock) -> None:
    """With auto_parse off, criteria are read when somebody asks for them."""
    call(rove, "plan_create", title="step")
    settings = "[acceptance_criteria]\nauto_parse = false\n"
    (rove.places.root / ".rove" / "settings.toml").write_text(settings)

    item = _ticket("## Acceptance criteria\n- PNG is shown", clock)
    found = asyncio.run(sections(item, 2_000, rove.places.root, clock=clock))

    assert [each.heading for each in found] == []


def test_criteria_of_a_given_text_stay(rove: LocalProject, clock: VirtualClock) -> None:
    """A session on a ticket that has none of its own keeps those that somebody gave."""
    given = "## Acceptance criteria\n- PNG is shown\n- GIF is refused"
    call(rove, "ac_parse", external_item_id="TB-1", description=given)
    call(rove, "ac_verify", criterion_id="TB-1#1", status="verified", notes="seen")
    asyncio.run(sections(_ticket("Nothing listed", clock), 2_000, rove.places.root, clock=clock))

    info = call(rove, "session_start", external_item_id="TB-1")

    assert [(each["text"], each["status"]) for each in info["acceptance_criteria"]] == [
        ("PNG is shown", "verified"),
        ("GIF is refused", "pending"),
    ]


def test_criteria_that_left_the_ticket_are_gone(rove: LocalProject, clock: VirtualClock) -> None:
    """What the ticket took over from a given text belongs to it, until it is given again."""
    listed = "## Acceptance criteria\n- PNG is shown"
    call(rove, "ac_parse", external_item_id="TB-1", description=listed)
    for text in (listed, "Nothing listed"):
        asyncio.run(sections(_ticket(text, clock), 2_000, rove.places.root, clock=clock))

    assert call(rove, "session_start", external_item_id="TB-1")["acceptance_criteria"] == []

    call(rove, "ac_parse", external_item_id="TB-1", description=listed)
    info = call(rove, "session_start", external_item_id="TB-1")

    assert [each["text"] for each in info["acceptance_criteria"]] == ["PNG is shown"]
