from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from types import MappingProxyType  # writes
from typing import ClassVar

import pytest
from rove_core import Facts, ItemStatus
from rove_core.testing import LOOKALIKES, ExpectedItem, SourceTests, Vendor

from acme_server import acme


class TestAcme(SourceTests):
    kind = "acme"
    known, known_kind, unknown = "ACME-2", "ticket", "ACME-999"
    query = "login"
    user = "Robin Doe"
    work_container = "ACME"  # writes
    work_statuses = MappingProxyType(  # writes
        {"Open": "todo", "In progress": "in_progress", "Done": "done"}  # writes
    )  # writes
    work_fields = MappingProxyType(  # writes
        {  # writes
            "type": "ticket",  # writes
            "type_name": "Ticket",  # writes
            "title": "Login with OAuth2",  # writes
            "description": "Needed for *the* pilot: `if a<b && c>d` fails today, "  # writes
            "see <https://acme.example>.",  # writes
            "status": ItemStatus(name="In progress", category="in_progress"),  # writes
            "created": datetime(2024, 12, 12, 8, 0, tzinfo=UTC),  # writes
            "updated": datetime(2024, 12, 12, 8, 0, tzinfo=UTC),  # writes
        }  # writes
    )  # writes
    work_guard = True  # writes
    private = ()  # writes
    comment_edits = True  # writes
    mentions = ("see ACME-2.", "(ACME-2)", "{base_url}/tickets/ACME-2?tab=comments")
    no_mentions = (*LOOKALIKES, "https://nowhere.invalid/tickets/ACME-2", "XACME-2 ACME-2nd")
    in_fields: ClassVar[Mapping[str, tuple[str, tuple[str, ...]]]] = {
        "ticket_title": ("login", ("ACME-2",)),
        "ticket_text": ("needed", ("ACME-2",)),
    }
    expected = ExpectedItem(
        id="ACME-2",
        role="ticket",
        title="Login with OAuth2",
        author="Ben Day",
        url="/tickets/ACME-2",
        timestamp=datetime(2024, 12, 12, 8, 0, tzinfo=UTC),
        words=("Needed for *the* pilot: `if a<b && c>d` fails today, see <https://acme.example>.",),
        facts=Facts(status=ItemStatus(name="In progress")),
        links=(("blocks", "ACME-3"), ("parent", "ACME-1")),
        thread=(
            ExpectedItem(
                author="Ann",
                url="/tickets/ACME-2#7",
                timestamp=datetime(2024, 12, 12, 10, 0, tzinfo=UTC),
                words=("Until `<June>`?",),
            ),
            ExpectedItem(
                author="Ben Day",
                url="/tickets/ACME-2#8",
                timestamp=datetime(2024, 12, 12, 11, 0, tzinfo=UTC),
                words=("Yes, @Ann.",),
            ),
        ),
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Yield the fake Acme."""
        return acme()
