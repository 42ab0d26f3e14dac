"""Threads and messages as items."""

from datetime import UTC, datetime
from re import search, split, sub
from typing import Final

from attrs import evolve, frozen

from rove_core import ContextItem, ItemRef
from rove_slack.hits import MessageHit
from rove_slack.messages import ThreadMessage
from rove_slack.names import SlackNames, SlackPlace
from rove_slack.references import address, moment
from rove_slack.threads import SlackThread

_LONGEST_TITLE: Final = 80


@frozen
class ThreadItems:
    """Makes the items of one account.

    Attributes:
        account: The account's name.
        host: Where people read the workspace; empty when it is not known.
        names: Who and where; it learns.
    """

    account: str
    host: str
    names: SlackNames

    async def thread(self, channel: str, ts: str, thread: SlackThread) -> ContextItem:
        """Return a thread as one item.

        Args:
            channel: The id of its channel.
            ts: What the thread was asked for by.
            thread: Its messages.
        """
        messages = [ThreadMessage(each, self.names) for each in thread.messages]
        await self._learn(channel, *messages)
        place = self.names.place(channel)
        root = messages[0].ts or ts
        at = moment(root) or datetime.fromtimestamp(0, UTC)
        items: list[ContextItem] = []
        for message in messages:
            at = message.at or at
            item = self._item(message, place, at)
            ref = ItemRef(
                account=self.account,
                kind="message",
                id=f"{channel}/{message.ts or root}",
                url=address(self.host, channel, message.ts, root),
            )
            items.append(evolve(item, ref=ref))
        first, *answers = items
        incomplete = (thread.incomplete,) if thread.incomplete else ()
        facts = evolve(first.facts, incomplete=incomplete)
        return evolve(first, ref=self.ref(channel, root), facts=facts, thread=tuple(answers))

    def found(self, hit: MessageHit) -> ContextItem:
        """Return a message that a search found."""
        item = self._item(hit.message, hit.place, hit.at)
        ref = self.ref(hit.link.channel, hit.link.root)
        return evolve(item, ref=ref, title=hit.place.title)

    def ref(self, channel: str, root: str, host: str = "") -> ItemRef:
        """Return where a thread is."""
        link = address(host or self.host, channel, root)
        return ItemRef(account=self.account, kind="thread", id=f"{channel}/{root}", url=link)

    async def _learn(self, channel: str, *messages: ThreadMessage) -> None:
        await self.names.learn(
            *(text for each in messages for text in each.mentioning_parts),
            people=[each.user for each in messages],
            channels=[channel],
        )

    def _item(self, message: ThreadMessage, place: SlackPlace, at: datetime) -> ContextItem:
        return ContextItem(
            ref=ItemRef(account=self.account, kind="message", id=message.ts),
            source="slack",
            role="talk",
            title=_title(message.content) or place.title,
            content=message.content,
            timestamp=at,
            author=message.author,
            facts=message.facts(place),
            metadata=message.metadata,
        )


def _title(content: str) -> str:
    """Return the beginning of a message, cut where a sentence or a thought ends."""
    lines = (sub(r"\*\*|~~|^> ", "", line).strip() for line in content.split("\n"))
    line = next((line for line in lines if search(r"\w", line)), "")
    first = split(r"(?<=[.!?])\s", line, maxsplit=1)[0]
    if len(first) <= _LONGEST_TITLE:
        return first
    return f"{first[: _LONGEST_TITLE - 3].rsplit(' ', 1)[0]}..."
