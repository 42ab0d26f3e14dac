"""A folder as a source keeps to the contract of all sources."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest
from tests.changes import changing
from tests.notes.changes import folder_changes

from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock

PLAN = "OAuth2 it *is*, if `a < b`: see <https://northwind.example/plan>."


class TestFolder(SourceTests):
    kind = "folder"
    known, known_kind, unknown = "linked/kick-off.md", "file", "linked/gone.md"
    query = "oauth2"
    in_fields = MappingProxyType({"file_text": ("kick-off", ("linked/below/plan.txt",))})
    mentions = ("see linked/kick-off.md", "linked/kick-off.md", "[it](linked/kick-off.md)")
    private = ()
    expected = ExpectedItem(
        id="linked/kick-off.md",
        role="file",
        title="kick-off.md",
        timestamp=datetime(2024, 12, 1, tzinfo=UTC),
        url="/linked/kick-off.md",
        words=(PLAN,),
    )

    @pytest.fixture
    def vendor(
        self, folder: Path, write: Callable[..., Path]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a folder with three files, changed on different days."""
        for day, name in enumerate(("kick-off.md", "below/plan.txt", "x y.md"), 1):
            write(name, f"{PLAN}{' See the kick-off.' if 'plan' in name else ''}", day=day)
        vendor = Vendor(settings={"folder": str(folder)})
        return changing(nullcontext(vendor), folder_changes(folder, VirtualClock()))
