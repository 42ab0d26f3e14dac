"""The truth about the sample company, and what its ids are called in Rove's documents."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, Literal

from attrs import frozen

from benchmarks.context.scoring import Truth
from rove_core.wire.structure import TOLERANT

_GAINS: Final = {"must": 2.0, "useful": 1.0}


@frozen(kw_only=True)
class Item:
    """What belongs into a ticket's context."""

    id: str
    grade: Literal["must", "useful"]


@frozen(kw_only=True)
class Fact:
    """What its document must quote; what was replaced only together with what replaced it."""

    text: str
    replaced_by: str = ""


@frozen(kw_only=True)
class Open:
    """What nobody has answered, and where it was raised."""

    where: tuple[str, ...]


@frozen(kw_only=True)
class TicketTruth:
    """The truth about one ticket."""

    items: tuple[Item, ...]
    facts: tuple[Fact, ...]
    open: tuple[Open, ...]

    def truth(self, ticket: str) -> Truth:
        """Return what belongs to it; itself counts only where the truth names it."""
        gains = {each.id: _GAINS[each.grade] for each in self.items}
        return Truth(
            right=frozenset(gains), gains=gains, neutral=frozenset({ticket} - gains.keys())
        )

    def must(self) -> Truth:
        """Return what an implementer goes wrong without."""
        right = frozenset(each.id for each in self.items if each.grade == "must")
        return Truth(right=right, gains={})


@frozen(kw_only=True)
class Pair:
    """Two statements that say the same, or only seem to: ``kind`` or ``reason`` tell how."""

    a: str
    b: str
    a_says: str
    b_says: str
    kind: str = ""
    reason: str = ""


@frozen(kw_only=True)
class Reversal:
    """What was decided earlier and later."""

    earlier_says: str
    later_says: str


@frozen(kw_only=True)
class Hostile:
    """What must never be followed, shown unredacted or shown raw."""

    kind: Literal["injection", "secret", "name"]
    contains: str


@frozen(kw_only=True)
class SampleTruth:
    """All of it."""

    tickets: Mapping[str, TicketTruth]
    copies: tuple[Pair, ...]
    lookalikes: tuple[Pair, ...]
    reversals: tuple[Reversal, ...]
    hostile: tuple[Hostile, ...]


def load() -> SampleTruth:
    """Read it."""
    text = files("rove_sim").joinpath("sample", "truth.json").read_text("utf-8")
    return TOLERANT.structure(json.loads(text), SampleTruth)


def truth_id(account: str, name: str) -> str:
    """Return what the truth calls an item."""
    return name if account == "notes" else f"{account}/{name}"


def statement_name(own: str) -> str:
    """Return what a document calls a statement: its account and its id there."""
    account, _, name = own.partition("/")
    if account == "notes":
        return f"notes:{own}"
    whole, _, sha = name.partition("/commit/")
    if sha:
        return f"{account}:{whole.partition('#')[0]}@{sha}"
    if account == "github":
        return f"{account}:{name}"
    return f"{account}:{name.replace('/comment/', '/')}"
