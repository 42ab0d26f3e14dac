"""The scope of a mirror, as chosen by a person."""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from shlex import quote
from typing import TYPE_CHECKING, Final

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core.listing import Container

#: What follows a container's name in an id: ``-123``, ``#847``, ``@1f3a9c0``, ``/1734259200.1``.
_OWN_PART: Final = re.compile(r"[-#@/:!][^-#@/:!]+")
#: Maximum public containers of an account that are all proposed: while a mirror is used, nothing
#: outside it is searched, and what early documents cite is only a part of what later ones need.
_MOST_PROPOSED: Final = 30

_MEGABYTE: Final = 1_000_000
#: Default disk budget of a mirror, in bytes.
BUDGET: Final = 2_000_000_000


@frozen(kw_only=True)
class MirrorScope:
    """The scope of a mirror.

    Attributes:
        containers: The source's names of its projects, repositories, channels or folders. Nothing
            else is ever requested.
        keep: How far back items are copied, and how long they are kept; None for everything.
        budget: Maximum bytes on disk; beyond them the oldest items are removed.
    """

    containers: tuple[str, ...] = ()
    keep: timedelta | None = None
    budget: int = BUDGET

    def begins(self, now: datetime) -> datetime | None:
        """Return the earliest time of stored items; None for no limit."""
        return now - self.keep if self.keep else None

    def goes_further_back(self, other: "MirrorScope") -> bool:
        """Return whether it has items that are older than those of another scope."""
        return other.keep is not None and (self.keep is None or self.keep > other.keep)

    def text(self) -> str:
        """Return the stored form of the scope."""
        keep = int(self.keep.total_seconds()) if self.keep else None
        return json.dumps({"containers": self.containers, "keep": keep, "budget": self.budget})

    @classmethod
    def of(cls, text: str) -> "MirrorScope":
        """Return a scope from its stored form."""
        fields: Mapping[str, object] = json.loads(text)
        names, keep, budget = fields.get("containers"), fields.get("keep"), fields.get("budget")
        return cls(
            containers=tuple(map(str, names)) if isinstance(names, list) else (),
            keep=timedelta(seconds=keep) if isinstance(keep, int) else None,
            budget=budget if isinstance(budget, int) else BUDGET,
        )


def start_command(account: str, scope: MirrorScope) -> str:
    """Return the command that copies an account with a scope."""
    options = [f"--container {quote(each)}" for each in scope.containers]
    if scope.keep:
        options.append(f"--keep {scope.keep.days}d")
    if scope.budget != BUDGET:
        options.append(f"--budget {scope.budget // _MEGABYTE}")
    return " ".join(["rove mirror start", account, *options])


def is_in(item: str, container: str) -> bool:
    """Return whether the id of an item shows that it is in a container."""
    return item.startswith(container) and bool(_OWN_PART.fullmatch(item[len(container) :]))


def proposed(containers: "Sequence[Container]", cited: Iterable[str]) -> "Sequence[Container]":
    """Return the containers to copy from an account unless a person chooses.

    These are all public ones if they are few; of many, the ones that documents cite.

    Args:
        containers: The containers that the account can read.
        cited: The ids of its items that documents quote or are about.
    """
    ids = [*cited]
    public = [each for each in containers if not each.private]
    if len(public) <= _MOST_PROPOSED:
        return public
    return [each for each in public if any(is_in(name, each.name) for name in ids)]
