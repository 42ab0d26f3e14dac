"""The lines of ``rove prime`` about sessions, ready work and warnings."""

from typing import TYPE_CHECKING, Annotated, Final

from rove_core import Operation, visible
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject


async def memory_prime(
    rove: "LocalProject",
    *,
    external_item_id: Annotated[str, "The agent's ticket."] = "",
) -> str:
    """Summarise the session, ready work and warnings, in under 300 tokens."""
    store = ProjectStore.of(rove)

    def work() -> str:
        with store.reading() as db:
            if not store.project_id(db):
                return ""
            from rove_memory.sessions.session_lines import session_lines  # noqa: PLC0415  # where nothing is stored it is not needed

            return "\n".join(session_lines(db, store, rove, external_item_id))

    return await in_thread(work)


PRIME: Final = Operation(
    memory_prime,
    command="memory prime",
    offline=True,
    show=lambda text: "\n".join(map(visible, text.splitlines())),
)
