"""Items found so far, each once, with all traces that led to it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import attrs
from attrs import define, field

from rove_core.build.gather.candidates import Candidate, Key, Trace, key_of
from rove_core.items import ContextItem, ItemRef
from rove_core.plugins.accounts import Accounts

_TELLING_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*-[0-9]+")


@define(eq=False)
class Candidates:
    """The candidates for one document.

    Attributes:
        accounts: The accounts, which recognise references in texts.
        ticket: The ticket of the document.
        quoted: Returns whether the document already quotes the item with a key.
        fresh: Keys of items that are new or changed since the earlier build.
        vanished: Keys of quoted items that are gone from their source.
        hits: Keys of items known only as search results, not in full.
        outdated: Keys of items read in full for which a search has shown news.
    """

    accounts: Accounts
    ticket: ItemRef
    quoted: Callable[[Key], bool] = lambda _: False
    _candidates: dict[Key, Candidate] = field(factory=dict, init=False)
    _names: dict[Key, Key] = field(factory=dict, init=False)
    fresh: set[Key] = field(factory=set, init=False)
    vanished: set[Key] = field(factory=set, init=False)
    hits: set[Key] = field(factory=set, init=False)
    outdated: set[Key] = field(factory=set, init=False)
    _id: "re.Pattern[str] | None" = field(init=False)

    @_id.default
    def _in_an_address(self) -> "re.Pattern[str] | None":
        """Return a pattern for the ticket's id in a URL; None for ids like ``12``."""
        if not _TELLING_ID.fullmatch(self.ticket.id):
            return None
        return re.compile(rf"https?://[^\s<>|\"]*/{re.escape(self.ticket.id)}(?![\w-])")

    def __iter__(self) -> Iterator[Candidate]:
        """Yield the found items, except parts of items that were read in full."""
        candidates = tuple(self._candidates.values())
        parts = {
            key_of(part.ref)
            for each in candidates
            if each.whole
            for part in each.item.thread
            if key_of(part.ref) != each.key
        }
        return (each for each in candidates if each.key not in parts)

    def __len__(self) -> int:
        return len(self._candidates)

    def remember(self, candidates: Iterable[Candidate]) -> None:
        """Add the results of an earlier build."""
        self._candidates |= {each.key: each for each in candidates}

    def take_ticket(self, ref: ItemRef) -> None:
        """Set the ticket's current id, and exclude the ticket itself.

        It differs from the requested id if the ticket was moved or its project was renamed.
        """
        if key_of(ref) == key_of(self.ticket):
            return
        self._rename(self.ticket, ref)
        self.ticket = ref
        self._remove(key_of(ref))

    def get(self, ref: ItemRef) -> Candidate | None:
        """Return the candidate for a reference, under any of its names."""
        key = key_of(ref)
        return self._candidates.get(self._names.get(key, key))

    def add(
        self,
        item: ContextItem,
        *traces: Trace,
        hop: int = 1,
        whole: bool = False,
        is_search_hit: ItemRef | None = None,
    ) -> None:
        """Add a found item, or merge it with the known one.

        Args:
            item: The item.
            traces: The ways that led to it.
            hop: Its distance from the ticket in references.
            whole: Whether it is complete.
            is_search_hit: The requested reference, if the item's own may differ.
        """
        if is_search_hit is not None:
            self._rename(is_search_hit, item.ref)
        key = key_of(item.ref)
        if key == key_of(self.ticket):
            return
        existing = self._candidates.get(key)
        is_seen = existing is not None and existing.item == item
        if not is_seen and self.names_ticket(item):
            traces = (Trace("link", self.ticket.id), *traces)
        if existing is None:
            self.fresh.add(key)
            self._candidates[key] = Candidate(item=item, hop=hop, whole=whole)
            if not whole:
                self.hits.add(key)
            self.trace(item.ref, *traces, hop=hop)
            return
        if whole:
            self.hits.discard(key)
            self.outdated.discard(key)
            item, gone = keep_vanished(item, existing.item, self.quoted)
            self.vanished |= gone
        if _has_changed(existing, item, whole=whole):
            self.fresh.add(key)
            # A hit for an item that was read already only says that it must be read again.
            keeps = not whole and (existing.whole or key in self.outdated)
            if not whole:
                (self.outdated if keeps else self.hits).add(key)
            existing = attrs.evolve(existing, item=existing.item if keeps else item, whole=whole)
            ways = (each for each in existing.traces if each.way != "unread" or not whole)
            self._candidates[key] = attrs.evolve(existing, traces=tuple(ways))
        self.trace(item.ref, *traces, hop=hop)

    def lose(self, ref: ItemRef) -> None:
        """Record that an item is gone from its source; drop it if no document quotes it."""
        candidate = self.get(ref)
        if candidate is None:
            return
        item = candidate.item
        if any(self.quoted(key_of(part.ref)) for part in (item, *item.thread)):
            self.vanished.add(candidate.key)
        else:
            self._remove(candidate.key)

    def pass_by(self, key: Key, *traces: Trace) -> None:
        """Mark a hit that may not be quoted or stored as the search returned it."""
        candidate = self._candidates[key]
        self._candidates[key] = attrs.evolve(candidate, passing=True)
        self.trace(candidate.item.ref, *traces, hop=candidate.hop)

    def trace(self, ref: ItemRef, *traces: Trace, hop: int) -> Candidate | None:
        """Record ways that lead to an item; return its candidate, or None if unknown."""
        candidate = self.get(ref)
        if candidate is None:
            return None
        led = tuple(dict.fromkeys((*candidate.traces, *traces)))
        traced = attrs.evolve(candidate, traces=led, hop=min(candidate.hop, hop))
        self._candidates[traced.key] = traced
        return traced

    def references(self, item: ContextItem) -> tuple[ItemRef, ...]:
        """Return an item's references, from its text and its links, without duplicates.

        Items that mention the ticket belong to it; items that mention something else need not.
        """
        own, below = _links_of(item)
        if key_of(item.ref) != key_of(self.ticket):
            own = [link.ref for link in item.links if link.relation != "mentioned_by"]
        found = dict.fromkeys(own)
        for text in _texts(item):
            found |= dict.fromkeys(self.accounts.recognise(text, origin=item.ref))
        found |= dict.fromkeys(below)
        return self._choose_references(found, item)

    def _choose_references(self, refs: Iterable[ItemRef], item: ContextItem) -> tuple[ItemRef, ...]:
        """Keep one reference per id if several accounts recognise it.

        It is that of the ticket's account, else that of the item's own account, else the first.
        """
        first = (self.ticket.account, item.account)
        meant: dict[str, ItemRef] = {}
        for ref in sorted(refs, key=lambda ref: [ref.account != each for each in first]):
            meant.setdefault(ref.id, ref)
        return tuple(ref for ref in refs if meant[ref.id] == ref)

    def names_ticket(self, item: ContextItem) -> bool:
        """Return whether an item refers to the ticket, or has its whole id in any URL.

        Trackers move, and URLs in older texts still point to the former address.
        """
        keys = (key_of(ref) for ref in self._own_references(item))
        if any(self._names.get(key, key) == key_of(self.ticket) for key in keys):
            return True
        return self._id is not None and any(
            self._id.search(part.content) for part in (item, *item.thread)
        )

    def _own_references(self, item: ContextItem) -> Iterator[ItemRef]:
        """Yield an item's links, and what the ticket's account recognises in its texts."""
        linked, below = _links_of(item)
        yield from linked
        own = [name for name in self.accounts.names if name == self.ticket.account]
        for text in _texts(item):
            yield from self.accounts.recognise(text, origin=item.ref, accounts=own)
        yield from below

    def _rename(self, requested_ref: ItemRef, actual_ref: ItemRef) -> None:
        """Record that an item's id differs from the requested one."""
        old, new = key_of(requested_ref), key_of(actual_ref)
        if old == new:
            return
        self._names[old] = new
        is_hit = old in self.hits
        candidate = self._remove(old)
        if candidate and new not in self._candidates:
            renamed = attrs.evolve(candidate.item, ref=actual_ref)
            self._candidates[new] = attrs.evolve(candidate, item=renamed)
            if is_hit:
                self.hits.add(new)

    def _remove(self, key: Key) -> Candidate | None:
        """Remove a candidate, and what is known of its state; return it if there was one."""
        for keys in (self.fresh, self.hits, self.outdated):
            keys.discard(key)
        return self._candidates.pop(key, None)


