"""The generated parts of pages, by the name that stands in their markers."""

import ast
import re
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs_src.blocks.command_line import commands, flags
from docs_src.blocks.compliance import expected, given, standard_tests, vendor
from docs_src.blocks.errors import errors
from docs_src.blocks.events import event_fields, task_states
from docs_src.blocks.hooks import package_hooks, source_hooks, work_item_hooks
from docs_src.blocks.http_api import endpoints
from docs_src.blocks.limits import plugin_limits
from docs_src.blocks.operations import operations, plugin_operations
from docs_src.blocks.python_api import names
from docs_src.blocks.settings import account_settings, login_variables, settings
from docs_src.blocks.source_levels import source_levels

BLOCKS: Final[Mapping[str, Callable[[], str]]] = {
    "account settings": account_settings,
    "commands": commands,
    "endpoints": endpoints,
    "errors": errors,
    "event fields": event_fields,
    "expected": expected,
    "flags": flags,
    "given": given,
    "login variables": login_variables,
    "names": names,
    "operations": operations,
    "package hooks": package_hooks,
    "plugin limits": plugin_limits,
    "plugin operations": plugin_operations,
    "settings": settings,
    "source hooks": source_hooks,
    "source levels": source_levels,
    "standard tests": standard_tests,
    "task states": task_states,
    "vendor": vendor,
    "work item hooks": work_item_hooks,
}

#: A code block that names its file.
FENCE: Final = re.compile(
    r"^```(\w+) (docs_src/[\w./-]+)(?:#(\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_MARKED: Final = re.compile(
    r"^<!-- begin ([\w ]+) -->\n(.*?)^<!-- end \1 -->$", re.MULTILINE | re.DOTALL
)

_DEFINES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def filled(page: str, root: Path) -> str:
    """Return a page with every generated part as it should be.

    Args:
        page: Its text.
        root: Below which the files are that its code blocks name.
    """

    def block(found: re.Match[str]) -> str:
        name = found[1]
        return f"<!-- begin {name} -->\n\n{BLOCKS[name]().strip()}\n\n<!-- end {name} -->"

    def fence(found: re.Match[str]) -> str:
        text = (root / found[2]).read_text("utf-8")
        shown = _definition(text, found[3]) if found[3] else text
        head, _, _ = found[0].partition("\n")
        return f"{head}\n{shown.rstrip()}\n```"

    return FENCE.sub(fence, _MARKED.sub(block, page))


def _definition(text: str, name: str) -> str:
    """Return one function or class of a file, with its decorators."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _DEFINES) and node.name == name:
            first = min(each.lineno for each in (node, *node.decorator_list))
            return textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno]))
    raise LookupError(f"there is no {name} to show")
