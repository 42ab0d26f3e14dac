"""A project that uses a board of work items, in memory: offline at will, or read only."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
from tests.memory.operating import OPERATIONS

from rove_core import (
    Account,
    Identity,
    ItemRef,
    ListedChange,
    ListScope,
    MemoryStore,
    NewComment,
    Project,
    RoveError,
    SourceKind,
    StatusOption,
    WorkField,
    WorkItem,
    WorkItemChange,
    hookimpl,
    open_project,
)
from rove_core.testing import VirtualClock
from rove_core.testing.reference_tracker import (
    ReferenceBoard,
    ReferenceTracker,
    TrackerSettings,
)


class OfficeTracker(ReferenceTracker):
    """The reference tracker behind a line: it fails as told, and knows what it was asked."""

    trouble: RoveError | None = None
    needs: tuple[str, ...] = ()
    changeable: tuple[WorkField, ...] = ()

    def __init__(self, account: Account[TrackerSettings], board: ReferenceBoard) -> None:
        super().__init__(account, board)
        self.asked: list[str] = []

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """List the cards."""
        self._ask("list")
        async for change in super().rove_list(scope):
            yield change

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Read a card."""
        self._ask("read")
        work = await super().rove_work_item(ref)
        return attrs.evolve(work, changeable=self.changeable or work.changeable)

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return what can follow, with the fields that it needs."""
        found = await super().rove_status_options(ref)
        return [attrs.evolve(each, needs=self.needs) for each in found]

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a card."""
        self._ask("change")
        return await super().rove_change_work_item(ref, change)

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a card."""
        self._ask("comment")
        return await super().rove_add_comment(ref, comment)

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if self.trouble:
            raise self.trouble


@attrs.define
class Office:
    """A folder whose project uses a board of two cards.

    Attributes:
        folder: The project's folder.
        writes: Whether the login may change cards.
        known_to_read: Whether Rove was told at login that it may not.
    """

    folder: Path
    writes: bool = True
    known_to_read: bool = False
    clock: VirtualClock = attrs.field(factory=VirtualClock)
    board: ReferenceBoard = attrs.field(factory=ReferenceBoard)
    hooks: OfficeTracker = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.board.add("Login with keys", description="Keys stay valid until June.")
        self.board.add("Login page")
        self.hooks = OfficeTracker(self._account, self.board)

    @property
    def _account(self) -> Account[TrackerSettings]:
        identity = Identity(name="Robin", writes=False) if self.known_to_read else None
        return Account(
            name="board",
            kind="board",
            settings=TrackerSettings(writes=self.writes),
            base_url="https://board.example",
            identity=identity,
        )

    def settings(self, text: str) -> None:
        """Write the settings of the project."""
        (self.folder / ".rove").mkdir(parents=True, exist_ok=True)
        (self.folder / ".rove" / "settings.toml").write_text(text, encoding="utf-8")

    def opened(self) -> AbstractAsyncContextManager[Project]:
        """Open the project."""

        @hookimpl
        def rove_sources() -> list[SourceKind[TrackerSettings]]:
            return [
                SourceKind(
                    name="board",
                    title="Board",
                    settings=TrackerSettings,
                    connect=lambda *_: self.hooks,
                    id_pattern=r"CARD-[0-9]+",
                )
            ]

        module = ModuleType("office")
        vars(module)["rove_sources"] = rove_sources
        import rove_memory  # noqa: PLC0415  # its settings

        return open_project(
            self.folder,
            plugins=(module, rove_memory),
            accounts=[self._account],
            credentials=MemoryStore(),
            clock=self.clock,
        )


async def ask(rove: Project, name: str, **words: object) -> Any:  # noqa: ANN401  # JSON
    """Return what an operation gives."""
    return await OPERATIONS[name].call(rove, words)  # type: ignore[arg-type]  # JSON