def keep_vanished(
    item: ContextItem, before: ContextItem, quoted: Callable[[Key], bool]
) -> tuple[ContextItem, frozenset[Key]]:
    """Return an item with its former parts that are gone but quoted, and the keys of those.

    Args:
        item: The item as it is at its source.
        before: The item as it was.
        quoted: Returns whether the document quotes the item with a key.
    """
    there = {part.ref for part in item.thread}
    gone = [part for part in before.thread if part.ref not in there and quoted(key_of(part.ref))]
    if not gone:
        return item, frozenset()
    thread = sorted((*item.thread, *gone), key=lambda part: part.timestamp)
    return attrs.evolve(item, thread=tuple(thread)), frozenset(key_of(part.ref) for part in gone)


def _links_of(item: ContextItem) -> tuple[Sequence[ItemRef], Sequence[ItemRef]]:
    """Return the links of an item, and those of its discussion.

    Links from a reply to what it answers stay within the discussion: they are left out.
    """
    below = (link for part in item.thread for link in part.links)
    return (
        [link.ref for link in item.links],
        [link.ref for link in below if link.relation != "replies_to"],
    )


def _texts(item: ContextItem) -> Iterator[str]:
    """Yield the texts that may name other items: the item's own and its discussion."""
    yield " \n".join((item.title, item.content, *filter(None, [item.facts.branch])))
    yield from (part.content for part in item.thread)


def _has_changed(existing: Candidate, item: ContextItem, *, whole: bool) -> bool:
    if whole:
        return not existing.whole or item != existing.item
    # A hit may be any message of a discussion that was read to its end.
    newest = max(part.timestamp for part in (existing.item, *existing.item.thread))
    return item.timestamp > newest
