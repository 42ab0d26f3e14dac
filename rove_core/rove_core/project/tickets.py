"""Find the ticket a person means: by id, address or words."""

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from rove_core.build.free_text import are_words, id_of_words
from rove_core.build.requests import BuildRequest
from rove_core.errors import ItemNotFound, NotFound, RoveError
from rove_core.items import AnyAccount, ItemRef
from rove_core.plugins.accounts import Accounts
from rove_core.sources import AnySourceKind
from rove_core.store.document_items import read_ticket
from rove_core.store.documents import find_documents
from rove_core.store.store import Store


@frozen(kw_only=True)
class TicketFinder:
    """Finds the ticket that a text names.

    Attributes:
        accounts: The connected accounts.
        records: The records of those that may have the ticket, the likeliest first.
        kinds: The kind of source of each account.
        unconnected: Why an account in use could not be connected, by its name.
        store: The index.
    """

    accounts: Accounts
    records: Sequence[AnyAccount]
    kinds: Mapping[str, AnySourceKind]
    unconnected: Mapping[str, str]
    store: Store

    async def find(self, text: str, *, only_ids: bool) -> BuildRequest:
        """Return what to build for a text.

        An id that no account recognises is asked for once at each account whose ids look like it:
        a project that was made after the account was connected has ids of a new form.

        Args:
            text: An id, an address, or words.
            only_ids: Whether words are refused.

        Raises:
            ItemNotFound: It is an id or an address, and no account has it.
        """
        text = text.strip()
        if ref := self._recognise(text) or await self._of_document(text):
            return BuildRequest(ticket=ref)
        if only_ids or not are_words(text):
            unread: list[RoveError] = []
            if ref := await self._find_by_id(text, unread):
                return BuildRequest(ticket=ref)
            raise self._not_found(text, unread)
        words = " ".join(text.split())
        return BuildRequest(
            ticket=ItemRef(account="", kind="words", id=id_of_words(words)), words=words
        )

    def _recognise(self, text: str) -> ItemRef | None:
        """Return the item that an account recognises, trying known prefixes first."""
        found = [ref for account in self.records if (ref := self._recognised_by(account, text))]
        identities = {account.name: account.identity for account in self.records}
        return next(
            (ref for ref in found if _has_prefix(identities[ref.account], ref.id)),
            next(iter(found), None),
        )

    def _recognised_by(self, account: AnyAccount, text: str) -> ItemRef | None:
        for spelled in _spellings(text):
            for ref in self.accounts.recognise(spelled, accounts=[account.name]):
                if ref.id == spelled:
                    return ref
        if len(text.split()) != 1:
            return None
        return next(iter(self.accounts.recognise(text, accounts=[account.name])), None)

    async def _of_document(self, text: str) -> ItemRef | None:
        """Return the ticket of a document that was built before."""
        names = [account.name for account in self.records]
        for record in await self.store.read(find_documents, text):
            if record.account in names:
                ticket = await self.store.read(read_ticket, record.account, record.ticket_id)
                if ticket:
                    return ticket.ref
        return None

    async def _find_by_id(self, text: str, unread: list[RoveError]) -> ItemRef | None:
        """Return the item of this id that one of the accounts has after all.

        Args:
            text: The id.
            unread: Takes the errors of accounts that did not answer.
        """
        for account in self.records:
            pattern = self.kinds[account.name].id_pattern
            fitting = (each for each in _spellings(text) if pattern and re.fullmatch(pattern, each))
            spelled = next(fitting, "")
            if not spelled or not self.accounts.can(account.name, "rove_item_detail"):
                continue
            try:
                return (
                    await self.accounts.item_detail(
                        ItemRef(account=account.name, kind="ticket", id=spelled)
                    )
                ).ref
            except NotFound:
                continue
            except RoveError as error:
                unread.append(error)
        return None

    def _not_found(self, text: str, unread: Sequence[RoveError]) -> ItemNotFound:
        """Return the error for a ticket that no account has, and why that may be."""
        names = [account.name for account in self.records]
        found = [self.accounts.failure(name, "rove_recognise") for name in names]
        failures = [error for error in found if error]
        *first, last = names
        have = f"{', '.join(first)} and {last} have" if first else f"{last} has"
        reasons = [f"{have} no ticket {text}"]
        reasons += [error.message for error in failures]
        reasons += [f"not asked: {error.message}" for error in unread]
        reasons += [f"{name} is not connected: {why}" for name, why in self.unconnected.items()]
        hints = ["Find out why: rove doctor"] if self.unconnected else []
        hints += [error.hint for error in (*failures, *unread)]
        check = "Check the id, and what the account may read: rove sources test"
        return ItemNotFound("; ".join(reasons), hint=next(iter(hints), f"{check} {names[0]}"))


def _spellings(text: str) -> Iterator[str]:
    """Yield an id as it was typed, and in capitals."""
    yield text
    if text.upper() != text and "://" not in text:
        yield text.upper()


def _has_prefix(identity: object, ticket: str) -> bool:
    prefixes: Sequence[str] = getattr(identity, "prefixes", ())
    return any(ticket.startswith(f"{prefix}-") for prefix in prefixes)
