"""Remember the chosen credential store."""

import json
import shlex
from datetime import datetime
from pathlib import Path
from typing import Final

from attrs import field, frozen
from attrs.validators import instance_of

from rove_core.auth.credentials.private import check_folder, read_private
from rove_core.errors import WrongSetting
from rove_core.store.files import FileLock, private_folder, write_atomic

_FILE: Final = "credential-store.json"


@frozen(kw_only=True)
class StoreChoice:
    """A store that was chosen.

    Attributes:
        keychain: The full name of the keychain's class; empty for the encrypted file.
        chosen_at: When; aware, UTC.
        why: Why this one, in words for people.
    """

    keychain: str = field(validator=instance_of(str))
    chosen_at: datetime
    why: str = field(validator=instance_of(str))

    @property
    def backend(self) -> str:
        """The kind of store: ``keychain`` or ``encrypted_file``."""
        return "keychain" if self.keychain else "encrypted_file"


def remembered_choice(data_dir: Path) -> StoreChoice | None:
    """Return which store was chosen, or None if none was.

    Raises:
        WrongSetting: What was remembered cannot be read.
        UnsafePlace: Others have access to it.
        DiskTrouble: Its file cannot be read.
    """
    check_folder(data_dir)
    path = data_dir / _FILE
    text = read_private(path)
    if text is None:
        return None
    choice = _parse(text)
    if choice is None:
        raise WrongSetting(
            f"{path} does not say which credential store was chosen",
            hint=f"Remove it, and Rove chooses again: rm {shlex.quote(str(path))}",
        )
    return choice


def remember_choice(data_dir: Path, choice: StoreChoice, *, replace: bool) -> StoreChoice:
    """Remember a choice and return the one that holds.

    Args:
        data_dir: The user's data directory.
        choice: The new one.
        replace: Whether it holds even if another process has meanwhile chosen.
    """
    private_folder(data_dir)
    with FileLock(data_dir / "credentials.lock"):
        earlier = remembered_choice(data_dir)
        if earlier is not None and not replace:
            return earlier
        write_atomic(data_dir / _FILE, _text(choice))
    return choice


def _text(choice: StoreChoice) -> bytes:
    document = {
        "backend": choice.backend,
        "keychain": choice.keychain,
        "chosen_at": choice.chosen_at.isoformat(),
        "why": choice.why,
    }
    return json.dumps(document, indent=2).encode() + b"\n"


def _parse(text: bytes) -> StoreChoice | None:
    try:
        fields = json.loads(text)
        choice = StoreChoice(
            keychain=fields["keychain"],
            chosen_at=datetime.fromisoformat(fields["chosen_at"]),
            why=fields["why"],
        )
        return choice if fields["backend"] == choice.backend else None
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
