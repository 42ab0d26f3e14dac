"""Show the effective settings of a project."""

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from attrs import frozen

from rove.manifest import full_settings, kind_of
from rove_core.operations import Operation
from rove_core.project.settings import (
    Origin,
    SettingDeclaration,
    Settings,
    all_settings,
    duration_text,
)
from rove_core.project.toml.writer import toml_value
from rove_core.safety.secret import Secret
from rove_core.terminal.tables import page
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class SettingShown:
    """One setting.

    Attributes:
        key: Its name with its section's.
        value: What holds; a secret is not shown.
        origin: Where it comes from: flag, environment, project, user, default.
        place: Which file and line, or which variable; empty for a default.
        safe: Whether a project's file may set it though nobody vouched for the file.
        about: What it is for.
    """

    key: str
    value: JSON
    origin: str
    place: str
    safe: bool
    about: str


@frozen(kw_only=True)
class SettingsShown:
    """All settings, with warnings.

    Attributes:
        settings: The settings.
        notes: What a file says in vain, and warnings.
    """

    settings: tuple[SettingShown, ...]
    notes: tuple[str, ...]


async def settings(rove: "LocalProject") -> SettingsShown:
    """List the settings, and where each comes from."""
    current = full_settings(rove)
    return SettingsShown(
        settings=shown_settings(rove, current),
        notes=(*map(str, current.ignored), *current.warnings),
    )


def shown_settings(rove: "LocalProject", settings: Settings) -> tuple[SettingShown, ...]:
    """Return every setting that holds here, those of the accounts in use included."""
    own = [
        shown_setting(declared, settings[key], settings.origin(key))
        for key, declared in all_settings(settings.sections).items()
    ]
    return (*own, *(shown_setting(*each) for each in _of_accounts(rove, settings)))


def shown_setting(declared: SettingDeclaration, value: object, origin: Origin) -> SettingShown:
    """Return a setting as it is shown."""
    return SettingShown(
        key=declared.key,
        value=_plain_value(value),
        origin=origin.level,
        place=origin.place,
        safe=declared.safe,
        about=declared.about,
    )


def _of_accounts(
    rove: "LocalProject", current: Settings
) -> Iterator[tuple[SettingDeclaration, object, Origin]]:
    """Yield the settings of each account in use, except those of unknown kinds."""
    if not current.sources.use:
        return
    records = {record.name: record for record in rove.book.accounts()}
    for name in current.sources.use:
        record = records.get(name)
        kind = kind_of(rove, record.kind if record else name.partition(":")[0])
        if kind is None:
            continue
        own_settings = record.settings if record else {}
        yield from current.settings_of_account(name, kind.name, kind.settings, given=own_settings)


def _plain_value(value: object) -> JSON:
    match value:
        case None:
            return ""
        case Secret():
            return "***" if value else ""
        case timedelta():
            return duration_text(value)
        case tuple():
            return [str(each) for each in value]
        case bool() | int() | str():
            return value
    return str(value)


def _show(shown: SettingsShown) -> str:
    return page([*map(_line, shown.settings), *shown.notes])


def _line(shown: SettingShown) -> str:
    origin = f"{shown.origin} {shown.place}".strip()
    return f"{shown.key} = {toml_value(shown.value)}  ({origin})"


SETTINGS = Operation(settings, offline=True, show=_show)
