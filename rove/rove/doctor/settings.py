"""The settings, and whether those of the project are trusted."""

from collections.abc import Iterable, Iterator

from rove.doctor.findings import Finding, ok, warning
from rove.doctor.subject import Subject


def look_at_settings(subject: Subject) -> Iterator[Finding]:
    """Yield which files there are, and what one should know of what they say."""
    from rove_core.project.settings import load_settings  # noqa: PLC0415  # it may be what is broken

    places = subject.places
    if not subject.is_safe:
        yield warning("settings", "the project's own are not read: see the project above")
        return
    settings = load_settings(places, environ=subject.environ)
    keys = (settings.ai.api_key, settings.embedding.api_key)
    subject.held.extend(key for key in keys if key)
    files = [path for path in (places.settings_file, places.user_settings_file) if path.exists()]
    yield ok("settings", ", ".join(map(str, files)) or "no file; every setting has its default")
    for note in settings.warnings:
        yield warning("settings", note)


async def look_at_trust(subject: Subject) -> Iterable[Finding]:
    """Return whether the project's file says what only a trusted one may."""
    from rove.operations.trust import trust  # noqa: PLC0415  # it reads the settings

    if not subject.is_safe:
        return ()
    now = await trust(subject.project, show=True)
    keys = ", ".join(each.key for each in now.wants)
    match now.state:
        case "trusted":
            return (ok("trust", f"you trust {now.file}, until it changes"),)
        case "changed":
            found = f"{now.file} has changed since you trusted it, and does not set {keys}"
            return (warning("trust", found, "rove trust"),)
        case "not trusted":
            found = f"you do not trust {now.file}, so it does not set {keys}"
            return (warning("trust", found, "rove trust"),)
    return (ok("trust", "nothing here needs it"),)
