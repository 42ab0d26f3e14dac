"""Logins of a project whose server runs: they are kept alive while nobody works."""

import asyncio
import os
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import attrs
import pytest

from rove_core import Credential, Secret
from rove_core.auth.credentials import EncryptedFileStore
from rove_core.auth.login_exchange import first_record
from rove_core.auth.login_ledger import LoginLedger
from rove_core.clock import SYSTEM

if TYPE_CHECKING:
    from tests.app.conftest import Daemon, Tracker


@pytest.mark.usefixtures("tracking")
def test_a_login_that_nobody_used_for_a_week_is_renewed(
    tracker: "Tracker",
    daemon: "Daemon",
    eventually: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It costs the vendor one question, and nobody asked for it."""
    # The exchange does not show what it replaces, and the tracker answers JSON to its users only.
    tracker.replies["/renew"] = (200, "text/plain", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("ROVE_CREDENTIALS_BACKEND", "encrypted_file")
    ledger = LoginLedger(Path(os.environ["ROVE_DATA_DIR"]))
    credential = Credential(
        headers={"Authorization": Secret("Bearer CANARY-key")},
        hosts=(urlsplit(tracker.url).netloc,),
        refresh=Secret("CANARY-refresh"),
    )
    asyncio.run(EncryptedFileStore(ledger.data_dir).set("tracker", credential))
    week_ago = SYSTEM.now() - timedelta(days=7)
    record = attrs.evolve(first_record("tracker", credential, SYSTEM), renewed_at=week_ago)
    ledger.write("tracker", record)

    daemon.start()
    eventually(lambda: ledger.records()["tracker"].renewed_at > week_ago)

    assert tracker.asked == ["POST /renew"]
