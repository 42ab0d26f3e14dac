"""Settings: their values, where each value comes from, and who may set it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.project.settings.ai_section import AiSettings as AiSettings
    from rove_core.project.settings.context_section import ContextSettings as ContextSettings
    from rove_core.project.settings.credentials_section import (
        CredentialSettings as CredentialSettings,
    )
    from rove_core.project.settings.declarations import SettingDeclaration as SettingDeclaration
    from rove_core.project.settings.declarations import all_settings as all_settings
    from rove_core.project.settings.durations import duration_text as duration_text
    from rove_core.project.settings.durations import parse_duration as parse_duration
    from rove_core.project.settings.layers import Origin as Origin
    from rove_core.project.settings.loader import Settings as Settings
    from rove_core.project.settings.loader import load_settings as load_settings
    from rove_core.project.settings.plugin_section import SettingsSection as SettingsSection
    from rove_core.project.settings.scheduler_section import SchedulerSettings as SchedulerSettings
    from rove_core.project.settings.sources_section import SourcesSettings as SourcesSettings
    from rove_core.project.settings.untrusted_settings import IgnoredSetting as IgnoredSetting
    from rove_core.project.settings.untrusted_settings import ignored_notes as ignored_notes
    from rove_core.project.settings.writer import set_setting as set_setting
    from rove_core.project.settings.writer import use_accounts as use_accounts
else:
    from rove_core._lazy import lazy

    # Commands that only list accounts need the types of values, and no settings.
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "declarations": ("SettingDeclaration", "all_settings"),
            "durations": ("duration_text", "parse_duration"),
            "layers": ("Origin",),
            "loader": ("Settings", "load_settings"),
            "plugin_section": ("SettingsSection",),
            "ai_section": ("AiSettings",),
            "context_section": ("ContextSettings",),
            "credentials_section": ("CredentialSettings",),
            "scheduler_section": ("SchedulerSettings",),
            "sources_section": ("SourcesSettings",),
            "untrusted_settings": ("IgnoredSetting", "ignored_notes"),
            "writer": ("set_setting", "use_accounts"),
        },
    )
