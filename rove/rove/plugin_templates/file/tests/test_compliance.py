from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rove_core.testing import ExpectedItem, SourceTests, Vendor


class TestAcme(SourceTests):
    kind = "acme"
    known, known_kind, unknown = "ACME-1", "ticket", "ACME-999"
    query = "login"
    mentions = ("see ACME-1", "on branch feature/ACME-1-keys")
    expected = ExpectedItem(
        id="ACME-1",
        role="ticket",
        title="Login with a key",
        author="Ann",
        url="/acme.json#ACME-1",
        timestamp=datetime(2024, 12, 10, 9, 0, tzinfo=UTC),
        words=("Partners keep *their* keys if `a < b`: <https://acme.example/keys>",),
    )

    @pytest.fixture
    def vendor(self) -> nullcontext[Vendor]:
        """Yield the export beside this file."""
        return nullcontext(Vendor(settings={"file": str(Path(__file__).with_name("acme.json"))}))
