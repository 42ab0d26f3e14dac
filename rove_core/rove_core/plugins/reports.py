"""Plugin failures during a build, for the document's table."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove_core.errors import RoveError
from rove_core.plugins.limits import MOST_REFERENCES_OF_BUILD

if TYPE_CHECKING:
    from rove_core.items import ItemRef


@define(eq=False)
class PluginReports:
    """Plugin failures during one build.

    Attributes:
        failures: The first error of each account or plugin, by name.
        withheld: The items that a failing filter withheld.
    """

    failures: dict[str, RoveError] = field(factory=dict, init=False)
    withheld: "set[ItemRef]" = field(factory=set, init=False)
    _notes: dict[tuple[str, str], str] = field(factory=dict, init=False)
    _seconds: dict[tuple[str, str], float] = field(factory=dict, init=False)
    _counts: dict[str, int] = field(factory=dict, init=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about cut content, one sentence each."""
        return tuple((_OF_PROCESS | self._notes).values())

    def fail(self, name: str, error: RoveError) -> None:
        """Report an error; only the first one of an account or plugin counts."""
        self.failures.setdefault(name, error)

    def note(self, name: str, what: str, detail: str) -> None:
        """Report a cut, once for each plugin and each kind of cut."""
        self._notes.setdefault((name, what), _report_text(name, what, detail))

    def spend(self, name: str, hook: str, seconds: float) -> float:
        """Add to the time of a plugin's hook, and return the sum."""
        spent = self._seconds.get((name, hook), 0.0) + seconds
        self._seconds[name, hook] = spent
        return spent

    def count(self, account: str, references: int) -> int:
        """Add to the number of references of an account, and return the sum."""
        self._counts[account] = self._counts.get(account, 0) + references
        return self._counts[account]


_OF_PROCESS: Final[dict[tuple[str, str], str]] = {}
_CURRENT: Final[ContextVar[PluginReports | None]] = ContextVar("rove_reports", default=None)


@contextmanager
def reporting() -> Iterator[PluginReports]:
    """Collect reports inside; a nested collection adds to the outer one."""
    if there := _CURRENT.get():
        yield there
        return
    reports = PluginReports()
    token = _CURRENT.set(reports)
    try:
        yield reports
    finally:
        _CURRENT.reset(token)


def note_in_process(name: str, what: str, detail: str) -> None:
    """Add a remark to the running build or, outside a build, to all builds of this process."""
    if reports := _CURRENT.get():
        reports.note(name, what, detail)
    else:
        _OF_PROCESS.setdefault((name, what), _report_text(name, what, detail))


def current_reports() -> PluginReports:
    """Return the reports of the running build; outside a build, a throwaway collection."""
    return _CURRENT.get() or PluginReports()


def note_flood(account: str, culprit: str) -> None:
    """Report cut references to the account that gave too many, or to that of the texts."""
    most = MOST_REFERENCES_OF_BUILD
    if culprit == account:
        current_reports().note(account, "rove_recognise", f"gave more than {most}: cut")
    else:
        current_reports().note(culprit, "its items", f"name {account} more than {most} times: cut")


def _report_text(name: str, what: str, detail: str) -> str:
    return f"{name}: {what} {detail}."
