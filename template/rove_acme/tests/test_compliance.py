from contextlib import nullcontext
from pathlib import Path

import pytest
from rove_core.testing import SourceTests, Vendor


class TestAcme(SourceTests):
    kind = "acme"
    known, known_kind, unknown = "ACME-1", "ticket", "ACME-999"
    query = "login"
    mentions = ("see ACME-1", "on branch feature/ACME-1-keys")

    @pytest.fixture
    def vendor(self) -> nullcontext[Vendor]:
        """Give the export that lies beside this file."""
        return nullcontext(Vendor(settings={"file": str(Path(__file__).with_name("acme.json"))}))
