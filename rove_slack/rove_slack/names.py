"""Names of Slack's users and channels, each fetched once."""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import frozen

from rove_core import ItemNotFound, RoveError, ScopeMissing
from rove_core.json_reader import leaves, mapping, objects, string
from rove_slack.api import CHANNEL, USER, USERS, SlackMethod, ask

if TYPE_CHECKING:
    from rove_core import JSON, Http

_Value = TypeVar("_Value")

#: Seconds that names are worth waiting for; Slack lets only so many be asked for a minute.
_PATIENCE: Final = 10.0
#: From so many unknown people on, the list of them is asked for once: most teams fit into a page.
_MANY: Final = 4
_PAGE_OF_PEOPLE: Final = 1000
#: More people or channels than these are asked for again.
_MOST_KNOWN: Final = 5_000
_MENTION: Final = re.compile(r"<(@|#|!subteam\^)([A-Z0-9]+)(?:\|([^<>|\n]*))?>")
#: What Slack says of who is not of the company.
_GUEST: Final = ("is_restricted", "is_ultra_restricted", "is_stranger")
#: What ids of bots begin with: they are no users, and are named where they write.
_BOT: Final = "B"
#: Keys of blocks under which an id stands that has a name.
_ID_KEYS: Final = {"user_id": "@", "user": "@", "channel_id": "#"}
_ID: Final = re.compile(r"[A-Z][A-Z0-9]{2,}")


@frozen
class SlackPerson:
    """An author of messages.

    Attributes:
        name: The full name if there is one, as other sources call people.
        active: Whether the account still works.
        guest: Whether they are from elsewhere.
    """

    name: str
    active: bool = True
    guest: bool = False


@frozen
class SlackPlace:
    """A place in Slack.

    Attributes:
        title: How a heading calls it.
        channel: The channel's name; empty for a direct message, which has none.
        partner: The id of the other person in a direct message; empty for other places.
    """

    title: str
    channel: str = ""
    partner: str = ""


