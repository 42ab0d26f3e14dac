"""Call operations for an agent, in the project's server or in this process."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from attrs import frozen

from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.events import Event
    from rove_core.operations import Operation

#: What an agent's caller does with each step of a call.
OnEvent: TypeAlias = "Callable[[Event], None]"


@frozen(kw_only=True)
class OfferedOperation:
    """An operation as a wire describes it.

    Attributes:
        name: Its name.
        title: What it does, in one line.
        description: What it does, in full.
        changes: Whether it changes anything.
        destroys: Whether it may remove what cannot be made again.
        toolset: The group of tools it belongs to; empty if it belongs to none.
        input: The JSON Schema of its arguments.
        output: The JSON Schema of its result.
    """

    name: str
    title: str
    description: str
    changes: bool
    destroys: bool
    toolset: str
    input: Mapping[str, JSON]
    output: Mapping[str, JSON]

    @classmethod
    def of(cls, operation: "Operation") -> "OfferedOperation":
        """Return the description of an operation."""
        return cls(
            name=operation.name,
            title=operation.title,
            description=operation.description,
            changes=operation.changes,
            destroys=operation.destroys,
            toolset=operation.toolset,
            input=operation.input_schema(),
            output=operation.output_schema(),
        )


class OperationClient(Protocol):
    """Calls a project's operations. The app that runs an operation gives one as ``rove.client``.

    It offers no operation that is only for a person at a terminal, and calls none.
    """

    async def offered(self) -> Sequence[OfferedOperation]:
        """Return the operations that may be called, by name."""

    async def call(self, name: str, arguments: Mapping[str, JSON], on_event: OnEvent = ...) -> JSON:
        """Call an operation and return its result.

        To cancel the call cancels the work.

        Args:
            name: The operation's name.
            arguments: Its arguments, as plain JSON data.
            on_event: Receives each step of the work, in the caller's event loop.

        Raises:
            RoveError: As the operation raises it, or there is no such operation.
        """
