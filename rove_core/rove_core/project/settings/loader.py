"""Load the settings of a project from all layers."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen

from rove_core.auth.account_names import account_name, is_account_name
from rove_core.errors import WrongSetting
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings.core_sections import CORE_SECTIONS, core_section
from rove_core.project.settings.declarations import (
    SettingDeclaration,
    core_settings,
    declare,
    is_slip_of_core,
    setting,
    settings_in,
    settings_of,
)
from rove_core.project.settings.layers import (
    AccountLayer,
    EnvironmentLayer,
    FileLayer,
    FlagLayer,
    Layer,
    LayerValue,
    Origin,
    variable,
)
from rove_core.project.settings.plugin_section import (
    AnySettingsSection,
    OwnSettings,
    SettingsSection,
)
from rove_core.project.settings.untrusted_settings import (
    SAFE_FOR_ACCOUNTS,
    IgnoredSetting,
    unsafe_settings,
)
from rove_core.project.toml.reader import TomlFile, parse_toml, read_bytes
from rove_core.project.trust import is_trusted
from rove_core.safety.secret import Secret
from rove_core.terminal.suggestion import did_you_mean
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.project.settings.ai_section import AiSettings
    from rove_core.project.settings.context_section import ContextSettings
    from rove_core.project.settings.credentials_section import CredentialSettings
    from rove_core.project.settings.scheduler_section import SchedulerSettings
    from rove_core.project.settings.sources_section import SourcesSettings


# Most commands build this class, and its cached properties take longer with slots.
@frozen(kw_only=True, eq=False, slots=False)
class Settings:
    """The settings that hold in a project.

    Attributes:
        ignored: What its file says in vain.
        warnings: What the person should know, one sentence each.
        sections: The sections that packages bring, as far as they are known here.
    """

    ignored: tuple[IgnoredSetting, ...]
    warnings: tuple[str, ...]
    sections: tuple[AnySettingsSection, ...] = ()
    _layers: Sequence[Layer] = field(repr=False)

    @cached_property
    def sources(self) -> "SourcesSettings":
        """Which accounts it uses."""
        from rove_core.project.settings.sources_section import SourcesSettings  # noqa: PLC0415  # each class takes its time to build

        return SourcesSettings(**_core_values(self._layers, "sources"))

    @cached_property
    def scheduler(self) -> "SchedulerSettings":
        """When its documents are refreshed."""
        from rove_core.project.settings.scheduler_section import SchedulerSettings  # noqa: PLC0415  # the same

        return SchedulerSettings(**_core_values(self._layers, "scheduler"))

    @cached_property
    def ai(self) -> "AiSettings":
        """Who answers questions about a text."""
        from rove_core.project.settings.ai_section import AiSettings  # noqa: PLC0415  # the same

        return AiSettings(**_core_values(self._layers, "ai"))

    @cached_property
    def context(self) -> "ContextSettings":
        """What its documents are like."""
        from rove_core.project.settings.context_section import ContextSettings  # noqa: PLC0415  # the same

        return ContextSettings(**_core_values(self._layers, "context"))

    @cached_property
    def credentials(self) -> "CredentialSettings":
        """Where logins are kept."""
        from rove_core.project.settings.credentials_section import CredentialSettings  # noqa: PLC0415  # the same

        return CredentialSettings(**_core_values(self._layers, "credentials"))

    @property
    def has_unread_sections(self) -> bool:
        """Return whether a file has a section that no known package reads."""
        files = [layer for layer in self._layers if isinstance(layer, FileLayer)]
        return any(_unread_sections(files, self.sections))

    def __getitem__(self, key: str) -> object:
        declared = setting(key, self.sections)
        brought = {section.name: section for section in self.sections}.get(declared.path[0])
        owner = self.section(brought) if brought else getattr(self, declared.path[0])
        return getattr(owner, declared.attribute)

    def origin(self, key: str) -> Origin:
        """Return where a setting's value comes from; raise WrongCall if there is no such key."""
        declared = setting(key, self.sections)
        found = _value(self._layers, declared)
        return found.origin if found else Origin("default")

    def section(self, section: SettingsSection[OwnSettings]) -> OwnSettings:
        """Return the settings of a plugin's section.

        Raises:
            WrongSetting: A key or a value is wrong.
        """
        declared = settings_in(section)
        for layer in self._layers:
            if isinstance(layer, FileLayer) and section.name in layer.file.table:
                _refuse_unknown_in(layer.file, section.name, [each.path[-1] for each in declared])
        found = {each.path[-1]: _first_value(self._layers, [each]) for each in declared}
        return section.settings(**{key: value.value for key, value in found.items() if value})

    def places_of_account(self, name: str) -> tuple[str, ...]:
        """Return where files have a table of an account, or of a kind of source."""
        files = (layer for layer in self._layers if isinstance(layer, FileLayer))
        return tuple(
            layer.file.place(("sources", name)) for layer in files if layer.account_table(name)
        )

    def account_settings(
        self,
        account: str,
        kind: str,
        settings_class: type[OwnSettings],
        *,
        given: Mapping[str, JSON] | None = None,
    ) -> OwnSettings:
        """Return the settings of one account; each place says them for its kind, or for it alone.

        Args:
            account: The account's name.
            kind: The kind of source it is of.
            settings_class: The kind's own class.
            given: What was set when the account was added: the last word before the defaults.

        Raises:
            WrongSetting: A key or a value is wrong.
        """
        found = self.settings_of_account(account, kind, settings_class, given=given)
        values = {
            each.path[-1]: value for each, value, origin in found if origin.level != "default"
        }
        return settings_class(**values)

    def settings_of_account(
        self,
        account: str,
        kind: str,
        settings_class: type[OwnSettings],
        *,
        given: Mapping[str, JSON] | None = None,
    ) -> Sequence[tuple[SettingDeclaration, object, Origin]]:
        """Return each setting of one account, with its value and where that comes from.

        Args:
            account: The account's name.
            kind: The kind of source it is of.
            settings_class: The kind's own class.
            given: What was set when the account was added.

        Raises:
            WrongSetting: A key or a value is wrong.
        """
        tables = dict.fromkeys((account_name(account), kind))
        for name in tables:
            self._refuse_unknown(name, settings_class)
        _refuse_unknown_account_settings(account, given or {}, settings_class)
        layers = [*self._layers, AccountLayer(given or {}, account)]
        spelled = [
            declare(settings_class, ("sources", name), safe=SAFE_FOR_ACCOUNTS) for name in tables
        ]
        found = [(ways[0], _first_value(layers, ways)) for ways in zip(*spelled, strict=True)]
        return [
            (each, value.value, value.origin) if value else (each, each.default, Origin("default"))
            for each, value in found
        ]

    def _refuse_unknown(self, account: str, settings_class: type[attrs.AttrsInstance]) -> None:
        valid_keys = [each.path[-1] for each in declare(settings_class, (), safe=())]
        in_vain = {each.key for each in self.ignored}
        for layer in self._layers:
            if isinstance(layer, FileLayer):
                for key in layer.account_table(account):
                    if key not in valid_keys and f"sources.{account}.{key}" not in in_vain:
                        raise _unknown(layer.file, ("sources", account, key), valid_keys)


