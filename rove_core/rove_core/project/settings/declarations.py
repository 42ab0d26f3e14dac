"""A setting as its section declares it, looked up by key."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_type_hints

import attrs

from rove_core.errors import WrongCall
from rove_core.project.settings.core_sections import CORE_SECTIONS, core_section
from rove_core.project.settings.plugin_section import SAFE, AnySettingsSection
from rove_core.project.settings.values import bare_type, expected, from_text, typed
from rove_core.terminal.suggestion import near_names, suggested

#: How like the name of one of the core's sections a name must be to be taken for it.
_SLIP: Final = 0.8
_MOST_GUESSES: Final = 3


class SettingDeclaration(NamedTuple):
    """One setting.

    Attributes:
        path: Its tables and its name.
        kind: The type of its value.
        owner: The class that has it as a field.
        attribute: The field's name.
        safe: Whether a project's file may set it though nobody vouched for the file.
    """

    path: tuple[str, ...]
    kind: object
    owner: type[attrs.AttrsInstance]
    attribute: str
    safe: bool

    @property
    def key(self) -> str:
        """Its name with its section's (``ai.max_hops``)."""
        return ".".join(self.path)

    @property
    def expected(self) -> str:
        """A description of valid values."""
        return expected(self.kind)

    @property
    def default(self) -> object:
        """The default."""
        return getattr(self.owner(), self.attribute)

    @property
    def about(self) -> str:
        """A one-line description."""
        from rove_core.wire.parameters import described  # noqa: PLC0415  # only lists of settings need it

        helps: dict[str, str] = {}
        for owner in reversed(self.owner.__mro__):
            helps |= described(owner.__doc__ or "", "Attributes")
        return helps.get(self.attribute, "")

    def read(self, value: object) -> object:
        """Return a value from TOML, checked; raise ValueError if it is wrong."""
        return self._check(typed(self.kind, value))

    def read_text(self, text: str) -> object:
        """Return a value from a variable, checked; raise ValueError if it is wrong."""
        return self._check(from_text(self.kind, text))

    def _check(self, value: object) -> object:
        # All fields have defaults, so what the class complains of is this value.
        try:
            return getattr(self.owner(**{self.path[-1]: value}), self.attribute)
        except (TypeError, ValueError) as error:
            raise ValueError(*error.args[:1]) from error


def all_settings(sections: Iterable[AnySettingsSection] = ()) -> Mapping[str, SettingDeclaration]:
    """Return every setting that is not of one kind of source, by its key.

    Args:
        sections: The sections that packages bring, beside the core's own.
    """
    return _settings_of(tuple(sections))


@lru_cache(maxsize=8)
def _settings_of(sections: tuple[AnySettingsSection, ...]) -> Mapping[str, SettingDeclaration]:
    brought = chain.from_iterable(map(settings_in, sections))
    core = chain.from_iterable(map(core_settings, CORE_SECTIONS))
    return MappingProxyType({found.key: found for found in chain(core, brought)})


@cache
def core_settings(section: str) -> Sequence[SettingDeclaration]:
    """Return the settings of one of the core's own sections."""
    owner = core_section(section)
    return declare(owner, (section,), safe=_safe(owner))


def settings_of(
    names: Container[str], sections: Iterable[AnySettingsSection] = ()
) -> Iterator[SettingDeclaration]:
    """Yield the settings of some sections, known by their names.

    Args:
        names: The names of the sections.
        sections: The sections that packages bring, beside the core's own.
    """
    for core in CORE_SECTIONS:
        yield from core_settings(core) if core in names else ()
    for section in sections:
        yield from settings_in(section) if section.name in names else ()


def settings_in(section: AnySettingsSection) -> Sequence[SettingDeclaration]:
    """Return the settings of a plugin's section."""
    return declare(section.settings, (section.name,), safe=_safe(section.settings))


def setting(key: str, sections: Iterable[AnySettingsSection] = ()) -> SettingDeclaration:
    """Return the setting with a key; raise WrongCall if there is none."""
    section = key.lower().partition(".")[0]
    for found in settings_of((section,), sections):
        if found.key == key.lower():
            return found
    settings = all_settings(sections)
    near, others = _likely_settings(key.lower(), settings)
    known = f"[{section}] has: {', '.join(others)}. " if others and not near else ""
    raise WrongCall(
        f"there is no setting {key!r}{suggested(near)}", hint=f"{known}List all: rove settings"
    )


def _likely_settings(key: str, settings: Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the setting that a key was meant to be, if any, and the settings of its section.

    Where the section is right, only the names in it count: all keys of a section look alike. A
    section alone is no setting, so what it has is returned.
    """
    if below := [each.removeprefix(f"{key}.") for each in settings if each.startswith(f"{key}.")]:
        return [], below
    section, _, name = key.rpartition(".")
    inside = {each.rpartition(".")[2]: each for each in settings if each.startswith(f"{section}.")}
    if inside and section:
        return [inside[near] for near in near_names(name, inside)], [*inside]
    names = {each.rpartition(".")[2] for each in settings}
    elsewhere = [
        each
        for near in near_names(name, names)
        for each in settings
        if each.rpartition(".")[2] == near
    ]
    return near_names(key, settings) if section else elsewhere[:_MOST_GUESSES], []


def declare(
    owner: type[attrs.AttrsInstance], table: tuple[str, ...], *, safe: Container[str]
) -> Sequence[SettingDeclaration]:
    """Return the settings that a class declares.

    Args:
        owner: An attrs class whose fields all have defaults.
        table: The table they stand in.
        safe: The fields that are safe.
    """
    return [
        SettingDeclaration(
            path=(*table, field.alias or field.name),
            kind=kind,
            owner=owner,
            attribute=field.name,
            safe=field.name in safe,
        )
        for field, kind in _fields_with_kinds(owner)
    ]


@lru_cache(maxsize=256)
def _fields_with_kinds(
    owner: type[attrs.AttrsInstance],
) -> Sequence[tuple["attrs.Attribute[Any]", Any]]:
    types = get_type_hints(owner)
    fields: Sequence[attrs.Attribute[Any]] = attrs.fields(owner)
    return [(field, _kind_of(field.name, types[field.name])) for field in fields if field.init]


def _kind_of(name: str, annotation: object) -> object:
    try:
        return bare_type(annotation)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from error


def is_slip_of_core(section: str) -> bool:
    """Return whether a section's name is one of the core's own with a typing error in it.

    No package may bring a section of such a name, so it is always an error in a file.
    """
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    return section not in CORE_SECTIONS and bool(
        get_close_matches(section, CORE_SECTIONS, 1, _SLIP)
    )


def _safe(section: type[attrs.AttrsInstance]) -> Container[str]:
    return {field.name for field in attrs.fields(section) if field.metadata == SAFE}
