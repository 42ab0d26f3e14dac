"""What plugins add to commands and settings, kept so that few of them are loaded."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rove.manifest import plugin_sections

if TYPE_CHECKING:
    from tests.app.conftest import Rove

_PLUGIN = '''
from attrs import frozen
from rove_core import SettingsSection, hookimpl

@frozen
class MoonSettings:
    """Settings.

    Attributes:
        phase: Which phase it is.
    """
    phase: int = 1

@hookimpl
def rove_settings():
    return [SettingsSection(name="moon", settings=MoonSettings)]
'''


@pytest.mark.usefixtures("empty")
def test_a_plugin_s_settings_are_listed(
    rove: "Rove",
    install_plugin: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The list has them with where they are from, and a wrong value is refused with its place."""
    install_plugin("moon", text=_PLUGIN)
    monkeypatch.setenv("ROVE_MOON_PHASE", "3")
    shown = json.loads(rove("settings", "--json").out)["settings"]
    monkeypatch.setenv("ROVE_MOON_PHASE", "full")
    refused = rove("settings")

    assert [(each["value"], each["place"]) for each in shown if each["key"] == "moon.phase"] == [
        (3, "ROVE_MOON_PHASE")
    ]
    assert (refused.code, "moon.phase = full: expected a whole number" in refused.err) == (7, True)
    assert "moon" in [section.name for section in plugin_sections()]
