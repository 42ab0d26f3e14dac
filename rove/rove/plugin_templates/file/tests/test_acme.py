import asyncio
from pathlib import Path

import pytest
from rove_core import Account, ItemRef, WrongSetting

from rove_acme.settings import AcmeSettings
from rove_acme.source import AcmeSource


def test_a_missing_export_is_a_wrong_setting(tmp_path: Path) -> None:
    """A mistyped file name is named in the error."""
    file = tmp_path / "nowhere.json"
    account = Account(name="acme", kind="acme", settings=AcmeSettings(file=str(file)))

    with pytest.raises(WrongSetting, match="nowhere.json cannot be read"):
        ref = ItemRef(account="acme", kind="ticket", id="ACME-1")
        asyncio.run(AcmeSource(account).rove_item_detail(ref))


def test_a_relative_path_starts_at_the_project(tmp_path: Path) -> None:
    """A relative path starts at the project, even from a subfolder."""
    (tmp_path / "acme.json").write_text("[]", "utf-8")
    url, settings = tmp_path.as_uri(), AcmeSettings()
    account = Account(name="acme", kind="acme", settings=settings, base_url=url)
    identity = asyncio.run(AcmeSource(account).rove_identity())

    assert identity.reads == (f"0 tickets in {tmp_path / 'acme.json'}",)
