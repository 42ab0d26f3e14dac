"""The reference source of work items keeps every standard of the suite."""

from collections.abc import Iterator
from contextlib import nullcontext
from types import MappingProxyType

import pytest

from rove_core.testing import SourceTests, Vendor
from rove_core.testing.plugin_installer import installed


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(
        tmp_path_factory.mktemp("plugin"), "board", module="rove_core.testing.reference_tracker"
    ):
        yield


class TestReferenceTracker(SourceTests):
    kind = "board"
    known, known_kind, unknown = "CARD-1", "card", "CARD-999"
    query = "login"
    mentions = ("see CARD-1.",)
    work_container = "board"
    work_statuses = MappingProxyType({"Open": "todo", "Doing": "in_progress", "Done": "done"})
    work_guard = True
    comment_edits = True

    @pytest.fixture
    def vendor(self) -> nullcontext[Vendor]:
        """Let in a writer, and have a reader at hand."""
        return nullcontext(Vendor(reader=Vendor(settings={"writes": False})))
