"""Read, set and unset a single setting."""

import tomllib
from typing import TYPE_CHECKING, Annotated

from attrs import asdict, frozen

from rove.manifest import full_settings
from rove.operations.settings import SettingShown, shown_setting
from rove_core.errors import WrongCall
from rove_core.operations import Operation
from rove_core.project.settings import SettingDeclaration, ignored_notes
from rove_core.project.settings.declarations import all_settings, declare, setting
from rove_core.project.settings.untrusted_settings import SAFE_FOR_ACCOUNTS
from rove_core.project.settings.writer import change_setting
from rove_core.project.toml.writer import toml_value
from rove_core.safety.secret import Secret
from rove_core.terminal.tables import sentences
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core.project.local import LocalProject
    from rove_core.project.settings import Settings
    from rove_core.sources import AnySourceKind


@frozen(kw_only=True)
class SettingChanged:
    """A setting that was written to a file or removed from it.

    Attributes:
        key: The setting.
        value: Its new value, as TOML; empty when it was removed.
        file: The file.
        notes: What in the file does not count.
    """

    key: str
    value: str
    file: str
    notes: tuple[str, ...] = ()


@frozen(kw_only=True)
class SettingFound(SettingShown):
    """One setting, and whether the project's file gives it another value in vain.

    Attributes:
        note: Why the value in the project's file is ignored; empty if none is.
    """

    note: str = ""


async def settings_get(
    rove: "LocalProject", *, key: Annotated[str, "The setting, like ai.max_hops."]
) -> SettingFound:
    """Show one setting, and where it comes from."""
    declared, current = _declaration_of(rove, key), full_settings(rove)
    full_key = declared.key
    if full_key in all_settings(current.sections):
        shown = shown_setting(declared, current[full_key], current.origin(full_key))
    else:
        shown = _account_setting(rove, current, declared)
    note = next((str(each) for each in current.ignored if each.key == full_key), "")
    return SettingFound(**asdict(shown), note=note)


async def settings_set(
    rove: "LocalProject",
    *,
    key: Annotated[str, "The setting, like ai.max_hops or sources.jira.rate_limit."],
    value: Annotated[str, 'Its value; a list as in TOML: \'["jira", "slack"]\'.'],
    everywhere: Annotated[bool, "In all your projects, not in this one alone."] = False,
) -> SettingChanged:
    """Set a setting for this project, or for all of yours."""
    declared = _declaration_of(rove, key)
    return _change(rove, declared, _typed_value(declared, value), everywhere=everywhere)


async def settings_unset(
    rove: "LocalProject",
    *,
    key: Annotated[str, "The setting."],
    everywhere: Annotated[bool, "In your own settings, not in this project's."] = False,
) -> SettingChanged:
    """Remove a setting from this project's file, or from yours."""
    return _change(rove, _declaration_of(rove, key), None, everywhere=everywhere)


def _declaration_of(rove: "LocalProject", key: str) -> SettingDeclaration:
    """Return a setting by its key: one of Rove, of a package, or of an account."""
    section, _, rest = key.lower().partition(".")
    account, dot, _ = rest.rpartition(".")
    if section != "sources" or not dot:
        return setting(key, full_settings(rove).sections)
    kind, _ = _account(rove, account)
    declarations = {
        each.key: each
        for each in declare(kind.settings, ("sources", account), safe=SAFE_FOR_ACCOUNTS)
    }
    if key.lower() not in declarations:
        raise WrongCall(
            f"{kind.title} has no setting {key!r}.",
            hint=f"It has: {', '.join(declarations)}",
        )
    return declarations[key.lower()]


def _account_setting(
    rove: "LocalProject", held: "Settings", declared: SettingDeclaration
) -> SettingShown:
    """Return a setting of an account, whether or not the project uses the account."""
    _, account, _ = declared.path
    kind, given = _account(rove, account)
    found = held.settings_of_account(account, kind.name, kind.settings, given=given)
    return next(shown_setting(*each) for each in found if each[0].key == declared.key)


def _account(rove: "LocalProject", name: str) -> "tuple[AnySourceKind, Mapping[str, JSON]]":
    """Return an account's kind, and the settings it was added with."""
    from rove.known_accounts import project_accounts  # noqa: PLC0415  # most settings are of no account

    record = next((each for each in project_accounts(rove) if each.name == name), None)
    kind = rove.plugins.kind(record.kind if record else name.partition(":")[0])
    return kind, record.settings if record else {}


def _typed_value(declared: SettingDeclaration, text: str) -> JSON:
    """Return a value in its type: parsed as TOML, else as text."""
    if declared.kind is Secret:
        raise WrongCall(
            f"{declared.key} is a secret, and a command line is kept in your shell's history.",
            hint=f"Set the variable ROVE_{'_'.join(declared.path).upper()}.",
        )
    if isinstance(declared.default, tuple) and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        value: JSON = tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    # What fits as text is text; of what does not fit at all, it is told what is wrong as a value.
    return value if _fits(declared, value) or not _fits(declared, text) else text


def _fits(declared: SettingDeclaration, value: JSON) -> bool:
    try:
        declared.read(value)
    except ValueError:
        return False
    return True


def _change(
    rove: "LocalProject", declared: SettingDeclaration, value: JSON, *, everywhere: bool
) -> SettingChanged:
    notes = change_setting(rove.places, declared, value, for_user=everywhere)
    file = rove.places.user_settings_file if everywhere else rove.places.settings_file
    return SettingChanged(
        key=declared.key,
        value="" if value is None else toml_value(value),
        file=str(file),
        notes=ignored_notes(rove.places, notes),
    )


def _show_changed(changed: SettingChanged) -> str:
    text = f"{changed.key} = {changed.value}" if changed.value else f"{changed.key} removed"
    return sentences([f"{text}  ({changed.file})", *changed.notes])


def _show_one(shown: SettingShown) -> str:
    return toml_value(shown.value) if not isinstance(shown.value, str) else shown.value


GET = Operation(
    settings_get, command="settings get", project="closed", offline=True, show=_show_one
)
SET = Operation(
    settings_set,
    command="settings set",
    changes=True,
    terminal_only=True,
    project="closed",
    offline=True,
    show=_show_changed,
)
UNSET = Operation(
    settings_unset,
    command="settings unset",
    changes=True,
    terminal_only=True,
    project="closed",
    offline=True,
    show=_show_changed,
)
