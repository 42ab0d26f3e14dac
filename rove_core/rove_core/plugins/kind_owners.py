"""Decide which plugin owns a kind of source that several plugins provide.

A login belongs to a kind, and the plugin that provides the kind gets the logins of its accounts.
So the choice must not depend on the alphabet.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from rove_core.plugins.installed_plugins import BrokenPlugin, Plugin


def refused_for_kinds(
    working: Sequence[Plugin], broken: Sequence[BrokenPlugin], owners: Mapping[str, str]
) -> tuple[BrokenPlugin, ...]:
    """Return the plugins that are refused because their kind belongs to another.

    A kind belongs to the distribution that created the user's accounts of it; if there are none, to
    the one that is named after it (``rove-jira`` or ``jira``), even if that is broken; otherwise to
    the only one that provides it. If several others provide it, none gets it.

    Args:
        working: The plugins that load.
        broken: Those that do not.
        owners: The distribution that created the accounts of each kind.
    """
    installed = {each.distribution for each in working} | {each.distribution for each in broken}
    refused: dict[tuple[str, str], BrokenPlugin] = {}
    for name in dict.fromkeys(kind.name for plugin in working for kind in plugin.kinds):
        rivals = [plugin for plugin in working if _brings(plugin, name)]
        owner = owners.get(name, "") or _named_after(name, installed)
        for plugin in rivals:
            others = [each.distribution for each in rivals if each is not plugin]
            if why := _refusal(name, plugin, owner, others):
                refused[plugin.distribution, plugin.name] = BrokenPlugin(
                    plugin.name,
                    plugin.distribution,
                    plugin.version,
                    why,
                    tuple(kind.name for kind in plugin.kinds),
                )
    return tuple(refused.values())


def is_same_distribution(one: str, other: str) -> bool:
    """Return whether two names mean the same distribution, as package indexes compare them."""
    return _normalised_name(one) == _normalised_name(other)


def _brings(plugin: Plugin, kind: str) -> bool:
    return any(each.name == kind for each in plugin.kinds)


def _refusal(kind: str, plugin: Plugin, owner: str, others: Sequence[str]) -> str:
    """Return why a plugin may not have a kind; empty if it may."""
    if owner:
        if is_same_distribution(plugin.distribution, owner):
            return ""
        return f"provides the source {kind!r}, which belongs to {owner}"
    if others:
        names = ", ".join(others)
        return f"provides the source {kind!r}, and so does {names}; uninstall all but one"
    return ""


def _named_after(kind: str, distributions: Iterable[str]) -> str:
    found = {_normalised_name(each): each for each in distributions}
    return found.get(f"rove-{kind}") or found.get(kind) or ""


def _normalised_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
