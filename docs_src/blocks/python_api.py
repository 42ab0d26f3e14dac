"""Every public name, one line each."""

from importlib import import_module
from typing import Final

import rove_core
from docs_src.blocks.markdown import code, first_line, table
from rove_core import testing

#: What the names of a module are about; a name is listed where it is defined.
_GROUPS: Final = {
    "project.project": "A project",
    "build.requests": "A project",
    "documents": "A project",
    "safety.text": "What travels between Rove and a source",
    "hookspecs": "Hooks",
    "_markers": "Hooks",
    "sources": "Hooks",
    "project.settings.sections": "Hooks",
    "store.packages": "Storage of a package",
    "build.model.client": "Asking a model",
    "build.model.endpoint": "Asking a model",
    "build.model.prompts": "Asking a model",
    "build.model.answers": "Asking a model",
    "build.model.budget": "Asking a model",
    "operations": "Hooks",
    "facts": "What travels between Rove and a source",
    "listing": "What travels between Rove and a source",
    "items": "What travels between Rove and a source",
    "plugins.ticket_ids": "What travels between Rove and a source",
    "wire.json_types": "What travels between Rove and a source",
    "login": "Logging in",
    "auth.prepared_login": "Logging in",
    "auth.credentials": "Logging in",
    "safety.secret": "Logging in",
    "http": "HTTP",
    "http.server.door": "HTTP",
    "clock": "Time and progress",
    "events": "Time and progress",
    "errors": "Errors",
}
#: An instance or an alias: its own docstring would speak of its class.
_UNDOCUMENTED: Final = {
    "PARTIAL": "The exit code of a result that is there, but not whole: 5.",
    "SAFE": "Metadata of a setting that any project's file may set: `field(metadata=SAFE)`.",
    "JSON": "Anything JSON can say.",
    "Relation": "How an item stands to another one: `parent`, `blocks`, `replies_to`, ...",
    "Role": "What an item is to people: `ticket`, `change`, `talk`, `page`, ...",
    "StatusCategory": "Where work stands: `todo`, `in_progress`, `done` or `canceled`.",
    "Fault": "What tells what is wrong with a reply: a function of it that gives an error or None.",
    "LOOKALIKES": "Texts that look like references and are none: the default of `no_mentions`.",
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
        home for home in _GROUPS if getattr(import_module(f"rove_core.{home}"), name, None) is thing
    ]
    return _GROUPS[homes[-1]] if homes else ""


def _list(module: object, found: list[str]) -> str:
    return table(["Name", "What it is"], [[code(name), _about(module, name)] for name in found])


def _about(module: object, name: str) -> str:
    return _UNDOCUMENTED.get(name) or first_line(getattr(module, name))
