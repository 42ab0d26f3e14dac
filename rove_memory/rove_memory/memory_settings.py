"""The settings of memory."""

from typing import Final

from attrs import field, frozen
from attrs.validators import ge, le

from rove_core import SAFE, SettingsSection


@frozen(kw_only=True, eq=False)
class MemorySettings:
    """Settings of memory.

    Attributes:
        max_items_per_type: How many memories of a type ``memory_decay`` leaves current; of more it
            archives the most decayed, and deletes none.
        decay_after_days: How many days without use make a memory of the lowest importance old.
        importance_threshold: The least importance at which an event of a session is remembered
            when it ends: 1 low, 2 medium, 3 high.
        auto_decay_on_session_end: Whether the end of a session archives what has decayed.
    """

    max_items_per_type: int = field(default=100, validator=[ge(1), le(1_000_000)], metadata=SAFE)
    decay_after_days: int = field(default=30, validator=[ge(1), le(36_500)], metadata=SAFE)
    importance_threshold: int = field(default=3, validator=[ge(1), le(3)], metadata=SAFE)
    auto_decay_on_session_end: bool = field(default=False, metadata=SAFE)


MEMORY: Final = SettingsSection(name="memory", settings=MemorySettings)
