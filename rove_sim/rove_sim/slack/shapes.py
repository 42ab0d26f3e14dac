"""Messages, channels and people as Slack's JSON."""

from collections.abc import Mapping
from mimetypes import guess_type
from zoneinfo import ZoneInfo

from attrs import frozen

from rove_core import JSON
from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_people import Person
from rove_sim.company_slack import Channel, SharedFile, time_of, timestamp
from rove_sim.slack.store import Conversations, PostedMessage

#: When the workspace and all its channels were made.
FOUNDED = 1_577_836_800


@frozen
class Shapes:
    """Formats data as one workspace does.

    Attributes:
        site: The address of the workspace.
        team: Its id.
    """

    company: Company
    conversations: Conversations
    site: str
    team: str

    def message(self, posted: PostedMessage) -> dict[str, JSON]:
        """Return a message as the history and threads give it."""
        message = posted.message
        payload: dict[str, JSON] = {
            "type": "message",
            "ts": posted.ts,
            "text": posted.text,
            "team": self.team,
            **self._writer(posted.author),
        }
        if posted.blocks:
            payload["blocks"] = list(posted.blocks)
        if message.edited:
            payload["edited"] = {"user": posted.author.slack, "ts": timestamp(message.edited)}
        if message.files:
            payload["files"] = [self.file(posted, file) for file in message.files]
            payload["upload"] = False
        if message.reactions:
            payload["reactions"] = self._reactions(posted)
        return {**payload, **self._thread(posted)}

    def permalink(self, posted: PostedMessage, *, cid: bool = False) -> str:
        """Return the address of a message."""
        link = f"{self.site}/archives/{posted.channel.id}/p{posted.ts.replace('.', '')}"
        if not posted.is_reply:
            return link
        thread = f"{link}?thread_ts={posted.root}"
        return f"{thread}&cid={posted.channel.id}" if cid else thread

    def channel(self, channel: Channel, *, counted: bool = False) -> dict[str, JSON]:
        """Return a channel."""
        members = self.conversations.members(channel)
        if channel.kind == "im":
            return self._direct(channel)
        creator = members[0].slack if members else ""
        payload: dict[str, JSON] = {
            "id": channel.id,
            "name": channel.name,
            "name_normalized": channel.name,
            "is_channel": channel.kind == "public",
            "is_group": channel.kind == "private",
            "is_im": False,
            "is_mpim": channel.kind == "mpim",
            "is_private": channel.kind != "public",
            "is_archived": channel.archived,
            "is_general": channel.name == "general",
            "is_shared": False,
            "is_ext_shared": False,
            "is_org_shared": False,
            "is_pending_ext_shared": False,
            "is_member": self.company.owner in members,
            "pending_shared": [],
            "previous_names": [],
            "unlinked": 0,
            "context_team_id": self.team,
            "creator": creator,
            "created": FOUNDED,
            "updated": FOUNDED * 1000,
            "topic": {"value": channel.topic, "creator": "", "last_set": 0},
            "purpose": {"value": channel.purpose, "creator": "", "last_set": 0},
        }
        return {**payload, "num_members": len(members)} if counted else payload

    def user(self, person: Person) -> dict[str, JSON]:
        """Return a member."""
        offset = ZoneInfo(person.time_zone).utcoffset(time_of(f"{FOUNDED}.0"))
        return {
            "id": person.slack,
            "team_id": self.team,
            "name": login(person),
            "deleted": not person.active,
            "real_name": person.name,
            "tz": person.time_zone,
            "tz_label": person.time_zone,
            "tz_offset": int(offset.total_seconds()) if offset else 0,
            "profile": {
                "real_name": person.name,
                "real_name_normalized": person.name,
                "display_name": "",
                "display_name_normalized": "",
                "email": person.email,
                "team": self.team,
            },
            "is_bot": person.bot,
            "is_restricted": person.guest,
            "is_ultra_restricted": False,
            "is_app_user": False,
            "updated": FOUNDED,
        }

    def _writer(self, person: Person) -> Mapping[str, JSON]:
        if not person.bot:
            return {"user": person.slack}
        return {
            "subtype": "bot_message",
            "bot_id": person.slack,
            "app_id": ids.slack_id("A", person.key),
            "username": person.name,
        }

    def _thread(self, posted: PostedMessage) -> Mapping[str, JSON]:
        if posted.is_reply:
            root = self.conversations.message(posted.channel, posted.root)
            parent: dict[str, JSON] = {"parent_user_id": root.author.slack} if root else {}
            return {"thread_ts": posted.root, **parent}
        replies = self.conversations.replies(posted.channel, posted.ts)
        if not replies:
            return {}
        writers = list(dict.fromkeys(reply.author.slack for reply in replies))
        return {
            "thread_ts": posted.ts,
            "reply_count": len(replies),
            "reply_users_count": len(writers),
            "reply_users": writers[:5],
            "latest_reply": replies[-1].ts,
            "is_locked": False,
            "subscribed": False,
        }

    def _reactions(self, posted: PostedMessage) -> list[JSON]:
        return [
            {
                "name": reaction.name,
                "users": [self.company.person(who).slack for who in reaction.by],
                "count": len(reaction.by),
            }
            for reaction in posted.message.reactions
        ]

    def file(self, posted: PostedMessage, file: SharedFile) -> dict[str, JSON]:
        """Return a file attached to a message."""
        own = file.id or ids.slack_id("F", f"{posted.channel.id}/{posted.ts}/{file.name}")
        place = f"{self.site}/files/{posted.author.slack}/{own}/{file.name.lower()}"
        suffix = file.name.rpartition(".")[2].lower()
        return {
            "id": own,
            "name": file.name,
            "title": file.title or file.name,
            "filetype": "quip" if file.canvas else suffix,
            "mimetype": "application/vnd.slack-docs" if file.canvas else _media_type(file.name),
            "pretty_type": suffix.upper(),
            "size": file.size or len(file.text.encode()),
            "user": posted.author.slack,
            "created": int(posted.ts.partition(".")[0]),
            "timestamp": int(posted.ts.partition(".")[0]),
            "mode": "quip" if file.canvas else "hosted",
            "permalink": f"{self.site}/docs/{self.team}/{own}" if file.canvas else place,
        }

    def _direct(self, channel: Channel) -> dict[str, JSON]:
        members = self.conversations.members(channel)
        other = next((each for each in members if each.key != self.company.owner.key), None)
        return {
            "id": channel.id,
            "created": FOUNDED,
            "is_archived": channel.archived,
            "is_im": True,
            "is_org_shared": False,
            "context_team_id": self.team,
            "user": other.slack if other else self.company.owner.slack,
            "is_user_deleted": False,
        }


def _media_type(name: str) -> str:
    return guess_type(name)[0] or "application/octet-stream"


def login(person: Person) -> str:
    """Return the short name that people had in Slack before display names."""
    return person.email.partition("@")[0]
