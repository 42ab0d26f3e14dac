"""Storage: one database per project, and the registry of projects."""

from rove_memory.store.project_store import ProjectStore, in_thread

__all__ = ["ProjectStore", "in_thread"]
