"""Trust in a project's settings file: show, grant and revoke it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final, Literal

from attrs import evolve, frozen

from rove_core.errors import ConsentNeeded, WrongCall
from rove_core.operations import Operation
from rove_core.project.settings import SettingDeclaration, all_settings
from rove_core.project.settings.core_sections import CORE_SECTIONS
from rove_core.project.settings.loader import load_settings, read_project_file
from rove_core.project.settings.untrusted_settings import unsafe_paths, why_unsafe
from rove_core.project.toml.reader import read_bytes
from rove_core.project.trust import (
    changes_since_trusted,
    digest,
    forget_trust,
    is_trusted,
    record_trust,
    was_trusted,
)
from rove_core.safety.secret import Secret
from rove_core.terminal.screen import columns_of, width
from rove_core.terminal.tables import ReadyLine, columns, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_core.project.local import LocalProject
    from rove_core.project.settings.plugin_section import AnySettingsSection
    from rove_core.project.toml.reader import TomlFile

_FILE: Final = ".rove/settings.toml"
#: A longer value tells nobody more; how long it is, is said.
_LONGEST: Final = 300
#: More columns than any row of a table needs.
_UNCUT: Final = 100_000


@frozen(kw_only=True)
class WantedSetting:
    """A setting of the project's file that counts only while the file is trusted.

    Attributes:
        key: Its name with its table's.
        value: What the file says, as it is written there; a secret is not shown.
        place: The file and its line.
        why: What it decides.
    """

    key: str
    value: str
    place: str
    why: str


@frozen(kw_only=True)
class Trust:
    """Whether a project's settings file is trusted.

    Attributes:
        file: The file.
        state: ``trusted``; ``changed`` since it was; ``not trusted``; ``harmless`` if it says
            nothing that needs trust; ``no file``.
        sha256: What the file's digest is now; empty without a file.
        wants: What counts only while it is trusted.
        changes: What it wants otherwise than when you trusted it.
    """

    file: str
    state: Literal["trusted", "changed", "not trusted", "harmless", "no file"]
    sha256: str = ""
    wants: tuple[WantedSetting, ...] = ()
    changes: tuple[str, ...] = ()


async def trust(
    rove: "LocalProject",
    *,
    show: Annotated[bool, "Only show what the file sets, and whether it is trusted."] = False,
    revoke: Annotated[bool, "Stop trusting the file."] = False,
    yes: Annotated[bool, "Trust it without asking."] = False,
    sha256: Annotated[str | None, "Only if the file is still this one (see --show --json)."] = None,
) -> Trust:
    """Trust this project's settings file.

    A file that came with a clone may have been written by somebody else. Until you trust it, Rove
    ignores settings that could send your data elsewhere. Changing such a setting ends the trust;
    comments and harmless settings do not.
    """
    if show + revoke + yes > 1:
        raise WrongCall("--show, --revoke and --yes exclude each other")
    data = read_bytes(rove.places.settings_file, shown=_FILE)
    if revoke:
        forget_trust(rove.places)
    if data is None:
        return Trust(file=_FILE, state="no file")
    now = _looked_at(rove, data)
    if show or revoke or now.state in {"trusted", "harmless"}:
        return now
    _refuse_wrong(rove, data)
    _refuse_unagreed(now, yes=yes, sha256=sha256)
    record_trust(rove.places, data)
    return evolve(now, state="trusted")


def _refuse_wrong(rove: "LocalProject", data: bytes) -> None:
    """Refuse a file that would break every command once it is trusted."""
    settings = load_settings(rove.places, trusting=True)
    tables = read_project_file(data).table.get("sources")
    for name in tables if isinstance(tables, Mapping) else ():
        kind = rove.plugins.kinds.get(name.partition(":")[0])
        if kind:
            settings.account_settings(name, kind.name, kind.settings)


def _looked_at(rove: "LocalProject", data: bytes) -> Trust:
    file, places = read_project_file(data), rove.places
    # Only who has a section of a package to look at pays for loading them.
    is_core = file.table.keys() <= set(CORE_SECTIONS)
    sections = () if is_core else rove.plugins.sections
    wants = tuple(_setting_to_trust(file, path, sections) for path in unsafe_paths(file, sections))
    state: Literal["trusted", "changed", "not trusted", "harmless"] = "not trusted"
    if not wants:
        state = "harmless"
    elif is_trusted(places, data):
        state = "trusted"
    elif was_trusted(places):
        state = "changed"
    changes = changes_since_trusted(places, data) if state == "changed" else ()
    return Trust(
        file=_FILE,
        state=state,
        sha256=digest(data),
        wants=wants,
        changes=tuple(map(_visible, changes)),
    )


def _setting_to_trust(
    file: "TomlFile", path: tuple[str, ...], sections: "Sequence[AnySettingsSection]"
) -> WantedSetting:
    key = ".".join(path)
    return WantedSetting(
        key=_visible(key),
        value=_value(all_settings(sections).get(key), key, file.raw(path) or "a table of its own"),
        place=file.place(path),
        why=why_unsafe(path, sections),
    )


def _value(declared: SettingDeclaration | None, key: str, raw: str) -> str:
    if declared and declared.kind is Secret:
        return "***"
    # A name such as `token` says what its value is, wherever it stands.
    from rove_core.safety.secrets import redact_secrets  # noqa: PLC0415  # a help page needs none

    text = redact_secrets(f"{key} = {raw}").partition(" = ")[2]
    shown = _visible(" ".join(text.split()))
    rest = len(shown) - _LONGEST
    return f"{shown[:_LONGEST]}... and {rest} characters more" if rest > 0 else shown


def _visible(text: str) -> str:
    """Return a text in which nothing hides: what cannot be seen is written out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _refuse_unagreed(now: Trust, *, yes: bool, sha256: str | None) -> None:
    if sha256 is not None and sha256.lower() != now.sha256:
        raise WrongCall(
            f"{_FILE} has changed since you looked at it: its SHA-256 is now {now.sha256}",
            hint="Look at it again with: rove trust --show",
        )
    if not yes:
        raise ConsentNeeded(
            f"{_FILE} may set this only with your consent",
            notice=_show(now),
            question=f"Trust {_FILE} as it is now?",
            agreed={"yes": True, "sha256": now.sha256},
            hint="To accept these settings: rove trust --yes",
        )


def _show(now: Trust) -> str:
    head = {
        "no file": f"there is no {_FILE}",
        "harmless": f"{_FILE} contains nothing that needs your trust",
        "trusted": f"{_FILE} is trusted",
        "changed": f"{_FILE} has changed since you trusted it; these settings are ignored:",
        "not trusted": f"{_FILE} is not trusted; these settings are ignored:",
    }[now.state]
    rows = columns(
        ((each.key, each.value, each.place, each.why) for each in now.wants), room=_UNCUT
    )
    room = width()
    if room is not None and any(columns_of(row) > room - 2 for row in rows):
        # Who is to agree to a value has to see all of it.
        rows = [line for each in now.wants for line in _own_lines(each)]
    since = ["since then:", *(f"  {change}" for change in now.changes)] if now.changes else []
    return sentences([head, *(_below(row) for row in rows), *since])


def _below(row: str) -> str:
    return ReadyLine(f"  {row}") if isinstance(row, ReadyLine) else f"  {row}"


def _own_lines(wish: WantedSetting) -> Iterator[str]:
    """Yield a setting on lines of its own."""
    yield f"{wish.key} = {wish.value}"
    yield f"  {wish.why} ({wish.place})"


TRUST = Operation(
    trust, command="trust", changes=True, terminal_only=True, offline=True, show=_show
)
