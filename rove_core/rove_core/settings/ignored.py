"""What a settings file says that does not count, because nobody vouched for the file."""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from rove_core.settings.declared import all_settings
from rove_core.toml import Path, TomlFile

#: What an untrusted file may set for an account: how politely its vendor is asked.
SAFE_FOR_ACCOUNTS: Final = frozenset({"rate_limit", "page_size", "token_refresh_buffer"})


@frozen
class IgnoredSetting:
    """A setting of the project's file that does not count.

    Attributes:
        key: Its name with its table's.
        place: The file and its line.
    """

    key: str
    place: str

    def __str__(self) -> str:
        return (
            f"{self.key} in {self.place} is ignored: the file may have come from somebody else. "
            "If you want it, set it with the rove command, "
            "or in the settings.toml of your own settings folder (~/.config/rove)."
        )


def unsafe_settings(file: TomlFile) -> tuple[IgnoredSetting, ...]:
    """Return what a file sets that only a trusted one may set."""
    return tuple(
        IgnoredSetting(".".join(map(str, path)), file.place(path))
        for path in _set(file.table)
        if not _is_safe(path)
    )


def _set(table: Mapping[str, object]) -> Iterator[tuple[str, ...]]:
    for section, settings in table.items():
        for name, value in settings.items() if isinstance(settings, Mapping) else ():
            if section == "sources" and isinstance(value, Mapping):
                yield from ((section, name, key) for key in value)
            else:
                yield (section, name)


def _is_safe(path: Path) -> bool:
    if len(path) == len(("sources", "account", "key")):
        return path[-1] in SAFE_FOR_ACCOUNTS
    declared = all_settings().get(".".join(map(str, path)))
    return declared is not None and declared.safe
