"""Write a setting on the user's request."""

from collections.abc import Iterable

from rove_core.errors import WrongCall, WrongSetting
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings.declarations import SettingDeclaration, setting
from rove_core.project.settings.loader import load_settings, read_project_file
from rove_core.project.settings.untrusted_settings import IgnoredSetting, unsafe_settings
from rove_core.project.toml.editor import with_value, without_value
from rove_core.project.toml.reader import TomlFile, parse_toml, read_bytes
from rove_core.project.toml.writer import toml_value
from rove_core.project.trust import is_trusted, record_trust
from rove_core.store.files import FileLock, private_folder, write_atomic
from rove_core.wire.json_types import JSON


def set_setting(places: ProjectPaths, key: str, value: JSON) -> tuple[IgnoredSetting, ...]:
    """Set a key in the project's file without touching the rest.

    What the user commands is trusted from then on, unless the file holds something else that
    is unsafe and that nobody vouched for.

    Args:
        places: Where the project is.
        key: Which one (``sources.default_ticket_source``).
        value: Its new value.

    Returns:
        What in the file does not count, the key itself included if it is unsafe; mostly nothing.

    Raises:
        WrongCall: There is no such key, or it cannot have this value.
        WrongSetting: The file is wrong, or does not let itself be edited.
    """
    return change_setting(places, setting(key), value)


def use_accounts(places: ProjectPaths, names: Iterable[str]) -> tuple[IgnoredSetting, ...]:
    """Add accounts to those a project uses.

    Two commands that each add one lose none: the file is read while nobody else changes it.

    Args:
        places: Where the project is.
        names: The accounts.

    Returns:
        What in the file does not count; mostly nothing.
    """
    declared = setting("sources.use")
    places.prepare()
    with FileLock(places.rove / "settings.lock"):
        used = load_settings(places).sources.use
        use = list(dict.fromkeys([*used, *names]))
        return () if use == list(used) else _change_project(places, declared, use)


def change_setting(
    places: ProjectPaths, declared: SettingDeclaration, value: JSON, *, for_user: bool = False
) -> tuple[IgnoredSetting, ...]:
    """Set or remove a key in the project's file, or in the user's own.

    Args:
        places: Where both files are.
        declared: The setting.
        value: Its new value; None removes the key.
        for_user: Whether to change the user's file, which holds in all projects.

    Returns:
        What in the project's file does not count.

    Raises:
        WrongCall: The setting cannot have this value.
        WrongSetting: The file is wrong, or does not let itself be edited.
    """
    if value is not None:
        try:
            declared.read(value)
        except ValueError as error:
            raise WrongCall(
                f"{declared.key} = {value!r}: {error}", hint=f"Write {declared.expected}."
            ) from error
    if for_user:
        return _change_for_user(places, declared, value)
    places.prepare()
    with FileLock(places.rove / "settings.lock"):
        return _change_project(places, declared, value)


def _change_for_user(
    places: ProjectPaths, declared: SettingDeclaration, value: JSON
) -> tuple[IgnoredSetting, ...]:
    path = places.user_settings_file
    private_folder(path.parent)
    with FileLock(path.with_suffix(".lock")):
        old = read_bytes(path, shown=str(path)) or b""
        text = _edit(parse_toml(old, shown=str(path)), declared, value)
        write_atomic(path, text.encode())
    return ()


def _change_project(
    places: ProjectPaths, declared: SettingDeclaration, value: JSON
) -> tuple[IgnoredSetting, ...]:
    old = read_bytes(places.settings_file, shown=".rove/settings.toml") or b""
    new = _edit(read_project_file(old), declared, value).encode()
    unsafe = unsafe_settings(read_project_file(new))
    foreign = [each for each in unsafe if each.key != declared.key]
    trusted = not foreign or is_trusted(places, old)
    write_atomic(places.settings_file, new)
    if trusted:
        record_trust(places, new)
    return () if trusted else unsafe


def _edit(before: TomlFile, declared: SettingDeclaration, value: JSON) -> str:
    """Return a file's text with a key set or removed."""
    path, table = declared.path, ".".join(declared.path[:-1])
    if value is None:
        if (text := without_value(before, path)) is None:
            raise WrongSetting(
                f"{before.place(path)}: {declared.key} cannot be removed without changing others",
                hint=f"Remove it there, in [{table}].",
            )
        return text
    text = with_value(before, path, value)
    if text is None:
        raise WrongSetting(
            f"{before.place(path[:1])}: {declared.key} cannot be set without changing others",
            hint=f"Edit it there, in [{table}]: {path[-1]} = {toml_value(value)}",
        )
    return text
