"""Check the settings sections that packages provide."""

import re
from typing import Final

from rove_core.errors import PluginFailed
from rove_core.project.settings.core_sections import CORE_SECTIONS
from rove_core.project.settings.declarations import is_slip_of_core, settings_in
from rove_core.project.settings.plugin_section import AnySettingsSection

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")


def checked_section(section: AnySettingsSection) -> AnySettingsSection:
    """Return a section if its settings can be read; otherwise raise :class:`PluginFailed`."""
    name = section.name
    if not _NAME.fullmatch(name):
        raise PluginFailed(f"the settings [{name}] need a lower-case name, like [memory]")
    if name in CORE_SECTIONS or is_slip_of_core(name):
        raise PluginFailed(f"the settings [{name}] clash with Rove's own: choose another name")
    try:
        section.settings()
        declared = settings_in(section)
    except Exception as error:
        raise PluginFailed(f"the settings [{name}]: {error}") from error
    for each in declared:
        if not each.about:
            raise PluginFailed(f"the setting {each.key} has no description: see SettingsSection")
    return section
