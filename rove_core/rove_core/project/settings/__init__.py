"""The settings: what they are, where each value comes from, and who may set it."""

from rove_core.project.settings.declarations import Declared, all_settings
from rove_core.project.settings.durations import parse_duration
from rove_core.project.settings.layers import Origin
from rove_core.project.settings.loader import Settings, load_settings
from rove_core.project.settings.sections import (
    AiSettings,
    ContextSettings,
    CredentialSettings,
    EmbeddingSettings,
    SchedulerSettings,
    SourcesSettings,
)
from rove_core.project.settings.untrusted import IgnoredSetting
from rove_core.project.settings.writer import set_setting

__all__ = [
    "AiSettings",
    "ContextSettings",
    "CredentialSettings",
    "Declared",
    "EmbeddingSettings",
    "IgnoredSetting",
    "Origin",
    "SchedulerSettings",
    "Settings",
    "SourcesSettings",
    "all_settings",
    "load_settings",
    "parse_duration",
    "set_setting",
]
