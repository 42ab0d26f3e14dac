"""What is stored: one database a project, and the registry of all projects."""

from rove_memory.store.project_store import ProjectStore, in_thread

__all__ = ["ProjectStore", "in_thread"]
