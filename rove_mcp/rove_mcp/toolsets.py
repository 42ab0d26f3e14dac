"""The groups of operations that a server offers as tools."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rove_core import WrongCall

if TYPE_CHECKING:
    from rove_core import OfferedOperation

#: What a server offers unless told differently: what an agent needs for a ticket.
DEFAULT_TOOLSETS: Final = ("context",)
#: Every operation, also those of no toolset.
ALL: Final = "all"


def check_toolsets(text: str, offered: "Sequence[OfferedOperation]") -> tuple[str, ...]:
    """Return the toolsets that a text names.

    Raises:
        WrongCall: There is no such toolset.
    """
    toolsets = {each.toolset for each in offered if each.toolset} | {ALL}
    chosen = tuple(dict.fromkeys(word for each in text.split(",") if (word := each.strip())))
    if unknown := [each for each in chosen if each not in toolsets]:
        raise WrongCall(
            f"there is no toolset {', '.join(unknown)}",
            hint=f"There are: {', '.join(sorted(toolsets))}",
        )
    if not chosen:
        raise WrongCall("no toolset is named", hint=f"There are: {', '.join(sorted(toolsets))}")
    return chosen


def in_toolsets(
    offered: "Sequence[OfferedOperation]", toolsets: Sequence[str]
) -> "tuple[OfferedOperation, ...]":
    """Return the operations of some toolsets."""
    is_all = ALL in toolsets
    return tuple(each for each in offered if is_all or each.toolset in toolsets)
