"""Command-line arguments of the server's processes."""

import json
from typing import Self

import attrs
from attrs import field, frozen

from rove_core.plugins.kept_off import AllKeptOff, KeptOff
from rove_core.plugins.limits import plugin_memory, plugin_seconds


@frozen(kw_only=True)
class Bounds:
    """Time limits of the server and its workers.

    Attributes:
        blocked: How many seconds a worker's event loop may stand still: it is killed then.
        begin: How many seconds it may take to begin to turn.
        memory: How many bytes a worker may need.
        idle: After how many seconds without work a worker ends. It is more than the minute that
            vendors' limits count in: a task that waits for one finds its worker ready.
        drain: How many seconds work may take to stop when the server ends.
        watch: Seconds between two looks at whether the project is still there.
        tick: Seconds between two looks at the tasks while nobody tells of any.
    """

    blocked: float = field(factory=plugin_seconds)
    begin: float = field(factory=lambda: 2 * plugin_seconds())
    memory: int = field(factory=plugin_memory)
    idle: float = 75.0
    drain: float = 8.0
    watch: float = 3.0
    tick: float = 15.0


@frozen(kw_only=True)
class _Orders:
    root: str
    bounds: Bounds

    def to_text(self) -> str:
        """Return them for a command line."""
        return json.dumps(attrs.asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return what :meth:`to_text` wrote."""
        fields = json.loads(text)
        return cls(**{**fields, "bounds": Bounds(**fields["bounds"])})


@frozen(kw_only=True)
class ServerOrders(_Orders):
    """Start arguments of a server.

    Attributes:
        root: The project's folder.
        bounds: What it keeps to.
        lock: The descriptor of the lock that it holds from now on.
        ready: The descriptor on which it says that it answers, or why it does not.
    """

    lock: int
    ready: int


@frozen(kw_only=True)
class WorkerOrders(_Orders):
    """Start arguments of a worker.

    Attributes:
        root: The project's folder.
        bounds: What it keeps to.
        server: The process that it works for.
        connection: The descriptor of its connection to that.
        board: The descriptor of the board on which it shows whose code runs.
        kept_off: The accounts and plugins that it does not use, and why.
    """

    server: int
    connection: int
    board: int
    kept_off: AllKeptOff

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return what :meth:`to_text` wrote."""
        orders = super().from_text(text)
        entries = json.loads(text)["kept_off"].items()
        kept_off = {name: KeptOff.from_json(each) for name, each in entries}
        return attrs.evolve(orders, kept_off=kept_off)
