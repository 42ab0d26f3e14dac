"""Plugins and accounts disabled until a restart, because they ended or blocked a process."""

from collections.abc import Collection, Mapping
from typing import Self, TypeAlias

from attrs import frozen

from rove_core.errors import PluginFailed
from rove_core.plugins.entry_points import plugin_name
from rove_core.plugins.filter_evidence import FILTER, may_filter
from rove_core.plugins.limits import plugin_memory
from rove_core.plugins.memory_limit import FULL
from rove_core.wire.json_types import JSON


@frozen
class KeptOff:
    """Why a plugin or account is disabled.

    Attributes:
        why: What it did, in one sentence that names it.
        hook: The hook in which it did so; empty if unknown.
        may_filter: Whether it may have a filter, whatever hook it failed in.
    """

    why: str
    hook: str = ""
    may_filter: bool = False

    @classmethod
    def after(cls, failed: PluginFailed, hook: str, *, remark: str, has_no_filter: bool) -> Self:
        """Return the reason to disable a plugin that ended or blocked its process.

        Args:
            failed: The error that names it.
            hook: The hook in which it did so; empty if unknown.
            remark: The consequence, to add to the reason.
            has_no_filter: Whether its process had found that it has no filter.
        """
        name = failed.account
        # An account is disabled alone: the filter of its plugin is still called.
        filters = "/" in name and not has_no_filter and may_filter(name)
        return cls(why=f"{failed.message}; {remark}", hook=hook, may_filter=filters)

    @property
    def filters(self) -> bool:
        """Whether it may have been a filter, without which nothing passes."""
        return self.hook == FILTER or self.may_filter

    @classmethod
    def from_json(cls, told: Mapping[str, JSON]) -> Self:
        """Return the object from its :func:`attrs.asdict` form."""
        return cls(
            why=str(told["why"]), hook=str(told["hook"]), may_filter=bool(told["may_filter"])
        )


#: By the name of the account (``jira``) or of the plugin (``rove-jira/jira``).
AllKeptOff: TypeAlias = Mapping[str, KeptOff]


def kept_off_plugin(kept_off: AllKeptOff, distribution: str, name: str) -> KeptOff | None:
    """Return why a plugin is not loaded, or None if it may be."""
    return kept_off.get(plugin_name(distribution, name))


def deed(name: str, hook: str, code: int, *, blocked_for: float = 0.0) -> PluginFailed:
    """Return the error for a plugin that ended or blocked its process.

    Args:
        name: The account, or the plugin.
        hook: The hook that ran; empty if none did.
        code: The exit code of its process; negative for a signal.
        blocked_for: How many seconds it blocked its thread; 0 if it did not.
    """
    ended = f"exit code {code}" if code >= 0 else f"signal {-code}"
    what = (
        f"blocked its thread for {blocked_for:g} s"
        if blocked_for
        else f"ended its process ({ended})"
    )
    if code == FULL:
        what = f"needed more than {plugin_memory() >> 20} MiB of memory"
    return PluginFailed(f"{name}: {hook or 'its code'} {what}", account=name)


def closed_filters(kept_off: AllKeptOff) -> Mapping[str, str]:
    """Return the filters that cannot run, and why."""
    return {name: each.why for name, each in kept_off.items() if each.filters}


def unused_names(kept_off: AllKeptOff, rows: Collection[str]) -> Mapping[str, str]:
    """Return those that have no row yet, with the reasons why they are not used."""
    return {name: each.why for name, each in kept_off.items() if name not in rows}
