"""Ids that no operation accepts, and how errors quote them."""

from typing import Any

import pytest
from tests.memory.operating import call

from rove_core import ItemNotFound, RoveError, WrongCall
from rove_core.project.local import LocalProject

TOKEN = "glpat-" + "Zx8Kq2Lm4Nv6Bt1Wd3Rf"  # made up


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("session_start", {"external_item_id": TOKEN}),
        ("session_start", {"project_path": f"/nowhere/{TOKEN}"}),
        ("session_end", {"session_id": TOKEN}),
        ("memory_update", {"key": TOKEN, "importance": 3}),
        ("memory_recall", {"memory_type": TOKEN}),
        ("plan_update", {"plan_id": TOKEN, "title": "x"}),
        ("ac_status", {"external_item_id": TOKEN}),
        ("ac_verify", {"criterion_id": TOKEN, "status": "verified"}),
        ("get_blockers", {"item_id": TOKEN}),
        ("get_ready_work", {"claim": True, "item": TOKEN}),
    ],
)
def test_an_error_quotes_no_secret(
    rove: LocalProject, name: str, arguments: dict[str, Any]
) -> None:
    """A token that was pasted in place of an id is in neither the message nor the hint."""
    with pytest.raises(RoveError) as caught:
        call(rove, name, **arguments)

    assert TOKEN not in f"{caught.value.message} {caught.value.hint}"
    assert "[secret:" in caught.value.message


@pytest.mark.parametrize("kind", ["plan", "session", "memory"])
@pytest.mark.parametrize("name", ["session_start", "ac_add"])
def test_another_id_is_no_ticket(rove: LocalProject, kind: str, name: str) -> None:
    """The id of a plan, a session or a memory does not become a new ticket."""
    session = call(rove, "session_start")["session_id"]
    memory = call(rove, "memory_store", key="k", content="x", memory_type="pattern")["id"]
    plan = call(rove, "plan_create", title="Rotate")["id"]
    identifier = {"plan": plan, "session": session, "memory": memory}[kind]
    more = {"criterion_text": "x"} if name == "ac_add" else {}
    with pytest.raises(WrongCall, match=f"{identifier} is a {kind}, not a ticket"):
        call(rove, name, external_item_id=identifier, **more)

    with pytest.raises(ItemNotFound):
        call(rove, "ac_status", external_item_id=identifier)
