"""Results of both searches as JSON."""

from attrs import frozen

from rove_core import JSON
from rove_sim import ids
from rove_sim.company_people import Person
from rove_sim.company_slack import Channel, SharedFile, time_of
from rove_sim.slack.shapes import FOUNDED, Shapes, login
from rove_sim.slack.store import PostedMessage


@frozen
class Findings:
    """Formats search results."""

    shapes: Shapes

    def message(self, posted: PostedMessage) -> dict[str, JSON]:
        """Return a message as the new search gives it."""
        author = posted.author
        hit: dict[str, JSON] = {
            "author_name": author.name,
            "author_user_id": author.slack,
            "team_id": self.shapes.team,
            "channel_id": posted.channel.id,
            "channel_name": posted.channel.name,
            "message_ts": posted.ts,
            "content": posted.text or posted.words,
            "is_author_bot": author.bot,
            "permalink": self.shapes.permalink(posted),
        }
        if not posted.is_reply:
            replies = self.shapes.conversations.replies(posted.channel, posted.ts)
            hit["reply_count"] = len(replies)
        return hit

    def around(self, posted: PostedMessage) -> dict[str, JSON]:
        """Return the messages before and after a result."""
        before, after = self.shapes.conversations.around(posted)
        return {
            "before": [self.beside(each) for each in before],
            "after": [self.beside(each) for each in after],
        }

    def file(self, posted: PostedMessage, file: SharedFile) -> dict[str, JSON]:
        """Return a file as the new search gives it."""
        own = self.shapes.file(posted, file)
        micros = int(time_of(posted.ts).timestamp()) * 1_000_000
        return {
            "author_name": posted.author.name,
            "author_user_id": posted.author.slack,
            "uploader_user_id": posted.author.slack,
            "team_id": self.shapes.team,
            "file_id": own["id"],
            "date_created": micros,
            "date_updated": micros,
            "title": own["title"],
            "file_type": own["filetype"],
            "permalink": own["permalink"],
            "content": "",
            "size": file.size,
        }

    def channel(self, channel: Channel) -> dict[str, JSON]:
        """Return a channel as the new search gives it."""
        members = self.shapes.conversations.members(channel)
        return {
            "team_id": self.shapes.team,
            "creator_user_id": members[0].slack if members else "",
            "creator_name": members[0].name if members else "",
            "date_created": FOUNDED * 1_000_000,
            "date_updated": FOUNDED * 1_000_000,
            "name": channel.name,
            "topic": channel.topic,
            "purpose": channel.purpose,
            "permalink": f"{self.shapes.site}/archives/{channel.id}",
            "is_archived": channel.archived,
        }

    def user(self, person: Person) -> dict[str, JSON]:
        """Return a member as the new search gives them."""
        return {
            "user_id": person.slack,
            "permalink": f"{self.shapes.site}/team/{person.slack}",
            "full_name": person.name,
            "title": "",
            "timezone": person.time_zone,
            "email": person.email,
        }

    def match(self, posted: PostedMessage) -> dict[str, JSON]:
        """Return a message as ``search.messages`` gives it."""
        bot = posted.author.bot
        return {
            "iid": ids.uuid(f"{posted.channel.id}/{posted.ts}"),
            "team": self.shapes.team,
            "score": 0,
            "channel": self._place(posted.channel),
            "type": "message",
            "user": None if bot else posted.author.slack,
            "username": posted.author.name if bot else login(posted.author),
            "ts": posted.ts,
            "text": posted.text,
            "blocks": list(posted.blocks),
            "permalink": self.shapes.permalink(posted),
            "no_reactions": not posted.message.reactions,
        }

    def beside(self, posted: PostedMessage) -> dict[str, JSON]:
        """Return a message as context of a search result."""
        return {"text": posted.text, "user_id": posted.author.slack, "ts": posted.ts}

    def _place(self, channel: Channel) -> JSON:
        members = self.shapes.conversations.members(channel)
        others = [each for each in members if each.key != self.shapes.company.owner.key]
        direct = channel.kind == "im" and others
        return {
            "id": channel.id,
            "name": others[0].slack if direct else channel.name,
            "is_private": channel.kind != "public",
            "is_im": channel.kind == "im",
            "is_mpim": channel.kind == "mpim",
            "is_shared": False,
            "is_org_shared": False,
            "is_ext_shared": False,
            "is_pending_ext_shared": False,
            "pending_shared": [],
        }
