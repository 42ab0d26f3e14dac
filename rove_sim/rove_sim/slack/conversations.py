"""Channels, their messages and members."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rove_sim import ids
from rove_sim.company_slack import Channel
from rove_sim.parameters import Parameters, Reader, flag, integer, some_of, taking, text
from rove_sim.routes import RoutedRequest
from rove_sim.server import Response
from rove_sim.slack.arguments import stamp
from rove_sim.slack.cursors import cursor, page, place
from rove_sim.slack.errors import refuse
from rove_sim.slack.methods import MethodDescription
from rove_sim.slack.scopes import PREFIXES, RESTRICTED_PAGE, TYPES
from rove_sim.slack.shapes import Shapes
from rove_sim.slack.store import Conversations, PostedMessage

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.slack.workspace import Slack

_MOST = 1000
_MOST_HISTORY = 999
_DEFAULT = 100


@frozen
class ConversationMethods:
    """Answers requests about channels and people."""

    slack: "Slack"
    shapes: Shapes

    def methods(self) -> Sequence[MethodDescription]:
        """Return what can be called."""
        window: dict[str, Reader] = {"oldest": stamp, "latest": stamp, "inclusive": flag}
        paged: dict[str, Reader] = {"cursor": text, "limit": integer}
        history = taking("channel", channel=text, **window, **paged)
        replies = taking("channel", "ts", channel=text, ts=text, **window, **paged)
        listed = taking(types=some_of(*TYPES), exclude_archived=flag, team_id=text, **paged)
        joined = taking(
            types=some_of(*TYPES), exclude_archived=flag, team_id=text, user=text, **paged
        )
        info = taking("channel", channel=text, include_num_members=flag, include_locale=flag)
        link = taking("channel", "message_ts", channel=text, message_ts=text)
        user = taking("user", user=text, include_locale=flag)
        users = taking(team_id=text, include_locale=flag, **paged)
        return [
            MethodDescription("auth.test", self.who, Parameters({}), json=True),
            MethodDescription("conversations.history", self.history, history, json=True),
            MethodDescription("conversations.replies", self.replies, replies),
            MethodDescription("conversations.list", self.channels, listed),
            MethodDescription("conversations.info", self.channel, info),
            MethodDescription("chat.getPermalink", self.permalink, link),
            MethodDescription("users.conversations", self.memberships, joined),
            MethodDescription("users.info", self.user, user, needs="users:read"),
            MethodDescription("users.list", self.users, users, needs="users:read"),
        ]

    def who(self, call: RoutedRequest) -> Response:
        """Return the token's owner."""
        me = self.slack.company.owner
        name, user, bot = me.email.partition("@")[0], me.slack, {}
        if self.slack.is_bot(call.request):
            slug = self.slack.company.slug
            name, user = "rove", ids.slack_id("U", f"{slug} bot")
            bot = {"bot_id": ids.slack_id("B", slug)}
        return Response(
            {
                "ok": True,
                "url": f"{self.slack.address}/",
                "team": self.slack.company.name,
                "user": name,
                "team_id": self.slack.team,
                "user_id": user,
                **bot,
                "is_enterprise_install": False,
            }
        )

    def history(self, call: RoutedRequest) -> Response:
        """Give a page of a channel, the newest message first."""
        channel = self._channel(call, "history")
        found = _within(self._conversations.history(channel), call)
        before = place("next_ts", call.text("cursor"))
        left = [posted for posted in found if not before or posted.ts < before]
        most = self._most(call, _DEFAULT, _MOST_HISTORY)
        more = len(left) > most
        next_cursor = cursor("next_ts", left[most - 1].ts) if more else ""
        return Response(
            {
                "ok": True,
                "messages": [self.shapes.message(posted) for posted in left[:most]],
                "has_more": more,
                "pin_count": 0,
                "channel_actions_ts": None,
                "channel_actions_count": 0,
                "response_metadata": {"next_cursor": next_cursor},
            }
        )

    def replies(self, call: RoutedRequest) -> Response:
        """Give a page of a thread: its root, on every page, then answers, the oldest first."""
        channel = self._channel(call, "history")
        root = self._conversations.message(channel, call.text("ts")) or refuse("thread_not_found")
        if root.is_reply:
            return Response(
                {"ok": True, "messages": [self.shapes.message(root)], "has_more": False}
            )
        found = _within(self._conversations.replies(channel, root.ts), call)
        after = place("next_ts", call.text("cursor"))
        left = [posted for posted in found if posted.ts > after]
        most = max(1, self._most(call, _MOST, _MOST) - 1)
        reply: dict[str, JSON] = {
            "ok": True,
            "messages": [self.shapes.message(posted) for posted in (root, *left[:most])],
            "has_more": len(left) > most,
        }
        if reply["has_more"]:
            next_cursor = cursor("next_ts", left[most - 1].ts)
            reply["response_metadata"] = {"next_cursor": next_cursor}
        return Response(reply)

    def channels(self, call: RoutedRequest) -> Response:
        """Give a page of the channels of some types: the public ones, when none are named."""
        return self._listed(call, joined=False)

    def memberships(self, call: RoutedRequest) -> Response:
        """Return a page of the user's channels of some types."""
        return self._listed(call, joined=True)

    def _listed(self, call: RoutedRequest, *, joined: bool) -> Response:
        kinds = [TYPES[each] for each in call.words("types", ("public_channel",))]
        for kind in kinds:
            self.slack.need(call, f"{PREFIXES[kind]}:read")
        archived = not call.flag("exclude_archived")
        found = [
            channel
            for channel in self._conversations.channels()
            if channel.kind in kinds
            and (archived or not channel.archived)
            and (self._is_in(call, channel) or not (joined or channel.kind != "public"))
        ]
        most = self._most(call, _DEFAULT, _MOST_HISTORY)
        shown, next_cursor = page("team", found, call.text("cursor"), most)
        pairs = [(channel, self.shapes.channel(channel, counted=not joined)) for channel in shown]
        channels = [
            {**each, "is_member": self._is_in(call, channel)} if "is_member" in each else each
            for channel, each in pairs
        ]
        metadata: JSON = {"next_cursor": next_cursor}
        return Response({"ok": True, "channels": channels, "response_metadata": metadata})

    def channel(self, call: RoutedRequest) -> Response:
        """Give one channel."""
        channel = self._channel(call, "read")
        shown = self.shapes.channel(channel, counted=call.flag("include_num_members"))
        return Response({"ok": True, "channel": shown})

    def permalink(self, call: RoutedRequest) -> Response:
        """Give the address of a message."""
        channel = self._conversations.channel(call.text("channel")) or refuse("channel_not_found")
        posted = self._conversations.message(channel, call.text("message_ts"))
        link = self.shapes.permalink(posted or refuse("message_not_found"), cid=True)
        return Response({"ok": True, "channel": channel.id, "permalink": link})

    def user(self, call: RoutedRequest) -> Response:
        """Give one member."""
        matches = (each for each in self.slack.company.people if each.slack == call.text("user"))
        person = next(matches, None) or refuse("user_not_found")
        return Response({"ok": True, "user": self.shapes.user(person)})

    def users(self, call: RoutedRequest) -> Response:
        """Give a page of the members; all of them when no limit is given."""
        people = [person for person in self.slack.company.people if not person.bot]
        most = self._most(call, _MOST, _MOST)
        shown, next_cursor = page("user", people, call.text("cursor"), most)
        return Response(
            {
                "ok": True,
                "members": [self.shapes.user(person) for person in shown],
                "cache_ts": int(self.slack.clock.now().timestamp()),
                "response_metadata": {"next_cursor": next_cursor},
            }
        )

    @property
    def _conversations(self) -> Conversations:
        return self.slack.conversations

    def _channel(self, call: RoutedRequest, right: str) -> Channel:
        channel = self._conversations.channel(call.text("channel"))
        if channel is None or channel.name == call.text("channel") != channel.id:
            refuse("channel_not_found")
        is_in = not self.slack.is_bot(call.request) or self._is_in(call, channel)
        if not is_in and channel.kind != "public":
            refuse("channel_not_found")
        self.slack.need(call, f"{PREFIXES[channel.kind]}:{right}")
        if not is_in and right == "history":
            refuse("not_in_channel")
        return channel

    def _is_in(self, call: RoutedRequest, channel: Channel) -> bool:
        """Return whether the caller is in a channel."""
        if self.slack.is_bot(call.request):
            return channel.id in self.slack.bot_channels
        return self.slack.company.owner in self._conversations.members(channel)

    def _most(self, call: RoutedRequest, default: int, most: int) -> int:
        limit = call.number("limit") or default
        if limit < 0:
            refuse("invalid_limit")
        if self.slack.restricted:
            most = RESTRICTED_PAGE
        return self.slack.conduct.page(limit, most)


def _within(found: Sequence[PostedMessage], call: RoutedRequest) -> list[PostedMessage]:
    """Return the messages of a time window; its ends count on request only."""
    oldest, latest = call.text("oldest"), call.text("latest")
    ends = (oldest, latest) if call.flag("inclusive") else ()
    return [
        posted
        for posted in found
        if posted.ts in ends or (posted.ts > oldest and (not latest or posted.ts < latest))
    ]
