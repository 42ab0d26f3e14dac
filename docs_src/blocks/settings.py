"""Every setting, of a project and of an account, and the variables that set them."""

from datetime import timedelta
from typing import Final

from docs_src.blocks.markdown import code, prose, table
from rove_core.auth.credentials import field_variable
from rove_core.plugins.loader import load_plugins
from rove_core.project.settings import SettingDeclaration, all_settings
from rove_core.project.settings.declarations import declare
from rove_core.project.settings.durations import duration_text
from rove_core.project.settings.layers import variable
from rove_core.project.settings.untrusted_settings import SAFE_FOR_ACCOUNTS
from rove_core.sources import AnySourceKind
from rove_core.wire.parameters import parameters_of

_HEAD: Final = ["Key", "Type", "Default", "Safe", "Variable", "What it is for"]


def settings() -> str:
    """Return the settings of a project, section by section."""
    sections: dict[str, list[SettingDeclaration]] = {}
    for declared in all_settings(load_plugins().sections).values():
        sections.setdefault(declared.path[0], []).append(declared)
    return "\n\n".join(
        f"### [{section}]\n\n{table(_HEAD, map(_row, rows))}" for section, rows in sections.items()
    )


def account_settings() -> str:
    """Return what an account of each kind of source may set."""
    return "\n\n".join(_of_kind(kind) for kind in _kinds())


def login_variables() -> str:
    """Return the variables with which each kind of source logs in where nobody can type."""
    rows = [
        [
            kind.title,
            code(field_variable(kind.name, field)),
            ", ".join(map(code, field.environment)),
            field.title,
        ]
        for kind in _kinds()
        for way in kind.logins[:1]
        for field in way.fields
    ]
    return table(["Source", "Variable", "Else", "What it is"], rows)


def _kinds() -> list[AnySourceKind]:
    kinds = load_plugins().kinds
    return [kinds[name] for name in sorted(kinds)]


def _of_kind(kind: AnySourceKind) -> str:
    rows = declare(kind.settings, ("sources", kind.name), safe=SAFE_FOR_ACCOUNTS)
    return f"### [sources.{kind.name}]\n\n{table(_HEAD, map(_row, rows))}"


def _row(declared: SettingDeclaration) -> list[str]:
    return [
        code(declared.path[-1]),
        declared.expected,
        _default(declared.default),
        "yes" if declared.safe else "no",
        code(variable(declared)),
        prose(declared.about or _inherited(declared)),
    ]


def _inherited(declared: SettingDeclaration) -> str:
    return next(
        (one.help for one in parameters_of(declared.owner) if one.name == declared.attribute), ""
    )


def _default(value: object) -> str:
    match value:
        case None | "" | ():
            return ""
        case timedelta():
            return code(f'"{duration_text(value)}"')
        case bool():
            return code(str(value).lower())
        case str():
            return code(f'"{value}"')
    return code(value)
