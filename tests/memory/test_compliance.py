"""The compliance suite on the source ``memory``."""

import json
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest
from tests.changes import changing
from tests.memory.changes import memory_changes

from rove_core import Facts
from rove_core.project.local import LocalProject
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.exchange import dump_tables, load_tables
from rove_memory.memory.memories import Memories
from rove_memory.store import ProjectStore

STORED = datetime(2026, 3, 2, 9, tzinfo=UTC)
PAGE = "https://northwind.example/tokens"
TEXT = f"Tokens live **15 minutes**:\n\n- `a < b` holds\n- see m-00002 and {PAGE}"


class TestMemory(SourceTests):
    kind = "memory"
    known, known_kind, unknown = "m-00001", "memory", "m-zzzzz"
    query = "tokens"
    newest_first = False
    in_fields = MappingProxyType({"memory_text": ("lifetime", ("m-00001",))})
    mentions = ("see m-00001", "m-00001", "(m-00001)")
    private = ()
    more_expected = (
        ExpectedItem(id="m-00002", words=("The token button is green.",)),
        ExpectedItem(id="m-00003", facts=Facts(labels=("lifetime", "words"))),
    )
    expected = ExpectedItem(
        id="m-00001",
        role="memory",
        title="Tokens live **15 minutes**:",
        timestamp=STORED,
        author="agent",
        url="/project#m-00001",
        words=("Tokens live **15 minutes**:", "- `a < b` holds", f"- see m-00002 and {PAGE}"),
        facts=Facts(short_name="memory lifetime", created=STORED, type="decision", robot=True),
        links=(("mentions", "m-00002"),),
    )

    @pytest.fixture
    def vendor(self, tmp_path: Path) -> AbstractAsyncContextManager[Vendor]:
        """Give a project with three memories, stored on different days."""
        clock = VirtualClock(STORED)
        store = _filled(tmp_path / "project", clock)
        vendor = Vendor(base_url=store.places.root.as_uri())
        return changing(nullcontext(vendor), memory_changes(store, clock))


def _filled(folder: Path, clock: VirtualClock) -> ProjectStore:
    """Return the store of a project whose memories have ids that are known beforehand."""
    (folder / ".rove").mkdir(parents=True)
    (folder.parent / "other" / ".rove").mkdir(parents=True)
    first = ProjectStore.of(LocalProject.at(folder.parent / "other", clock))
    texts = {"lifetime": TEXT, "colours": "The token button is blue.", "names": "Call it tokens."}
    with first.writing() as db:
        memories = Memories(db=db, store=first)
        for key, text in texts.items():
            related = ["m-00002"] if key == "lifetime" else []
            memories.put(
                MemoryDraft(
                    key=key,
                    content=text,
                    memory_type="decision",
                    related_items=related,
                    tags=["lifetime", "words"] if key == "names" else [],
                )
            )
            clock.advance(86_400)
        anew = "The token button is green."
        memories.put(MemoryDraft(key="colours", content=anew, memory_type="decision"))
        ids = [row[0] for row in db.execute("SELECT id FROM memory ORDER BY number")]
        written = json.dumps(dump_tables(db))
    for number, identifier in enumerate(ids, 1):
        written = written.replace(identifier, f"m-0000{number}")
    store = ProjectStore.of(LocalProject.at(folder, clock))
    with store.writing() as db:
        load_tables(db, store, json.loads(written))
    return store
