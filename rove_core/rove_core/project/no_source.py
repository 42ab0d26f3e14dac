"""Say why a project has no source, and what to do about it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rove_core.errors import UnknownAccount
from rove_core.project.trust import was_trusted

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject

_CONNECT: Final = "rove --add-source jira"
_NO_SOURCE: Final = "no source is connected in this project"


def check_sources(project: "LocalProject") -> None:
    """Raise UnknownAccount if a project uses no source; whether one works is not checked."""
    if not project.settings.sources.use:
        raise no_source(project)


def no_source(
    project: "LocalProject", unconnected: Mapping[str, str] = MappingProxyType({})
) -> UnknownAccount:
    """Return the error for a project without a source, with the next step.

    Args:
        project: The project.
        unconnected: Why an account in use could not be connected, by its name.
    """
    ignored = [each for each in project.settings.ignored if each.key == "sources.use"]
    if ignored and was_trusted(project.places):
        return UnknownAccount(
            f"{ignored[0].place} changed after you trusted it, so its accounts are ignored.",
            hint="Review the change and accept it: rove trust",
        )
    if ignored:
        return UnknownAccount(_NO_SOURCE, hint=str(ignored[0]))
    used = project.settings.sources.use
    unused = " ".join(each.name for each in project.book.accounts() if each.name not in used)
    hints = [
        "Find out why: rove doctor" if unconnected else "",
        f"Use an account you have: rove sources use {unused}" if unused else "",
        f"Connect one: {_CONNECT}",
        "" if unused or unconnected else "See what there is: rove --source-plugins",
    ]
    hint = "; or ".join(hint[0].lower() + hint[1:] for hint in filter(None, hints))
    why = "; ".join(f"{name}: {error}" for name, error in unconnected.items())
    return UnknownAccount(
        f"no source works in this project ({why})" if why else _NO_SOURCE,
        hint=hint[0].upper() + hint[1:],
    )
