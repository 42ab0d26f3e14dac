"""Settings that are ignored because their file is not trusted."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rove_core.project.layout import ProjectPaths
from rove_core.project.settings.core_sections import CORE_SECTIONS
from rove_core.project.settings.declarations import settings_of
from rove_core.project.settings.plugin_section import AnySettingsSection
from rove_core.project.toml.reader import TomlFile
from rove_core.project.trust import was_trusted

if TYPE_CHECKING:
    from rove_core.project.toml.scan import Path

#: What an untrusted file may set for an account: how politely its vendor is asked.
SAFE_FOR_ACCOUNTS: Final = frozenset({"rate_limit", "page_size", "token_refresh_buffer"})

#: What a setting decides that is not safe, by its section.
_WHY: Final = {
    "sources": "which of your accounts are asked, and with which words",
    "ai": "where text is sent, and who pays",
    "context": "whether git tracks the documents, which quote people's messages",
    "credentials": "where your logins are stored",
}
_WHY_OF_ACCOUNTS: Final = "what is read with your account, and from where"
_MOST_NAMED: Final = 3


class IgnoredSetting(NamedTuple):
    """A setting of the project's file that does not count.

    Attributes:
        key: Its name with its table's.
        place: The file and its line.
    """

    key: str
    place: str

    def __str__(self) -> str:
        return (
            f"{self.key} in {self.place} is ignored: the file may come from somebody else. "
            "Review it, and trust it if you agree: rove trust."
        )


def unsafe_settings(
    file: TomlFile, sections: Iterable[AnySettingsSection] = ()
) -> tuple[IgnoredSetting, ...]:
    """Return the settings in a file that need trust, in known sections.

    Args:
        file: The file.
        sections: The sections that packages bring, as far as they are known.
    """
    names = {*CORE_SECTIONS, *(section.name for section in sections)}
    return tuple(
        IgnoredSetting(".".join(map(str, path)), file.place(path))
        for path in unsafe_paths(file, sections)
        if path[0] in names
    )


def unsafe_paths(
    file: TomlFile, sections: Iterable[AnySettingsSection] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the tables and the name of each setting that only a trusted file may set.

    Nothing is safe in a section that is not known.
    """
    safe = {each.key for each in settings_of(file.table, sections) if each.safe}
    return (path for path in _set(file.table) if not _is_safe(path, safe))


def why_unsafe(path: Sequence[str], sections: Iterable[AnySettingsSection] = ()) -> str:
    """Return the effect of an unsafe setting, as the end of a sentence."""
    if len(path) > len(("section", "key")):
        return _WHY_OF_ACCOUNTS
    brought = {section.name: section.decides for section in sections}
    return _WHY.get(path[0]) or brought.get(path[0]) or "more than how documents look"


def ignored_note(places: ProjectPaths, ignored: Sequence[IgnoredSetting]) -> str:
    """Return one line about the ignored settings of a project's file; empty if there are none."""
    if not ignored:
        return ""
    keys = [each.key for each in ignored[:_MOST_NAMED]]
    more = [f"{len(ignored) - _MOST_NAMED} more"] if len(ignored) > _MOST_NAMED else []
    why = "it has changed since you trusted it" if was_trusted(places) else "you do not trust it"
    return (
        f"parts of .rove/settings.toml are ignored ({', '.join(keys + more)}), because {why}; "
        "review it with: rove trust --show"
    )


def ignored_notes(places: ProjectPaths, ignored: Sequence[IgnoredSetting]) -> tuple[str, ...]:
    """Return what to say of the ignored settings of a file, for all of them once."""
    return tuple(filter(None, [ignored_note(places, ignored)]))


def _set(table: Mapping[str, object]) -> Iterator[tuple[str, ...]]:
    for section, settings in table.items():
        for name, value in settings.items() if isinstance(settings, Mapping) else ():
            if section == "sources" and isinstance(value, Mapping):
                yield from ((section, name, key) for key in value)
            else:
                yield (section, name)


def _is_safe(path: "Path", safe: Container[str]) -> bool:
    if len(path) == len(("sources", "account", "key")):
        return path[-1] in SAFE_FOR_ACCOUNTS
    return ".".join(map(str, path)) in safe
