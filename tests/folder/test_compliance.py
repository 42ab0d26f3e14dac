"""A folder as a source keeps to the contract of all sources."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rove_core.testing import ExpectedItem, SourceTests, Vendor


class TestFolder(SourceTests):
    kind = "folder"
    known, known_kind, unknown = "linked/kick-off.md", "file", "linked/gone.md"
    query = "oauth2"
    mentions = ("see linked/kick-off.md", "linked/kick-off.md", "[it](linked/kick-off.md)")
    expected = ExpectedItem(
        id="linked/kick-off.md",
        role="file",
        title="kick-off.md",
        timestamp=datetime(2024, 12, 1, tzinfo=UTC),
        words=("OAuth2 it is.",),
    )

    @pytest.fixture
    def vendor(
        self, folder: Path, write: Callable[..., Path]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a folder with three files, changed on different days."""
        for day, name in enumerate(("kick-off.md", "below/plan.txt", "x y.md"), 1):
            write(name, "OAuth2 it is.", day=day)
        return nullcontext(Vendor(settings={"folder": str(folder)}))
