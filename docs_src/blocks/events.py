"""What is told of a task while it runs, and what becomes of it."""

from docs_src.blocks.markdown import code, prose, table
from rove_core.events import Event
from rove_core.store.tasks import TaskState
from rove_core.wire.parameters import described


def event_fields() -> str:
    """Return what an event says."""
    fields = described(Event.__doc__ or "", "Attributes")
    return table(
        ["Field", "What it says"], [[code(name), prose(text)] for name, text in fields.items()]
    )


def task_states() -> str:
    """Return the states of a task."""
    return ", ".join(code(state.value) for state in TaskState)
