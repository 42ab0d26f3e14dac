"""The core's own settings sections by name; the class of each is built when it is needed."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import attrs

_CLASSES: Final = {
    "sources": "SourcesSettings",
    "scheduler": "SchedulerSettings",
    "ai": "AiSettings",
    "context": "ContextSettings",
    "credentials": "CredentialSettings",
}
CORE_SECTIONS: Final = tuple(_CLASSES)


def core_section(name: str) -> "type[attrs.AttrsInstance]":
    """Return the class of one of the core's own sections."""
    found: type[attrs.AttrsInstance] = getattr(
        import_module(f"rove_core.project.settings.{name}_section"), _CLASSES[name]
    )
    return found
