"""Every hook: its signature, what it is for, and an implementation that runs."""

import inspect
from collections.abc import Callable
from typing import Final

from docs_src.blocks.markdown import body
from rove_core import hookspecs
from rove_core.hookspecs import SourceHooks, WorkItemHooks
from rove_core.plugins.hook_checks import PACKAGE_HOOKS, SOURCE_HOOKS

#: Where the implementation is that the page shows; a source's own if not named here.
_EXAMPLES: Final = {
    "rove_sources": "docs_src/first_source/rove_wiki.py#rove_sources",
    "rove_operations": "docs_src/add_an_operation/rove_mentions.py",
    "rove_settings": "docs_src/hooks/rove_digest.py",
    "rove_engines": "docs_src/hooks/rove_echo.py",
    "rove_extractors": "docs_src/hooks/rove_opendocument.py",
    "rove_databases": "docs_src/keep_state/rove_bookmarks.py#rove_databases",
    "rove_routes": "docs_src/hooks/rove_dictionary.py",
    "rove_sections": "docs_src/hooks/rove_glossary.py",
    "rove_filter_item": "docs_src/filter_items/rove_discreet.py",
    "rove_refresh": "docs_src/hooks/rove_forge.py#rove_refresh",
    "rove_containers": "docs_src/hooks/rove_board.py#rove_containers",
    "rove_readable": "docs_src/hooks/rove_board.py#rove_readable",
    "rove_list": "docs_src/hooks/rove_board.py#rove_list",
    "rove_list_recent": "docs_src/hooks/rove_board.py#rove_list_recent",
    "rove_disconnect": "docs_src/hooks/rove_forge.py#rove_disconnect",
}
_SOURCE: Final = "docs_src/first_source/rove_wiki.py"
_TRACKER: Final = "docs_src/hooks/rove_tasks.py"


def package_hooks() -> str:
    """Return the hooks of a package."""
    return "\n\n".join(_entry(name, getattr(hookspecs, name)) for name in PACKAGE_HOOKS)


def source_hooks() -> str:
    """Return the hooks of a source."""
    return _entries(SourceHooks)


def work_item_hooks() -> str:
    """Return the hooks of a source that keeps work items."""
    return _entries(WorkItemHooks)


def _entries(protocol: type) -> str:
    own = [name for name in SOURCE_HOOKS if name in vars(protocol)]
    return "\n\n".join(_entry(name, SOURCE_HOOKS[name]) for name in own)


def signature(name: str, hook: Callable[..., object]) -> str:
    """Return a hook as its specification has it."""
    spec = inspect.signature(hook)
    plain = [each for each in spec.parameters.values() if each.name != "self"]
    arguments = ", ".join(f"{each.name}: {_spelled(each.annotation)}" for each in plain)
    return f"{_kind(hook)}{name}({arguments}) -> {spec.return_annotation}"


def _kind(hook: Callable[..., object]) -> str:
    is_async = inspect.iscoroutinefunction(hook) or "AsyncIterator" in str(
        inspect.signature(hook).return_annotation
    )
    return "async " if is_async else ""


def _spelled(annotation: object) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _entry(name: str, hook: Callable[..., object]) -> str:
    own = _TRACKER if name in vars(WorkItemHooks) else _SOURCE
    example = _EXAMPLES.get(name, f"{own}#{name}")
    return "\n\n".join(
        [
            f'<a id="{name}"></a>\n\n### `{signature(name, hook)}`',
            body(hook.__doc__ or ""),
            f"```python {example}\n```",
        ]
    )
