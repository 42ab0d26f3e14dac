"""Every public name, one line each."""

import sys
from typing import Final

import rove_core
from docs_src.blocks.markdown import code, first_line, table
from rove_core import testing

#: What the names of a module are about; a name is listed where it is defined.
_GROUPS: Final = {
    "project": "A project",
    "builds": "A project",
    "documents": "A project",
    "text": "What travels between Rove and a source",
    "hookspecs": "Hooks",
    "_markers": "Hooks",
    "sources": "Hooks",
    "operations": "Hooks",
    "items": "What travels between Rove and a source",
    "mentions": "What travels between Rove and a source",
    "plain": "What travels between Rove and a source",
    "login": "Logging in",
    "prepared_login": "Logging in",
    "credentials": "Logging in",
    "secret": "Logging in",
    "http": "HTTP",
    "http_door": "HTTP",
    "clock": "Time and progress",
    "events": "Time and progress",
    "errors": "Errors",
}
#: An instance or an alias: its own docstring would speak of its class.
_UNDOCUMENTED: Final = {
    "JSON": "Anything JSON can say.",
    "Fault": "What tells what is wrong with a reply: a function of it that gives an error or None.",
    "FAULTS": "What can go wrong with a reply, by name: what `FaultProxy.play` takes.",
    "hookimpl": "Marks a function as the implementation of a hook.",
}


def names() -> str:
    """Return the public names of rove_core, in groups, and those of its test kit."""
    grouped: dict[str, list[str]] = {title: [] for title in _GROUPS.values()}
    for name in sorted(rove_core.__all__):
        grouped[_group(name)].append(name)
    parts = [f"## {title}\n\n{_list(rove_core, found)}" for title, found in grouped.items()]
    parts += [f"## rove_core.testing\n\n{_list(testing, sorted(testing.__all__))}"]
    return "\n\n".join(parts)


def _group(name: str) -> str:
    thing = getattr(rove_core, name)
    homes = [
        home
        for home in _GROUPS
        if vars(sys.modules.get(f"rove_core.{home}", rove_core)).get(name) is thing
    ]
    return _GROUPS[homes[-1]] if homes else ""


def _list(module: object, found: list[str]) -> str:
    return table(["Name", "What it is"], [[code(name), _about(module, name)] for name in found])


def _about(module: object, name: str) -> str:
    return _UNDOCUMENTED.get(name) or first_line(getattr(module, name))
