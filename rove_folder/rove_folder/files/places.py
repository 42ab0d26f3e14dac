"""Check which folders may be linked."""

import os
from pathlib import Path
from typing import Final

from rove_core import ProjectPaths, UnsafePlace, WrongCall, WrongSetting, state_folder
from rove_folder.files.walk import is_text

#: No folder of a person's lies in these.
_SYSTEM: Final = tuple(
    Path(name)
    for name in (
        *("/proc", "/sys", "/dev", "/run", "/boot", "/etc", "/bin", "/sbin", "/lib", "/usr"),
        *("/var/lib", "/var/log", "/var/cache", "/var/spool"),
    )
)
#: Many people's folders lie in these; they are nobody's own.
_SHARED: Final = frozenset(
    map(Path, ("/home", "/opt", "/srv", "/mnt", "/media", "/tmp", "/var", "/var/tmp", "/root"))  # noqa: S108  # refused
)
_PRIVATE: Final = frozenset({".ssh", ".gnupg", ".aws", ".git"})
_CHOOSE: Final = "Choose a folder with the project's own files: rove folder link FOLDER"
_NAME: Final = "Set a folder with the project's own files in the account's setting: folder"


def linkable_folder(text: str, *, relative_to: Path, rove: Path) -> Path:
    """Return the folder that a person names, resolved once.

    Args:
        text: What the person typed.
        relative_to: The folder that a relative path starts from.
        rove: The project's ``.rove``.

    Raises:
        WrongCall: There is no such folder.
        UnsafePlace: It is one that must not be linked.
    """
    if not text.strip():
        raise WrongCall("No folder given", hint=_CHOOSE)
    try:
        named = Path(relative_to, Path(text).expanduser())
        folder = named.resolve(strict=True)
        status = folder.stat()
    except (OSError, RuntimeError, ValueError) as error:
        raise WrongCall(f"Folder not found: {text}", hint=_CHOOSE) from error
    if not folder.is_dir():
        raise WrongCall(f"Not a folder: {folder}", hint=_CHOOSE)
    if why := _refusal(folder, rove):
        raise UnsafePlace(f"{folder} {why}", hint=_CHOOSE)
    if status.st_uid != os.geteuid():
        what = f"{folder} belongs to user {status.st_uid}, not to {os.geteuid()}"
        raise UnsafePlace(what, hint=_CHOOSE)
    return folder


def named_folder(text: str, project: ProjectPaths) -> Path:
    """Return the folder that a setting names; one in the project must not lead out of it.

    Raises:
        WrongSetting: There is no such folder, or it must not be read.
    """
    try:
        folder = linkable_folder(text, relative_to=project.root, rove=project.rove)
    except (WrongCall, UnsafePlace) as error:
        raise WrongSetting(error.message, hint=_NAME) from error
    is_absolute = Path(text).expanduser().is_absolute()
    if not is_absolute and not folder.is_relative_to(project.root.resolve()):
        raise WrongSetting(f"{text} points outside the project, to {folder}", hint=_NAME)
    return folder


def _refusal(folder: Path, rove: Path) -> str:
    home, parts = Path.home().resolve(), set(folder.parts)
    own = [rove.resolve(), state_folder("folder").parents[2].resolve()]
    reasons = {
        "is the root of the file system": folder == Path(folder.anchor),
        "is a home folder, or contains one": folder == home or folder in home.parents,
        "is shared by all users of this machine": folder in _SHARED,
        "belongs to the system": any(folder.is_relative_to(system) for system in _SYSTEM),
        "lies in Rove's own folder": any(map(folder.is_relative_to, own)) or ".rove" in parts,
        "holds Rove's data": own[1].is_relative_to(folder),
        "contains logins or a repository's internal files": bool(parts & _PRIVATE),
        "has a name that is not text": not is_text(str(folder)),
    }
    return next((reason for reason, applies in reasons.items() if applies), "")