def load_settings(
    places: ProjectPaths,
    *,
    flags: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    sections: Iterable[AnySettingsSection] | None = None,
    trusting: bool = False,
) -> Settings:
    """Return the settings of a project.

    The first of these that says something about a key wins: flags, environment, the project's
    file, the user's file, the default.

    Args:
        places: Where the project and the user's settings are.
        flags: What was said on the command line, by key (``ai.max_hops``).
        environ: The variables of the process, unless others are meant.
        sections: The sections that packages bring; None if no plugin is loaded. They are checked
            when they are read (:meth:`Settings.section`), so that they cost their package alone.
        trusting: Read the project's file as if the user trusted it.

    Raises:
        WrongSetting: A key, a type or a value is wrong, or a file cannot be read.
    """
    own = _project_layer(places, trusting=trusting)
    files = [layer for layer in (own, _user_layer(places)) if layer]
    # A section is read when it is needed: what the process sets meanwhile does not count.
    given = os.environ if environ is None else environ
    own_variables = {name: text for name, text in given.items() if name.startswith("ROVE_")}
    variables = EnvironmentLayer(own_variables)
    layers: list[Layer] = [FlagLayer(flags or {}), variables, *files]
    brought = tuple(sections or ())
    for name in _mentioned_sections(layers):
        core_section(name)(**_core_values(layers, name))  # What is wrong there is refused now.
    return Settings(
        ignored=tuple(
            each
            for layer in files
            if not layer.trusted
            for each in unsafe_settings(layer.file, brought)
        ),
        warnings=(
            *_warnings(layers, brought),
            *(() if sections is None else _unread_sections(files, brought)),
        ),
        sections=brought,
        layers=layers,
    )


def read_project_file(data: bytes) -> TomlFile:
    """Return the content of a project's settings file; raise WrongSetting for unknown keys."""
    file = parse_toml(data, shown=".rove/settings.toml")
    _refuse_unknown_keys(file)
    return file


def _project_layer(places: ProjectPaths, *, trusting: bool) -> FileLayer | None:
    data = read_bytes(places.settings_file, shown=".rove/settings.toml")
    if data is None:
        return None
    return FileLayer(
        level="project",
        file=read_project_file(data),
        trusted=trusting or is_trusted(places, data),
    )


def _user_layer(places: ProjectPaths) -> FileLayer | None:
    shown = str(places.user_settings_file)
    if (data := read_bytes(places.user_settings_file, shown=shown)) is None:
        return None
    file = parse_toml(data, shown=shown)
    _refuse_unknown_keys(file)
    return FileLayer(level="user", file=file, trusted=True)


