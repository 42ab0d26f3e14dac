"""The reference source keeps every standard of the suite."""

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from rove_core.testing import SourceTests, Vendor
from rove_core.testing.plugin_installer import installed


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(
        tmp_path_factory.mktemp("plugin"), "reference", module="rove_core.testing.reference"
    ):
        yield


class TestReference(SourceTests):
    kind = "reference"
    known, known_kind, unknown = "NOTE-3", "note", "NOTE-999"
    query = "login"
    mentions = ("see NOTE-3.", "see https://notes.example/NOTE-3 (old)")

    @pytest.fixture
    def vendor(self) -> nullcontext[Vendor]:
        """Give the right key."""
        return nullcontext(Vendor(answers={"key": "open-sesame"}))
