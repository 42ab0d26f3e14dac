"""A plugin that behaves: a tracker with one ticket, and what was said about it."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    Http,
    ItemRef,
    Query,
    SourceHooks,
    SourceKind,
    hookimpl,
)

WORDS = {
    "CALM-1": "We decided that the cookie lives 60 seconds. See CALM-2, and BAD-7.",
    "CALM-2": "The cookie of CALM-1 gets the prefix __Host-, as BAD-8 asks.",
}
AT = datetime(2026, 1, 1, tzinfo=UTC)


class CalmSource(SourceHooks):
    """Reads the tracker."""

    def __init__(self, account: Account[CommonSettings], _: Http) -> None:
        self._account = account

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the tickets that have one of the words."""
        for name, words in WORDS.items():
            if any(word in words for word in query.text.split()):
                yield self._item(name)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a ticket."""
        return self._item(ref.id)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the tickets that a text names."""
        return [self._ref(name) for name in re.findall(r"\bCALM-[12]\b", text)]

    def _ref(self, name: str) -> ItemRef:
        return ItemRef(account=self._account.name, kind="ticket", id=name)

    def _item(self, name: str) -> ContextItem:
        return ContextItem(
            ref=self._ref(name),
            source="calm",
            role="ticket",
            title=f"The cookie of {name}",
            content=WORDS[name],
            timestamp=AT,
            author="Ada",
        )


@hookimpl
def rove_sources() -> Sequence[SourceKind[CommonSettings]]:
    """Bring the tracker."""
    return [SourceKind(name="calm", title="Calm", settings=CommonSettings, connect=CalmSource)]
