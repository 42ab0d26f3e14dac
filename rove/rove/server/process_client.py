"""Call the operations of a project that is open in the current process."""

from collections.abc import Mapping, Sequence

from attrs import define, field

from rove_core.events import Event
from rove_core.http.server.door import Refused, offered
from rove_core.operations import Operations
from rove_core.project.operation_client import OfferedOperation, OnEvent
from rove_core.project.project import Project
from rove_core.wire.json_types import JSON


def ignore_event(_: Event) -> None:
    """Ignore a step of a call."""


@define(eq=False)
class ProcessClient:
    """Calls the operations of a project that is open in this process.

    Attributes:
        project: The open project.
        operations: All operations.
    """

    project: Project
    operations: Operations
    _listeners: set[OnEvent] = field(factory=set, init=False)

    async def offered(self) -> Sequence[OfferedOperation]:
        """Return the operations that may be called, by name."""
        return [OfferedOperation.of(each) for each in self.operations if not each.terminal_only]

    async def call(
        self, name: str, arguments: Mapping[str, JSON], on_event: OnEvent = ignore_event
    ) -> JSON:
        """Call an operation and return its result."""
        try:
            operation = offered(self.operations, name)
        except Refused as refused:
            raise refused.error from refused
        self._listeners.add(on_event)
        try:
            return await operation.call(self.project, arguments)
        finally:
            self._listeners.discard(on_event)

    def forward(self, event: Event) -> None:
        """Hand an event of the project on to the callers."""
        for listener in tuple(self._listeners):
            listener(event)
