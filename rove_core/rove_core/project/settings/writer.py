"""Writing a setting at the user's command."""

from rove_core.errors import WrongCall, WrongSetting
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings.declarations import setting
from rove_core.project.settings.loader import read_project_file
from rove_core.project.settings.untrusted import IgnoredSetting, unsafe_settings
from rove_core.project.toml import read_bytes, toml_value, with_value
from rove_core.project.trust import is_trusted, record_trust
from rove_core.store.files import FileLock, write_atomic
from rove_core.wire.json_types import JSON


def set_setting(places: ProjectPaths, key: str, value: JSON) -> tuple[IgnoredSetting, ...]:
    """Set a key in the project's file, and leave the rest of the file as it is.

    What the user commands is trusted from then on, unless the file holds something else that
    is unsafe and that nobody vouched for.

    Args:
        places: Where the project is.
        key: Which one (``sources.default_ticket_source``).
        value: What it shall be.

    Returns:
        What in the file does not count, the key itself included if it is unsafe; mostly nothing.

    Raises:
        WrongCall: There is no such key, or it cannot have this value.
        WrongSetting: The file is wrong, or does not let itself be edited.
    """
    declared = setting(key)
    try:
        declared.read(value)
    except ValueError as error:
        raise WrongCall(f"{declared.key} = {value!r}: {error}") from error
    places.prepare()
    with FileLock(places.rove / "settings.lock"):
        return _write(places, (declared.path[0], declared.path[1]), value)


def _write(places: ProjectPaths, path: tuple[str, str], value: JSON) -> tuple[IgnoredSetting, ...]:
    old = read_bytes(places.settings_file, shown=".rove/settings.toml") or b""
    before = read_project_file(old)
    text = with_value(before, path, value)
    if text is None:
        raise WrongSetting(
            f"{before.place(path[:1])}: {'.'.join(path)} cannot be set without touching more",
            hint=f"Write it there yourself, in [{path[0]}]: {path[1]} = {toml_value(value)}",
        )
    new = text.encode()
    unsafe = unsafe_settings(read_project_file(new))
    foreign = [each for each in unsafe if each.key != ".".join(path)]
    trusted = not foreign or is_trusted(places, old)
    write_atomic(places.settings_file, new)
    if trusted:
        record_trust(places, new)
    return () if trusted else unsafe
