from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest
from tests.changes import changing
from tests.notes.changes import folder_changes

from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock


class TestNotes(SourceTests):
    kind = "notes"
    known, known_kind, unknown = "notes/kick-off.md", "note", "notes/gone.md"
    query = "oauth2"
    in_fields = MappingProxyType({"note_title": ("plan", ("notes/below/plan.txt",))})
    mentions = ("see notes/kick-off.md", "notes/kick-off.md", "[it](notes/kick-off.md)")
    expected = ExpectedItem(
        id="notes/kick-off.md",
        role="page",
        title="kick-off",
        timestamp=datetime(2024, 12, 1, tzinfo=UTC),
        url="/notes/kick-off.md",
        words=("OAuth2 it is.",),
    )

    @pytest.fixture
    def vendor(
        self, folder: Path, write: Callable[..., Path]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a folder with three notes, changed on different days."""
        for day, name in enumerate(("kick-off.md", "below/plan.txt", "x y.md"), 1):
            write(name, f"OAuth2 it is.{' See the plan.' if name == 'x y.md' else ''}", day=day)
        vendor = Vendor(settings={"folder": str(folder)})
        return changing(nullcontext(vendor), folder_changes(folder, VirtualClock()))
