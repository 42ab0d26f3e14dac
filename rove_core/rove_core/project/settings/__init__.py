"""The settings: what they are, where each value comes from, and who may set it."""

from rove_core.project.settings.declarations import SettingDeclaration, all_settings
from rove_core.project.settings.durations import duration_text, parse_duration
from rove_core.project.settings.layers import Origin
from rove_core.project.settings.loader import Settings, load_settings
from rove_core.project.settings.sections import (
    AiSettings,
    ContextSettings,
    CredentialSettings,
    SchedulerSettings,
    SettingsSection,
    SourcesSettings,
)
from rove_core.project.settings.untrusted_settings import IgnoredSetting
from rove_core.project.settings.writer import set_setting

__all__ = [
    "AiSettings",
    "ContextSettings",
    "CredentialSettings",
    "IgnoredSetting",
    "Origin",
    "SchedulerSettings",
    "SettingDeclaration",
    "Settings",
    "SettingsSection",
    "SourcesSettings",
    "all_settings",
    "duration_text",
    "load_settings",
    "parse_duration",
    "set_setting",
]
