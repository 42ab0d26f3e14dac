"""A plugin whose author forgot to mark the hook."""


def rove_sources() -> list[object]:
    """Bring nothing: without @hookimpl Rove does not call it, and says so."""
    return []
