"""The distributions that Rove is made of."""

from typing import Final

#: A test compares them with those of the repository.
SHIPPED: Final = frozenset(
    f"rove-{name}"
    for name in (
        *("asana", "azure", "code", "core", "folder", "github", "jira", "linear", "mcp"),
        *("memory", "notes", "openai", "sim", "slack"),
    )
)
