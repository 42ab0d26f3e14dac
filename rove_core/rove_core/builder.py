"""From a ticket to its findings: the ticket, what names it elsewhere, and what those refer to."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field

from rove_core.accounts import Accounts
from rove_core.clock import Clock
from rove_core.document import Consulted, Findings
from rove_core.errors import ItemNotFound, RoveError
from rove_core.items import ContextItem, ItemRef, Query
from rove_core.tasks import Tell

#: How many items one document is built from at most.
MAX_FETCHES: Final = 60


@define(eq=False, kw_only=True)
class Builder:
    """Gathers what the accounts of a project know about a ticket.

    Attributes:
        accounts: Whom to ask.
        titles: How people name the kind of each account.
        unconnected: Why an account that should be asked cannot be, by its name.
        clock: What tells the time.
        tell: Who is told how far it is.
        budget: How many tokens the document may take.
        max_hops: How many references deep to go; the ticket itself is the first hop.
        hops: How deep it went.
    """

    accounts: Accounts
    titles: Mapping[str, str]
    unconnected: Mapping[str, str]
    clock: Clock
    tell: Tell
    budget: int
    max_hops: int = 3
    hops: int = field(default=1, init=False)
    _found: dict[tuple[str, str], ContextItem] = field(factory=dict, init=False)
    _failed: dict[str, str] = field(factory=dict, init=False)

    @property
    def items(self) -> int:
        """How many items it has found so far."""
        return len(self._found)

    async def gather(self, ticket: ItemRef) -> Findings:
        """Return all that was found; only a failure to read the ticket itself is raised."""
        await self.tell("ticket", account=ticket.account)
        whole = await self.accounts.item_detail(ticket)
        primary = self.accounts.filter_item(ticket.account, whole)
        if primary is None:
            raise ItemNotFound(f"a plugin does not let {ticket.id} pass", account=ticket.account)
        self._found[_key(ticket)] = primary
        frontier = [primary, *await self._mentions(ticket)]
        while frontier and self.hops < self.max_hops:
            refs = [ref for ref in self._references(frontier) if _key(ref) not in self._found]
            if refs:
                self.hops += 1
                note = ", ".join(ref.id for ref in refs)
                await self.tell("hop", done=self.hops, total=self.max_hops, note=note)
            frontier = await self._details(refs)
        others = [item for key, item in self._found.items() if key != _key(ticket)]
        return Findings(
            ticket=primary,
            items=tuple(sorted(others, key=lambda item: item.timestamp)),
            consulted=(
                *(self._row(name) for name in self.accounts.names),
                *(Consulted(account=name, failure=why) for name, why in self.unconnected.items()),
            ),
            hosts=self.accounts.hosts,
            sections=await self.accounts.sections(primary, budget=self.budget),
        )

    async def _mentions(self, ticket: ItemRef) -> list[ContextItem]:
        """Ask every account for the ticket's id, all at once, and read what answers."""
        names = [name for name in self.accounts.names if self.accounts.can(name, "rove_search")]
        hits = await asyncio.gather(*(self._search(name, ticket.id) for name in names))
        return await self._details([ref for refs in hits for ref in refs if ref.id != ticket.id])

    async def _search(self, account: str, text: str) -> list[ItemRef]:
        found: list[ItemRef] = []
        try:
            async for item in self.accounts.search(Query(account=account, text=text)):
                found.append(item.ref)  # noqa: PERF401  # what came before an error is kept
        except RoveError as error:
            self._failed[account] = error.message
        note = self._failed.get(account, "")
        await self.tell("search", account=account, done=len(found), note=note)
        return found

    def _references(self, items: Sequence[ContextItem]) -> list[ItemRef]:
        found: dict[ItemRef, None] = {}
        for item in items:
            found |= dict.fromkeys(item.links)
            for part in (item, *item.thread):
                found |= dict.fromkeys(self.accounts.recognise(part.content, origin=item.ref))
        return list(found)

    async def _details(self, refs: Sequence[ItemRef]) -> list[ContextItem]:
        new = {_key(ref): ref for ref in refs if _key(ref) not in self._found}
        room = MAX_FETCHES - len(self._found)
        items = await asyncio.gather(*(self._detail(ref) for ref in list(new.values())[:room]))
        fresh = [item for item in items if item and _key(item.ref) not in self._found]
        self._found |= {_key(item.ref): item for item in fresh}
        return fresh

    async def _detail(self, ref: ItemRef) -> ContextItem | None:
        if not self.accounts.can(ref.account, "rove_item_detail"):
            return None
        try:
            item = await self.accounts.item_detail(ref)
        except RoveError as error:
            self._failed.setdefault(ref.account, error.message)
            return None
        return self.accounts.filter_item(ref.account, item)

    def _row(self, account: str) -> Consulted:
        failure = self._failed.get(account, "")
        return Consulted(
            account=account,
            title=self._title(account),
            found=sum(item.account == account for item in self._found.values()),
            updated=None if failure else self.clock.now(),
            failure=failure,
        )

    def _title(self, account: str) -> str:
        """Return the kind's title, with what tells this account from others of its kind."""
        _, _, which = account.partition(":")
        return f"{self.titles[account]} ({which})" if which else self.titles[account]


def _key(ref: ItemRef) -> tuple[str, str]:
    return ref.account, ref.id
