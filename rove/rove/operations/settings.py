"""Showing the settings that hold in a project."""

from datetime import timedelta
from typing import TYPE_CHECKING

from attrs import frozen

from rove.operations.tables import page
from rove_core.operations import Operation
from rove_core.project.settings import all_settings, duration_text
from rove_core.project.toml.writer import toml_value
from rove_core.safety.secret import Secret
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
    """All settings, and what is wrong with none of them but worth a word.

    Attributes:
        settings: The settings.
        notes: What a file says in vain, and warnings.
    """

    settings: tuple[SettingShown, ...]
    notes: tuple[str, ...]


async def settings(rove: "LocalProject") -> SettingsShown:
    """List the settings, and where each comes from."""
    held = rove.full_settings
    return SettingsShown(
        settings=tuple(
            SettingShown(
                key=key,
                value=_plain(held[key]),
                origin=held.origin(key).level,
                place=held.origin(key).place,
                safe=declared.safe,
                about=declared.about,
            )
            for key, declared in all_settings(held.sections).items()
        ),
        notes=(*map(str, held.ignored), *held.warnings),
    )


def _plain(value: object) -> JSON:
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
