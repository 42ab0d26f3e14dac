import asyncio
from pathlib import Path

import pytest
from rove_acme.settings import AcmeSettings
from rove_acme.source import AcmeSource

from rove_core import Account, ItemRef, WrongSetting


def test_a_missing_export_is_a_wrong_setting(tmp_path: Path) -> None:
    """Who mistyped the file's name is told which file could not be read."""
    file = tmp_path / "nowhere.json"
    account = Account(name="acme", kind="acme", settings=AcmeSettings(file=str(file)))

    with pytest.raises(WrongSetting, match="nowhere.json cannot be read"):
        ref = ItemRef(account="acme", kind="ticket", id="ACME-1")
        asyncio.run(AcmeSource(account).rove_item_detail(ref))
