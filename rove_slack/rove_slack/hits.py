"""Search hits: messages and their positions."""

from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core.json_reader import leaves, mapping, string
from rove_slack.messages import ThreadMessage
from rove_slack.names import SlackNames, SlackPlace
from rove_slack.references import Permalink, moment, permalinks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rove_core import JSON
    from rove_slack.search_terms import SearchTerms


@frozen(kw_only=True)
class MessageHit:
    """A message that was found.

    Attributes:
        link: Where it is.
        place: The channel it stands in.
        at: When it was written.
        message: The message itself.
    """

    link: Permalink
    place: SlackPlace
    at: datetime
    message: ThreadMessage


async def hits_of(
    found: "Iterable[Mapping[str, JSON]]", names: SlackNames, terms: "SearchTerms | None" = None
) -> list[MessageHit]:
    """Return the messages that can be cited, with their names learnt.

    Args:
        found: The messages, as any of Slack's searches tells them.
        names: Who and where; it learns.
        terms: All ids of this stand in each of them.
    """
    messages = [ThreadMessage(each, names) for each in found]
    if terms:
        messages = [each for each in messages if terms.ids_in(words_of(each))]
    for each in messages:
        names.hear(string(each.raw, "author_user_id"), string(each.raw, "author_name"))
    await names.learn(
        *(text for each in messages for text in each.mentioning_parts),
        people=[who for each in messages for who in (each.user, _other_person(each)) if who],
    )
    return [hit for each in messages if (hit := _hit(each, names))]


def _hit(message: ThreadMessage, names: SlackNames) -> MessageHit | None:
    fields = message.raw
    link = next(permalinks(string(fields, "permalink")), None)
    channel = _channel(fields) or (link.channel if link else "")
    ts = message.ts or (link.ts if link else "")
    root = message.root if message.root != message.ts else (link.root if link else ts)
    at = moment(ts)
    if not channel or at is None:
        return None
    channel_info = mapping(fields.get("channel")) or {"name": string(fields, "channel_name")}
    return MessageHit(
        link=Permalink(link.host if link else "", channel, ts, root or ts),
        place=names.see(channel, channel_info),
        at=at,
        message=message,
    )


def _channel(fields: "Mapping[str, JSON]") -> str:
    return (
        string(fields, "channel", "id") or string(fields, "channel_id") or string(fields, "channel")
    )


def words_of(message: ThreadMessage) -> "Iterator[str]":
    """Yield whatever of a message may have words."""
    for each in (*message.mentioning_parts, message.raw.get("files")):
        yield from (leaf for _, leaf in leaves(each))


def _other_person(message: ThreadMessage) -> str:
    """Return with whom a direct message is, where the channel is called by that person's id."""
    fields = message.raw
    name = string(fields, "channel", "name") or string(fields, "channel_name")
    return name if _channel(fields).startswith("D") and name.isupper() else ""