def _mentioned_sections(layers: Iterable[Layer]) -> Sequence[str]:
    """Return the core's own sections of which a layer says something: all others are defaults."""
    names = {name for layer in layers for name in layer.sections(CORE_SECTIONS)}
    return [name for name in CORE_SECTIONS if name in names]


def _core_values(layers: Sequence[Layer], section: str) -> dict[str, Any]:
    """Return the values that layers give to the settings of one of the core's own sections."""
    found = {each.path[-1]: _value(layers, each) for each in core_settings(section)}
    return {key: value.value for key, value in found.items() if value}


def _value(layers: Sequence[Layer], declared: SettingDeclaration) -> LayerValue | None:
    """Return the value of a setting from the first layer that has one."""
    found = _first_value(layers, [declared])
    if found or declared.key != "ai.engine":
        return found
    from rove_core.project.settings.ai_section import MODEL_ENGINE  # noqa: PLC0415  # few need it

    named = _named_model(layers)
    return LayerValue(MODEL_ENGINE, named.find_origin) if named else None


def _named_model(layers: Sequence[Layer]) -> LayerValue | None:
    """Return what says that a model is wanted, though no engine is named."""
    named = (
        _first_value(layers, [setting(f"ai.{key}")]) for key in ("api_base", "api_key", "model")
    )
    return next(filter(None, named), None)


def _first_value(layers: Sequence[Layer], ways: Sequence[SettingDeclaration]) -> LayerValue | None:
    """Return the value from the first layer that has one, under any of its keys."""
    found = (layer.find(way) for layer in layers for way in ways)
    return next(filter(None, found), None)


def _refuse_unknown_keys(file: TomlFile) -> None:
    for section, table in file.table.items():
        is_core = section in CORE_SECTIONS
        if not is_core and (is_slip_of_core(section) or not isinstance(table, Mapping)):
            raise _unknown(file, (section,), CORE_SECTIONS)
        if not is_core:
            continue  # A package's, which checks it when it reads it; or nobody's.
        if not isinstance(table, Mapping):
            raise WrongSetting(f"{file.place((section,))}: {section} is a table: write [{section}]")
        valid_keys = [each.path[-1] for each in core_settings(section)]
        for key, value in table.items():
            if section == "sources" and key not in valid_keys and isinstance(value, Mapping):
                _check_name(file, key)
            elif key not in valid_keys:
                raise _unknown(file, (section, key), valid_keys)


def _refuse_unknown_in(file: TomlFile, section: str, valid_keys: Collection[str]) -> None:
    """Refuse the keys of a package's section that it does not know."""
    table = file.table[section]
    for key in table if isinstance(table, Mapping) else ():
        if key not in valid_keys:
            raise _unknown(file, (section, key), valid_keys)


def _unread_sections(
    files: Iterable[FileLayer], sections: Iterable[AnySettingsSection]
) -> Iterator[str]:
    """Yield a note for each section of a file that no installed package reads."""
    valid_names = [*CORE_SECTIONS, *(section.name for section in sections)]
    for layer in files:
        for name in layer.file.table:
            if name not in valid_names:
                guess = did_you_mean(name, valid_names)
                place = layer.file.place((name,))
                yield f"[{name}] in {place} is not used by any installed package{guess}"


def _refuse_unknown_account_settings(
    account: str, given: Mapping[str, JSON], settings_class: type[attrs.AttrsInstance]
) -> None:
    valid_keys = [each.path[-1] for each in declare(settings_class, (), safe=())]
    for key in given:
        if key not in valid_keys:
            raise WrongSetting(
                f"{account}: there is no setting {key!r}{did_you_mean(key, valid_keys)}",
                hint=f"Known here: {', '.join(valid_keys)}.",
            )


def _check_name(file: TomlFile, name: str) -> None:
    if not is_account_name(name):
        place = file.place(("sources", name))
        raise WrongSetting(
            f"{place}: [sources.{name}] is not an account or kind of source",
            hint='Names are lower case: [sources.jira], [sources."jira:work"].',
        )


def _unknown(file: TomlFile, path: tuple[str, ...], valid_names: Collection[str]) -> WrongSetting:
    guess = did_you_mean(path[-1], valid_names)
    return WrongSetting(
        f"{file.place(path)}: there is no setting {'.'.join(path)!r}{guess}",
        hint=f"Known here: {', '.join(valid_names)}.",
    )


def _warnings(layers: Sequence[Layer], sections: Iterable[AnySettingsSection]) -> Iterator[str]:
    """Yield a warning for each secret in a file."""
    files = [layer.file.table for layer in layers if isinstance(layer, FileLayer)]
    names = {name for table in files for name in table}
    for declared in settings_of(names, sections):
        if declared.kind is not Secret:
            continue
        found = _first_value(layers, [declared])
        if found and found.origin.level in {"project", "user"}:
            yield (
                f"{declared.key} is stored in clear text in {found.origin.place}; "
                f"use the variable {variable(declared)} instead."
            )
