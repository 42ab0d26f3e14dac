"""The settings of the source ``memory``."""

from attrs import frozen


@frozen(kw_only=True)
class MemorySourceSettings:
    """The settings of the source ``memory``: it reads the memory of the project it is used in."""
