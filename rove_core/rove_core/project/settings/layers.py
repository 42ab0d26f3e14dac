"""The layers that a setting can come from."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from rove_core.auth.account_names import environment_name
from rove_core.errors import WrongSetting
from rove_core.project.settings.declarations import SettingDeclaration
from rove_core.project.toml.reader import TomlFile
from rove_core.safety.secret import Secret
from rove_core.wire.json_types import JSON

Level: TypeAlias = Literal["flag", "environment", "project", "user", "account", "default"]

_LONGEST_SHOWN: Final = 60


class Origin(NamedTuple):
    """The origin of a value.

    Attributes:
        level: What kind of place that is.
        place: Which one: a file and its line, a variable; empty for a default.
    """

    level: Level
    place: str = ""


class LayerValue(NamedTuple):
    """A value, and what finds its origin: most commands want the value alone."""

    value: object
    find_origin: Callable[[], Origin]

    @property
    def origin(self) -> Origin:
        """The origin of the value."""
        return self.find_origin()


class Layer(Protocol):
    """One place where settings can be."""

    def find(self, setting: SettingDeclaration) -> LayerValue | None:
        """Return what this place says of a setting, if it does; raise WrongSetting if wrongly."""
        ...

    def sections(self, names: Iterable[str]) -> Iterable[str]:
        """Return those of some sections of which this place may say something."""
        ...


class FlagLayer(NamedTuple):
    """Settings from the command line or a program, by key."""

    values: Mapping[str, object]

    def sections(self, names: Iterable[str]) -> Iterable[str]:
        """Return the sections of its keys."""
        return {key.partition(".")[0] for key in self.values}.intersection(names)

    def find(self, setting: SettingDeclaration) -> LayerValue | None:
        """Return the value given as a flag."""
        if (value := self.values.get(setting.key)) is None:
            return None
        try:
            return LayerValue(setting.read(value), partial(Origin, "flag", setting.key))
        except ValueError as error:
            hint = f"Write {setting.expected}."
            raise WrongSetting(_error_text(setting, "", repr(value), error), hint=hint) from error


class EnvironmentLayer(NamedTuple):
    """The variables of the process: ``ROVE_AI_MODEL``. An empty one counts as none."""

    variables: Mapping[str, str]

    def sections(self, names: Iterable[str]) -> Iterable[str]:
        """Return the sections of its variables."""
        begins = {name: f"ROVE_{environment_name(name)}_" for name in names}
        return [
            name
            for name, begin in begins.items()
            if any(each.startswith(begin) for each in self.variables)
        ]

    def find(self, setting: SettingDeclaration) -> LayerValue | None:
        """Return the value of a setting's variable."""
        name = variable(setting)
        if not (text := self.variables.get(name)):
            return None
        try:
            return LayerValue(setting.read_text(text), partial(Origin, "environment", name))
        except ValueError as error:
            hint = f"Fix or unset {name}: it takes {setting.expected}."
            raise WrongSetting(_error_text(setting, f"{name}: ", text, error), hint=hint) from error


class FileLayer(NamedTuple):
    """A settings file.

    Attributes:
        level: Whose it is.
        file: What it holds.
        trusted: Whether it may set more than what is safe.
    """

    level: Literal["project", "user"]
    file: TomlFile
    trusted: bool

    def sections(self, names: Iterable[str]) -> Iterable[str]:
        """Return the sections that it has."""
        return self.file.table.keys() & set(names)

    def find(self, setting: SettingDeclaration) -> LayerValue | None:
        """Return the file's value of a setting, unless the file may not set it."""
        value = _value_at(self.file.table, setting.path)
        if value is None or not (self.trusted or setting.safe):
            return None
        try:
            return LayerValue(setting.read(value), lambda: Origin(self.level, self._place(setting)))
        except ValueError as error:
            place = self._place(setting)
            raw = self.file.raw(setting.path)
            hint = f"Write {setting.expected}; docs/reference/settings.md lists every key."
            raise WrongSetting(_error_text(setting, f"{place}: ", raw, error), hint=hint) from error

    def _place(self, setting: SettingDeclaration) -> str:
        return self.file.place(setting.path)

    def account_table(self, name: str) -> Mapping[str, object]:
        """Return the file's table of an account or kind; empty if there is none."""
        table = _value_at(self.file.table, ("sources", name))
        return table if isinstance(table, Mapping) else {}


class AccountLayer(NamedTuple):
    """Settings stored with an account."""

    values: Mapping[str, JSON]
    account: str

    def sections(self, names: Iterable[str]) -> Iterable[str]:
        """Return ``sources``, if that is among the names: it is about nothing else."""
        return {"sources"}.intersection(names)

    def find(self, setting: SettingDeclaration) -> LayerValue | None:
        """Return the value in the account's record."""
        value = self.values.get(setting.path[-1])
        if value is None:
            return None
        try:
            return LayerValue(setting.read(value), partial(Origin, "account", self.account))
        except ValueError as error:
            place = f"accounts.toml, {self.account}: "
            raise WrongSetting(
                _error_text(setting, place, repr(value), error), hint=f"Write {setting.expected}."
            ) from error


def variable(setting: SettingDeclaration) -> str:
    """Return the variable that sets a setting (``ROVE_AI_MODEL``)."""
    return "_".join(("ROVE", *map(environment_name, setting.path)))


def _value_at(table: Mapping[str, object], path: tuple[str, ...]) -> object:
    """Return the value at a path; None if there is none."""
    value: object = table
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _error_text(setting: SettingDeclaration, place: str, raw: str, error: ValueError) -> str:
    shown = "***" if setting.kind is Secret else " ".join(raw.split())
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}..."
    return f"{place}{setting.key} = {shown}: {error}"
