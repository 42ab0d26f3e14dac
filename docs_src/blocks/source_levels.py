"""The compliance level that each shipped source reaches, and what is missing for a higher one."""

from typing import Final

from docs_src.blocks.markdown import code, table
from docs_src.levels import NOT_SHOWN

#: The kinds of source whose compliance tests stand in ``tests``.
KINDS: Final = (
    "asana",
    "azure",
    "folder",
    "github",
    "jira",
    "linear",
    "mcp",
    "memory",
    "notes",
    "slack",
)


def source_levels() -> str:
    """Return each shipped source's level, and why it has no higher one."""
    rows = [[code(kind), *_level(NOT_SHOWN.get(kind, frozenset()))] for kind in KINDS]
    return table(["Source", "Level", "What is missing for gold"], rows)


def _level(missing: frozenset[str]) -> tuple[str, str]:
    tests = ", ".join(map(code, sorted(missing)))
    return (
        ("silver", f"its test data do not describe enough for {tests}") if missing else ("gold", "")
    )
