"""Sections of the settings files that packages bring."""

import re
from datetime import timedelta
from pathlib import Path
from types import ModuleType

import pytest
from attrs import frozen
from docs_src.hooks import rove_digest
from docs_src.hooks.rove_digest import DIGEST, DigestSettings

from rove.operations.settings import shown_settings
from rove_core import SettingsSection, WrongSetting, hookimpl
from rove_core.plugins.loader import use_plugins
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject
from rove_core.project.settings import Origin, Settings, load_settings
from rove_core.project.trust import record_trust
from rove_core.safety.secret import Secret


@frozen
class Plain:
    """Settings that nobody explained."""

    depth: int = 1


@frozen
class Needy:
    """Settings without a default.

    Attributes:
        depth: How deep.
    """

    depth: int


@frozen
class Odd:
    """Settings of a type that no file can hold.

    Attributes:
        where: A place.
    """

    where: Path = Path()


def load(places: ProjectPaths, text: str = "", **variables: str) -> Settings:
    """Load the settings of a user whose file says this."""
    if text:
        places.user_settings_file.parent.mkdir(exist_ok=True)
        places.user_settings_file.write_text(text, "utf-8")
    return load_settings(places, environ=variables, sections=(DIGEST,))


def _module(*sections: object) -> ModuleType:
    module = ModuleType("brings_settings")
    module.rove_settings = hookimpl(lambda: sections)  # type: ignore[attr-defined]  # a plugin
    return module


def test_defaults_hold_until_somebody_sets_them(places: ProjectPaths) -> None:
    """A section that no file has is read all the same."""
    assert load(places).section(DIGEST) == DigestSettings()


def test_a_file_and_a_variable_set_them(places: ProjectPaths) -> None:
    """The variable wins, and each value says where it is from."""
    found = load(places, "[digest]\ndepth = 3\nmax_age = '2d'\n", ROVE_DIGEST_DEPTH="4")

    assert found.section(DIGEST) == DigestSettings(depth=4, max_age=timedelta(days=2))
    assert found["digest.max_age"] == timedelta(days=2)
    assert found.origin("digest.depth") == Origin("environment", "ROVE_DIGEST_DEPTH")
    assert found.origin("digest.max_age") == Origin("user", f"{places.user_settings_file}:3")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dept = 3", r":2: there is no setting 'digest.dept'; did you mean 'depth'\?"),
        ("depth = 'three'", r":2: digest.depth = 'three': expected a whole number"),
        ("depth = 0", r":2: digest.depth = 0: 'depth' must be >= 1: 0"),
        ("max_age = 'long'", r":2: digest.max_age = 'long': 'long' is not a duration"),
    ],
)
def test_what_is_wrong_is_refused_by_who_reads_it(
    places: ProjectPaths, text: str, said: str
) -> None:
    """The error names the file, the line, the value and what was probably meant."""
    found = load(places, f"[digest]\n{text}\n")

    with pytest.raises(WrongSetting, match=said):
        found.section(DIGEST)


def test_a_wrong_section_costs_nobody_else(places: ProjectPaths) -> None:
    """The core's own settings hold, whatever stands in a package's section."""
    assert load(places, "[digest]\ndepth = 0\n[ai]\nmax_hops = 2\n").ai.max_hops == 2


def test_an_unread_section_is_a_note(places: ProjectPaths) -> None:
    """What no installed package reads stops nothing; a slip of the finger is recognised."""
    (note,) = load(places, "[digets]\ndepth = 3\n").warnings

    assert "[digets]" in note
    assert "is not used by any installed package; did you mean 'digest'?" in note


def test_a_clone_sets_what_is_safe(places: ProjectPaths) -> None:
    """The keys that the package calls safe count in any file, the others in a trusted one."""
    places.settings_file.write_text("[digest]\ndepth = 3\ntoken = 'theirs'\n", "utf-8")
    before = load(places)
    record_trust(places, places.settings_file.read_bytes())

    assert before.section(DIGEST) == DigestSettings(depth=3)
    assert [each.key for each in before.ignored] == ["digest.token"]
    assert load(places).section(DIGEST).token == Secret("theirs")


def test_a_secret_in_a_file_earns_a_warning(places: ProjectPaths) -> None:
    """The variable that is a better place is named."""
    (warning,) = load(places, "[digest]\ntoken = 'sk-1'\n").warnings

    assert "ROVE_DIGEST_TOKEN" in warning


def test_they_are_shown(places: ProjectPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of settings has those of packages, with what they are for."""
    monkeypatch.setenv("ROVE_DIGEST_DEPTH", "7")
    held = load_settings(places, sections=use_plugins([rove_digest]).sections)
    shown = {each.key: each for each in shown_settings(LocalProject(places), held)}

    assert (shown["digest.depth"].value, shown["digest.depth"].safe) == (7, True)
    assert shown["digest.max_age"].about == "How old the news in it may be."


@pytest.mark.parametrize(
    ("section", "why"),
    [
        (SettingsSection(name="Memory", settings=DigestSettings), "need a lower-case name"),
        (SettingsSection(name="ai", settings=DigestSettings), r"\[ai\] clash with Rove's own"),
        (
            SettingsSection(name="source", settings=DigestSettings),
            r"\[source\] clash with Rove's own",
        ),
        (SettingsSection(name="plain", settings=Plain), "plain.depth has no description"),
        (SettingsSection(name="needy", settings=Needy), r"\[needy\]: .*depth"),
        (SettingsSection(name="odd", settings=Odd), "is not a type that a setting can have"),
        (DigestSettings, "rove_settings gives a type, expected SettingsSection objects"),
    ],
)
def test_a_package_with_unusable_settings_is_broken(section: object, why: str) -> None:
    """It is named with the reason, and no other plugin is touched."""
    found = use_plugins([_module(section), rove_digest])

    assert [plugin.name for plugin in found.working] == [rove_digest.__name__]
    assert [re.search(why, each.error) is not None for each in found.broken] == [True]


def test_two_packages_cannot_bring_one_section() -> None:
    """The second one is broken, and says whose section it is."""
    found = use_plugins([rove_digest, _module(DIGEST)])

    assert "the settings [digest] that docs_src.hooks.rove_digest" in found.broken[0].error