class SlackNames:
    """Names of people and channels loaded so far.

    Args:
        http: The account's requests.
    """

    def __init__(self, http: "Http") -> None:
        self._http = http
        self._people: dict[str, SlackPerson] = {}
        self._places: dict[str, SlackPlace] = {}
        self._labels: dict[str, str] = {}
        self._mentioned: set[str] = set()
        self._listing: asyncio.Future[None] | None = None

    def person(self, user: str) -> SlackPerson:
        """Return the person with an id; an unknown one is named by the id."""
        return self._people.get(user) or SlackPerson(self._labels.get(user, user))

    def is_known(self, user: str) -> bool:
        """Return whether a person's name is known."""
        return user in self._people

    def place(self, channel: str) -> SlackPlace:
        """Return the channel with an id; an unknown one is named by the id."""
        name = self._labels.get(channel, channel)
        place = self._places.get(channel) or SlackPlace(f"#{name}", name)
        return self._direct(place.partner) if place.partner else place

    def group(self, group: str) -> str:
        """Return the name of a user group."""
        return self._labels.get(group, group).lstrip("@")

    def hear(self, user: str, name: str) -> None:
        """Record a person's full name from a search result."""
        if user and name.strip() and user not in self._people:
            _keep(self._people, user, SlackPerson(name.strip()))
            self._mentioned.add(user)

    def see(self, channel: str, person: "Mapping[str, JSON]") -> SlackPlace:
        """Return a channel's place, and record its name if given."""
        place = self.named(channel, person)
        if place.channel and string(person, "name") and channel not in self._places:
            _keep(self._places, channel, place)
        return place

    def rename(self, channel: str, event: "Mapping[str, JSON]") -> SlackPlace:
        """Return the place that a channel is now, and note it."""
        place = self.named(channel, event)
        _keep(self._places, channel, place)
        return place

    async def learn(
        self, *value: "JSON", people: Iterable[str] = (), channels: Iterable[str] = ()
    ) -> None:
        """Ask for all names behind some ids, and behind the ids that texts and blocks mention.

        A name that cannot be had now is no reason to lose what was said: its id stands for it.
        """
        mentions = [mention for each in value for mention in _mentions(each)]
        for _, who, label in mentions:
            if label:
                _keep(self._labels, who, label)
        users = [*people, *(who for sign, who, _ in mentions if sign == "@")]
        named = (who for sign, who, _ in mentions if sign == "#" and who not in self._labels)
        wanted = [*channels, *named]
        places = _unknown_ids(wanted, self._places)
        users += [self._places[each].partner for each in wanted if each in self._places]
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await asyncio.gather(
                    self._meet_all(users),
                    *(self._ask(CHANNEL, channel, self._visit) for channel in places),
                )

    async def _meet_all(self, users: Iterable[str]) -> None:
        """Look up some users; for many, read the first page of all users.

        A search tells a name, but not whether it is a guest's: that page does.
        """
        users = tuple(each for each in users if not each.startswith(_BOT))
        new = _unknown_ids(users, self._people)
        if len(new) >= _MANY or self._mentioned.intersection(users):
            if self._listing is None:
                self._listing = asyncio.ensure_future(self._list())
            await asyncio.shield(self._listing)
        heard = list(self._mentioned.intersection(users))
        unknown = [*_unknown_ids(new, self._people), *(heard if len(heard) < _MANY else ())]
        await asyncio.gather(*(self._ask(USER, user, self._meet) for user in unknown))

    async def _list(self) -> None:
        with suppress(RoveError):
            reply = await ask(self._http, USERS, {"limit": _PAGE_OF_PEOPLE})
            for member in objects(mapping(reply.json()).get("members")):
                self._meet(string(member, "id"), member)

    async def _ask(
        self,
        method: SlackMethod,
        identifier: str,
        keep: "Callable[[str, Mapping[str, JSON]], None]",
    ) -> None:
        key = "user" if method is USER else "channel"
        try:
            reply = await ask(self._http, method, {key: identifier})
        except (ItemNotFound, ScopeMissing):
            keep(identifier, {})  # What is not to be had does not come by asking again.
        except RoveError:
            return
        else:
            details = mapping(mapping(reply.json()).get(key))
            for other in _unknown_ids([string(details, "user")], self._people):
                await self._ask(USER, other, self._meet)
            keep(identifier, details)

    def _meet(self, user: str, details: "Mapping[str, JSON]") -> None:
        names = (
            string(details, "profile", "real_name"),
            string(details, "real_name"),
            string(details, "profile", "display_name"),
            string(details, "name"),
            self._labels.get(user, user),
        )
        name = next(filter(None, (name.strip() for name in names)), user)
        guest = any(details.get(key) is True for key in _GUEST)
        _keep(self._people, user, SlackPerson(name, details.get("deleted") is not True, guest))
        self._mentioned.discard(user)

    def _visit(self, channel: str, details: "Mapping[str, JSON]") -> None:
        _keep(self._places, channel, self.named(channel, details))

    def named(self, channel: str, block: "Mapping[str, JSON]") -> SlackPlace:
        """Return a channel's place from Slack's data."""
        name = string(block, "name") or self._labels.get(channel, channel)
        other = string(block, "user") or name
        if block.get("is_im") is True or channel.startswith("D"):
            return self._direct(other)
        if block.get("is_mpim") is True or name.startswith("mpdm-"):
            return SlackPlace(f"Group message of {_members(name)}")
        return SlackPlace(f"#{name}", name)

    def _direct(self, partner: str) -> SlackPlace:
        return SlackPlace(f"Direct message with {self.person(partner).name}", partner=partner)


def _mentions(content: "JSON") -> Iterator[tuple[str, str, str]]:
    """Yield the sign, the id and the label of each mention."""
    for key, leaf in leaves(content):
        if key in _ID_KEYS and _ID.fullmatch(leaf):
            yield _ID_KEYS[key], leaf, ""
        else:
            yield from _MENTION.findall(leaf)


def _unknown_ids(ids: Iterable[str], cache: "Mapping[str, object]") -> list[str]:
    return [each for each in dict.fromkeys(ids) if each and each not in cache]


def _keep(cache: dict[str, _Value], key: str, value: _Value) -> None:
    """Keep a name, and forget the oldest where there are too many."""
    if len(cache) >= _MOST_KNOWN:
        del cache[next(iter(cache))]
    cache[key] = value


def _members(name: str) -> str:
    return re.sub(r"-\d+$", "", name.removeprefix("mpdm-")).replace("--", ", ")
