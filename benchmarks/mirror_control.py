"""The control of mirrors: what Rove chooses when it is given all that they hold.

A vendor's format cannot carry all that a company knows of an item, so what was copied differs from
what was served. Only a choice among the copied items themselves shows what searching them loses.
"""

from collections.abc import Iterator
from itertools import chain
from time import perf_counter  # noqa: TID251  # how long it takes is what is measured
from typing import Final, Self

from attrs import frozen

from benchmarks.context.answers import Answer, Seen
from benchmarks.context.direct import outcomes_of
from benchmarks.context.outside import Outside
from benchmarks.context.served import name_of, unit_of
from rove_core import ContextItem, Project
from rove_core.build.compose.composer import ItemOutcome
from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import Candidate, Trace
from rove_core.mirror.copies import read_copies

#: References are followed as deep as a build does it.
_MAX_HOPS: Final = 3


@frozen
class CopiedItems:
    """All items in the mirrors of a project.

    Attributes:
        project: The project.
        company: The company that was copied.
        items: The items, whole ones and others.
    """

    project: Project
    company: Outside
    items: tuple[Candidate, ...]

    @classmethod
    def of(cls, project: Project, company: Outside) -> Self:
        """Read the mirrors of all accounts."""
        read = (_copied(project, name) for name in project.accounts.names)
        return cls(project, company, tuple(chain.from_iterable(read)))

    async def choose(self, key: str) -> Answer:
        """Return what Rove chooses for a ticket, given everything."""
        began = perf_counter()
        ticket = next(each.item for each in self.items if self._is_ticket(each.item, key))
        outcomes = await outcomes_of(ticket, tuple(self._candidates(ticket)))
        return Answer(
            seen=[self._seen(outcome) for outcome in outcomes],
            tokens=sum(outcome.tokens for outcome in outcomes),
            seconds=perf_counter() - began,
        )

    def _candidates(self, ticket: ContextItem) -> Candidates:
        """Return everything but the ticket, with the references that lead there."""
        found = Candidates(self.project.accounts, ticket.ref)
        for each in self.items:
            found.add(each.item, whole=each.whole)
        frontier = [ticket]
        for hop in range(1, _MAX_HOPS + 1):
            reached: list[ContextItem] = []
            for item in frontier:
                trace = Trace("link" if item is ticket else "reference", item.ref.id)
                for ref in found.references(item):
                    before = found.get(ref)
                    if before and before.item.ref != item.ref:
                        found.trace(ref, trace, hop=hop)
                        if not before.traces:
                            reached.append(before.item)
            linked = [each.item for each in found if each.is_linked] if hop == 1 else ()
            frontier = [*linked, *(each for each in reached if hop > 1)]
        return found

    def _is_ticket(self, item: ContextItem, key: str) -> bool:
        return name_of(self.company, item.ref.url) == self.company.tickets[key]

    def _seen(self, outcome: ItemOutcome) -> Seen:
        candidate = outcome.ranked.candidate
        return Seen(
            units=[unit_of(self.company, ref.url) for ref in (candidate.item.ref, *outcome.merged)],
            kept=outcome.is_quoted,
            score=outcome.ranked.score,
            why=outcome.reason.partition(":")[0],
            linked=candidate.is_linked,
        )


def _copied(project: Project, account: str) -> Iterator[Candidate]:
    """Yield all that the mirror of an account holds."""
    mirror = project.mirror(account)
    if not mirror.exists:
        return
    with mirror.reading() as db:
        rows = [row for (row,) in db.execute("SELECT row FROM items ORDER BY row")]
        for copied in read_copies(db, account, rows):
            yield Candidate(item=copied.item, whole=copied.whole)
