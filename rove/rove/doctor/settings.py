"""Check the settings, and whether the project's settings file is trusted."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from rove.doctor.findings import Finding, ok, problem, warning
from rove.doctor.subject import Subject
from rove_core.errors import WrongSetting
from rove_core.safety.secret import Secret

if TYPE_CHECKING:
    from rove_core.project.settings import Settings


def check_settings(subject: Subject) -> Iterator[Finding]:
    """Yield findings about the settings files."""
    from rove_core.project.settings import load_settings  # noqa: PLC0415  # it may be what is broken

    places = subject.places
    if not subject.is_safe:
        yield warning("settings", "the project's own settings are not read: see project above")
        return
    sections = None if subject.plugins is None else subject.plugins.sections
    settings = load_settings(places, environ=subject.environ, sections=sections)
    _note_secrets(subject, settings.ai)
    files = [path for path in (places.settings_file, places.user_settings_file) if path.exists()]
    yield ok("settings", ", ".join(map(str, files)) or "no file; every setting has its default")
    for note in settings.warnings:
        yield warning("settings", note)
    yield from _section_problems(subject, settings)


def _section_problems(subject: Subject, settings: "Settings") -> Iterator[Finding]:
    """Yield the errors in packages' sections, and note secrets in the others."""
    for section in settings.sections:
        try:
            _note_secrets(subject, settings.section(section))
        except WrongSetting as error:
            yield problem("settings", error.message, error.hint)


def _note_secrets(subject: Subject, section: attrs.AttrsInstance) -> None:
    values = (getattr(section, name) for name in attrs.fields_dict(type(section)))
    subject.secrets.extend(value for value in values if isinstance(value, Secret))


async def check_trust(subject: Subject) -> Iterable[Finding]:
    """Return whether the project's file says what only a trusted one may."""
    from rove.operations.trust import trust  # noqa: PLC0415  # it reads the settings

    if not subject.is_safe:
        return ()
    try:
        now = await trust(subject.project, show=True)
    except WrongSetting:  # The settings above say so.
        return ()
    keys = ", ".join(each.key for each in now.wants)
    match now.state:
        case "trusted":
            return (ok("trust", f"you trust {now.file}, until it changes"),)
        case "changed":
            found = f"{now.file} has changed since you trusted it, so it does not set {keys}"
            return (warning("trust", found, "rove trust"),)
        case "not trusted":
            found = f"you do not trust {now.file}, so it does not set {keys}"
            return (warning("trust", found, "rove trust"),)
    return (ok("trust", "not needed here"),)
