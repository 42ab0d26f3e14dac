"""What Rove can do: a typed async function, and the doors that lead to it."""

from collections.abc import Awaitable, Callable

from attrs import frozen


@frozen
class Operation:
    """One thing that Rove can do."""

    function: Callable[..., Awaitable[object]]

    @property
    def name(self) -> str:
        """How it is called."""
        return self.function.__name__
