"""Hostile words in everything that is remembered: they are quoted, and nothing else."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from markdown_it import MarkdownIt
from tests.agent_attacks import ATTACKS, LIVE, filled, shown
from tests.memory.operating import OPERATIONS, call

from rove_core import ContextItem, ItemRef
from rove_core.operations import Operation, finish
from rove_core.project.local import LocalProject
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.section import sections
from rove_memory.sessions.session_context import memory_prime
from rove_memory.store import ProjectStore

CORPUS: Final = Path(__file__).parents[1] / "core" / "attacks"
PARSER: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
#: What may stand in a section outside its quotes: a line of facts, and a list with boxes.
PLAIN: Final = {
    *("paragraph_open", "paragraph_close", "inline", "text", "softbreak", "text_special"),
    *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    *("blockquote_open", "blockquote_close"),
}
#: What a quote must not have.
DANGEROUS: Final = {"html_block", "html_inline", "image", "heading_open", "hr", "table_open"}
#: In one document stand so many memories.
TOGETHER: Final = 5


def _corpus(*names: str) -> list[str]:
    lines = (line for name in names for line in (CORPUS / name).read_text("ascii").splitlines())
    return [text for text in map(json.loads, lines) if text.strip()]


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - {"memory_export"}))
def test_what_is_printed(name: str) -> None:
    """With an attack in every field of a result, the text of each operation has no effect.

    An export is a file for the memory of another machine: every word is in it as it is.
    """
    operation: Operation = OPERATIONS[name]
    for attack in ATTACKS:
        text = shown(operation, filled(operation.returns, attack))

        assert not LIVE.search(text), LIVE.findall(text)


def test_a_session_starts_harmlessly(rove: LocalProject) -> None:
    """Warnings, plans and summaries that carry attacks have no effect at an agent's start."""
    for number, attack in enumerate(ATTACKS[::3]):
        key = f"w{number}"
        call(rove, "session_start", external_item_id="TB-1")
        call(rove, "memory_store", key=key, content=attack, memory_type="warning", importance=5)
        plan = call(rove, "plan_create", title=attack, external_item_id="TB-1")["id"]
        begun = finish(memory_prime(rove, external_item_id="TB-1"))
        call(rove, "session_end", summary=attack)
        ended = finish(memory_prime(rove, external_item_id="TB-1"))
        call(rove, "plan_delete", plan_id=plan)
        call(rove, "memory_forget", key=key)

        assert "Ready:" in begun
        assert not LIVE.search(begun), LIVE.findall(begun)
        assert not LIVE.search(ended), LIVE.findall(ended)


def test_a_document_quotes_memories(rove: LocalProject) -> None:
    """Whatever a memory says stands within its quote: no link, HTML, image, heading or table."""
    attacks = _corpus("markdown.jsonl", "structure.jsonl", "orders.jsonl")[::5]
    store = ProjectStore.of(rove)
    with store.writing() as db:
        for number, attack in enumerate(attacks):
            draft = MemoryDraft(
                key=f"k{number}",
                content=f"tokens {number} {attack}",
                memory_type="decision",
                related_items=[f"TB-{number // TOGETHER}"],
            )
            Memories(db=db, store=store).put(draft)
    for number in range(0, len(attacks), TOGETHER):
        some, ticket = attacks[number : number + TOGETHER], f"TB-{number // TOGETHER}"
        text = _document(rove, ticket)["Decided before"]

        assert text.count("decision, Mar 02, 2026") >= len(some), some
        _check_harmless(text, some)


def test_criteria_and_blockers_are_lines(rove: LocalProject) -> None:
    """A criterion or a blocker with an attack is one plain line of its list."""
    attacks = [
        each
        for each in _corpus("structure.jsonl", "markdown.jsonl")[::7]
        if "\n" not in each and len(each) < 190
    ]
    for number, attack in enumerate(attacks[:10]):
        ticket = f"TB-{number}"
        call(rove, "ac_add", external_item_id=ticket, criterion_text=f"x {attack}")
        plan = call(rove, "plan_create", title=f"x {attack}", blocks=[ticket])["id"]
        found = _document(rove, ticket)

        for heading in ("Acceptance criteria", "Blocked by"):
            assert len(found[heading].splitlines()) == 1, attack
            assert _kinds(found[heading]) <= PLAIN, attack
        assert plan in found["Blocked by"]


def _document(rove: LocalProject, identifier: str) -> dict[str, str]:
    ticket = ContextItem(
        ref=ItemRef(account="jira", kind="issue", id=identifier),
        source="jira",
        role="ticket",
        title="Rotate keys",
        content="",
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    )
    found = asyncio.run(sections(ticket, 20_000, rove.places.root, clock=rove.clock))
    return {section.heading: section.content for section in found}


def _check_harmless(text: str, attacks: Sequence[str]) -> None:
    outside = "\n".join(line for line in text.splitlines() if not line.startswith(">"))
    assert _kinds(outside) <= PLAIN, attacks
    assert not _kinds(text) & DANGEROUS, attacks
    defined: dict[str, object] = {}
    tokens = PARSER.parse(text, defined)
    assert not defined.get("references"), attacks
    for token in tokens:
        for child in token.children or ():
            assert child.type != "link_open", (attacks, child.attrs)


def _kinds(text: str) -> set[str]:
    tokens = PARSER.parse(text)
    return {each.type for token in tokens for each in (token, *(token.children or ()))}
