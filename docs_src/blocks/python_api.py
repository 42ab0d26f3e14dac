"""Every public name: one line each, and what the important ones take and give."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

import rove_core
from docs_src.blocks.markdown import code, first_line, table
from docs_src.blocks.signatures import entry

#: What the names of a module are about; a name is listed where it is defined.
_GROUPS: Final = {
    "project.opener": "A project",
    "project.project": "A project",
    "project.explain": "A project",
    "project.search": "A project",
    "project.status": "A project",
    "time_windows": "A project",
    "build.requests": "A project",
    "documents": "A project",
    "project.layout": "A project",
    "project.local": "A project",
    "project.identity": "A project",
    "project.paths": "A project",
    "project.checkouts": "A project",
    "project.settings": "A project",
    "store.documents": "A project",
    "store.lookup": "A project",
    "store.document_search": "A project",
    "plugins.text_extractor": "Hooks",
    "safety.text": "What travels between Rove and a source",
    "markup.adf": "What travels between Rove and a source",
    "markup.hidden_mark": "What travels between Rove and a source",
    "markup.file": "What travels between Rove and a source",
    "markup.html": "What travels between Rove and a source",
    "markup.markdown_reader": "What travels between Rove and a source",
    "markup.wiki": "What travels between Rove and a source",
    "hookspecs": "Hooks",
    "work": "Work items",
    "plugins.trackers": "Work items",
    "_markers": "Hooks",
    "sources": "Hooks",
    "project.settings.plugin_section": "Hooks",
    "store.packages": "Storage of a package",
    "plugins.database_files": "Storage of a package",
    "store.files": "Storage of a package",
    "build.model.client": "Asking a model",
    "build.model.endpoint": "Asking a model",
    "build.model.prompts": "Asking a model",
    "build.model.answers": "Asking a model",
    "build.model.budget": "Asking a model",
    "build.model.record": "Asking a model",
    "operations": "Hooks",
    "project.operation_client": "Hooks",
    "facts": "What travels between Rove and a source",
    "listing": "What travels between Rove and a source",
    "items": "What travels between Rove and a source",
    "plugins.ticket_ids": "What travels between Rove and a source",
    "login": "Logging in",
    "auth.prepared_login": "Logging in",
    "auth.credentials": "Logging in",
    "safety.active": "Printing for people",
    "safety.secret": "Logging in",
    "safety.secrets": "What travels between Rove and a source",
    "http": "HTTP",
    "http.server.door": "HTTP",
    "terminal.screen": "Printing for people",
    "terminal.tables": "Printing for people",
    "clock": "Time and progress",
    "events": "Time and progress",
    "errors": "Errors",
    "wire.json_types": "What travels between Rove and a source",
}
#: The other modules that are offered to everybody, and what each is for.
MODULES: Final = (
    "rove_core.auth.oauth",
    "rove_core.clock",
    "rove_core.http",
    "rove_core.http.server",
    "rove_core.json_reader",
    "rove_core.testing",
    "rove_core.wire",
)
#: An instance or an alias: its own docstring would speak of its class.
_UNDOCUMENTED: Final = {
    "PARTIAL": "The exit code of a result that is there, but not whole: 5.",
    "SAFE": "Metadata of a setting that any project's file may set: `field(metadata=SAFE)`.",
    "JSON": "Anything JSON can say.",
    "Relation": "How an item stands to another one: `parent`, `blocks`, `replies_to`, ...",
    "WorkField": "A field of a work item that people change: `title`, `status`, `labels`, ...",
    "WorkItemType": "What a work item is in a plan: `epic`, `ticket`, `subtask`, ...",
    "Role": "What an item is to people: `ticket`, `change`, `talk`, `page`, ...",
    "StatusCategory": "Where work stands: `todo`, `in_progress`, `done` or `canceled`.",
    "Fault": "What tells what is wrong with a reply: a function of it that gives an error or None.",
    "LOOKALIKES": "Texts that look like references and are none: the default of `no_mentions`.",
    "FAULTS": "What can go wrong with a reply, by name: what `FaultProxy.play` takes.",
    "CLIENT_ID": "The login field that asks for the id of an OAuth app.",
    "CLIENT_SECRET": "The login field that asks for the secret of an OAuth app.",
    "Parameters": "The query of a request: its names, and a value or several for each.",
    "STRICT": "Makes typed values of what Rove wrote itself: unknown keys are refused.",
    "SYSTEM": "The clock of this machine.",
    "TOLERANT": "Makes typed values of what others wrote: unknown keys are ignored.",
    "hookimpl": "Marks a function as the implementation of a hook.",
}


def names() -> str:
    """Return the public names of rove_core, in groups, and those of its other public modules."""
    grouped: dict[str, list[str]] = {title: [] for title in _GROUPS.values()}
    for name in sorted(rove_core.__all__):
        grouped[_group(name)].append(name)
    parts = [f"There are {len(public_names())} public names."]
    parts += [f"## {title}\n\n{_list(rove_core, found)}" for title, found in grouped.items()]
    parts += [f"## In full\n\n{_signatures(rove_core, rove_core.__all__)}"]
    parts += [_module(name) for name in MODULES]
    return "\n\n".join(parts)


def public_names() -> Mapping[str, str]:
    """Return each public name of the core, with the module that a program imports it from."""
    modules = [rove_core, *map(import_module, MODULES)]
    return {name: each.__name__ for each in reversed(modules) for name in _all(each)}


def _module(name: str) -> str:
    """Return the names of a public module; those of rove_core itself are described there."""
    module = import_module(name)
    own = [each for each in sorted(_all(module)) if each not in rove_core.__all__]
    shared = [code(each) for each in sorted(_all(module)) if each in rove_core.__all__]
    parts = [f"## {name}", first_line(module), _list(module, own)]
    parts += [f"It also has {_enumerated(shared)} of `rove_core`."] if shared else []
    return "\n\n".join([*parts, _signatures(module, own, below=f"{name}.")]).strip()


def _all(module: ModuleType) -> Sequence[str]:
    return tuple(vars(module)["__all__"])


def _enumerated(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _signatures(module: ModuleType, names: Iterable[str], *, below: str = "") -> str:
    """Return the fields, the methods and the parameters of public names."""
    documented = (name for name in sorted(names) if name not in _UNDOCUMENTED)
    entries = {name: entry(name, getattr(module, name)) for name in documented}
    return "\n\n".join(f"### `{below}{name}`\n\n{text}" for name, text in entries.items() if text)


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
