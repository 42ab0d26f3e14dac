"""What a command needs before it runs: all plugins, some, or none; and an event loop or none."""

from typing import TYPE_CHECKING, Final

from rove.isolation import isolated

if TYPE_CHECKING:
    from rove_core.operations import Operation
    from rove_core.plugins.kept_off import AllKeptOff
    from rove_core.project.local import LocalProject

#: Commands that need no open project, and load plugins to tell what they are.
_LOADING: Final = frozenset({"doctor", "sources plugins", "sources schema"})
#: The one of these that loads none while the list that it made last still holds.
_LISTING: Final = "sources plugins"
#: The same, of those that load only the plugins of the user's accounts.
_KINDS: Final = frozenset({"sources list"})


def disabled_for(operation: "Operation") -> "AllKeptOff":
    """Return the plugins that an operation must not load, if it loads any; go on in a child.

    Two builds do what one does; of what else changes something nobody knows how far it came.
    """
    if operation.offline or operation.project != "open":
        if operation.command in _KINDS:
            from rove.manifest import isolated_from_others  # noqa: PLC0415  # few commands need it

            return isolated_from_others()
        return isolated() if _loads(operation.command) else {}
    return isolated(again=not operation.changes or operation.parts is not None)


def may_wait(operation: "Operation", project: "LocalProject") -> bool:
    """Return whether an operation in a closed project may wait for something."""
    if operation.command not in _KINDS:
        return True
    from rove.kept_logins import cached_login_states  # noqa: PLC0415  # few commands need it

    return cached_login_states(project) is None


def _loads(command: str) -> bool:
    """Return whether a command loads every plugin now."""
    if command == _LISTING:
        from rove.operations.plugins import cached_list  # noqa: PLC0415  # few commands need it

        return cached_list() is None
    return command in _LOADING
