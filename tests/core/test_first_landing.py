"""Files that the first release of Rove wrote: they open, and go on.

The login, its key and the accounts below were written by that version's own code.
"""

import hashlib
import sqlite3
from base64 import b64decode
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from rove_core.auth.accounts import AccountStore
from rove_core.auth.credentials import EncryptedFileStore
from rove_core.store.connection import open_for_writing
from rove_core.store.migrations import MIGRATIONS, VERSION, version_of

pytestmark = pytest.mark.anyio

#: The migrations that it had, and a digest of their scripts.
_FIRST_VERSION: Final = 4
_SCRIPTS: Final = "d25734e2a54f344445eb0389bb851deb4247923496205f0ceb16e008ff9dae79"
_ACCOUNTS: Final = """\
# Your accounts, as Rove knows them. Logins are kept elsewhere.

[accounts."jira:work"]
kind = "jira"
base_url = "https://acme.atlassian.net"
"""
_CREDENTIALS: Final = (
    "Um92ZUNyZWQBAXwArPKEPYeUXWAA8sET3p9TOcilVG6VTZMr5Qbeahib5OsmVLYgXee8bYSxtmMZOvaL"
    "jpHdq5FwN2ssB5K6Bsh0b2atI8+SdUyMwe8MHJCsaeZSNyVLn7erPbj32ePpoAE29Ps5jLA6CC2+fcW2"
    "IdngSlSe+MqXNx8pwCPRBJk+gbas2RVQ18jgtxIOR9/o4CiaUGcWGZoA+CIeo1VZEhJs2J82VZLIsbW6"
    "JrUpBMwmUy3Pfk98gQ2mqsrxsltu0S61iI9iKWHh5HI30Fjk86oin/VwV7bc3MI+ayajdz+1QFG98zMF"
    "/2ZtYWYIsy2LnJX12X48dzjasZhuLeIA1YWjbXXVbZ6BahPJ4evTFrq/Q6F1YtbmCVDn"
)
_KEY: Final = (
    "3nbfT0e26Mk/NpvyjE0lZX6winrtYNFShGu6pnJI/L0="  # gitleaks:allow  # it opens this alone
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder as the first release left it."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    for name, content in {
        "accounts.toml": _ACCOUNTS.encode(),
        "credentials.enc": b64decode(_CREDENTIALS),
        "master.key": b64decode(_KEY),
    }.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    return folder


def test_accounts_open(data: Path) -> None:
    """An account has its name, its kind and its address."""
    (record,) = AccountStore(data).accounts()

    assert (record.name, record.kind) == ("jira:work", "jira")
    assert record.base_url == "https://acme.atlassian.net"


async def test_a_login_opens(data: Path) -> None:
    """It can be used and renewed, at the same hosts."""
    login = await EncryptedFileStore(data).get("jira:work")

    assert login is not None
    assert login.headers["Authorization"].reveal() == "Bearer old-access"
    assert login.refresh is not None
    assert login.refresh.reveal() == "old-refresh"
    assert login.expires_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert login.hosts == ("api.atlassian.com",)


async def test_a_login_goes_on(data: Path) -> None:
    """It is written again as the current version writes it, and another account beside it."""
    store = EncryptedFileStore(data)
    login = await store.get("jira:work")
    assert login is not None

    await store.set("jira", login)

    assert await store.get("jira:work") == await store.get("jira") == login


def test_the_migrations_that_it_had_are_unchanged() -> None:
    """So an index that it made is what the next migrations expect."""
    scripts = "\0".join(MIGRATIONS[:_FIRST_VERSION]).encode()

    assert hashlib.sha256(scripts).hexdigest() == _SCRIPTS


def test_an_index_opens(tmp_path: Path) -> None:
    """Its documents are there after all later migrations."""
    path = tmp_path / "index.db"
    with closing(sqlite3.connect(path)) as old:
        for script in MIGRATIONS[:_FIRST_VERSION]:
            old.executescript(script)
        old.execute(
            "INSERT INTO context_files (ticket_id, filename, keywords, last_updated, account,"
            " title, url) VALUES ('TB-1', 'TB-1_login.md', '[\"login\"]', '2026-01-01T00:00:00Z',"
            " 'jira', 'Login', 'https://acme.atlassian.net/browse/TB-1')"
        )
        old.execute(f"PRAGMA user_version = {_FIRST_VERSION}")
        old.commit()

    with closing(open_for_writing(path)) as db:
        version = version_of(db)
        rows = db.execute("SELECT ticket_id, filename, title FROM context_files").fetchall()

    assert version == VERSION
    assert [tuple(row) for row in rows] == [("TB-1", "TB-1_login.md", "Login")]
