"""A message of any kind."""

from datetime import datetime
from functools import cached_property
from re import findall
from typing import TYPE_CHECKING, Final

from attrs import define

from rove_core import Facts
from rove_core.json_reader import objects, string
from rove_slack.blocks import SlackBlocks
from rove_slack.markdown import within
from rove_slack.mrkdwn import markdown
from rove_slack.names import SlackNames, SlackPerson, SlackPlace
from rove_slack.references import moment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core import JSON

_SAID: Final = ("blocks", "text", "content", "attachments")


@define(slots=False)
class ThreadMessage:
    """A message of a thread, or one that a search found.

    Attributes:
        raw: What Slack sent.
        names: Who is known by then.
    """

    raw: "Mapping[str, JSON]"
    names: SlackNames

    @cached_property
    def ts(self) -> str:
        """Slack's name for it within its channel; empty when it has none."""
        return string(self.raw, "ts") or string(self.raw, "message_ts")

    @property
    def root(self) -> str:
        """The ``ts`` of the message its thread began with; its own when there is no thread."""
        return string(self.raw, "thread_ts") or self.ts

    @property
    def at(self) -> datetime | None:
        """Its time."""
        return moment(self.ts)

    @property
    def user(self) -> str:
        """The id of who wrote it; empty for most programs."""
        return string(self.raw, "user") or string(self.raw, "author_user_id")

    @property
    def is_bot(self) -> bool:
        """Whether it is from a bot."""
        fields = self.raw
        named = string(fields, "bot_id") or string(fields, "subtype") == "bot_message"
        return bool(named) or fields.get("is_author_bot") is True

    @property
    def mentioning_parts(self) -> "list[JSON]":
        """Whatever in it may mention people and channels."""
        return [self.raw.get(key) for key in _SAID]

    @property
    def author(self) -> str:
        """Display name of its author."""
        fields = self.raw
        names = (
            string(fields, "username") if string(fields, "subtype") == "bot_message" else "",
            person.name if (person := self._person) else "",
            string(fields, "author_name"),
            string(fields, "username"),
            string(fields, "bot_profile", "name"),
            string(fields, "user_profile", "real_name"),
            self.user or string(fields, "bot_id"),
        )
        return next(filter(None, (name.strip() for name in names)), "")

    @property
    def metadata(self) -> "dict[str, JSON]":
        """Metadata of a message: edit time, and whether its author has left."""
        edited = moment(string(self.raw, "edited", "ts"))
        person = self._person
        values: dict[str, JSON] = {
            "edited": f"{edited:%Y-%m-%dT%H:%M:%SZ}" if edited else None,
            "deactivated": person is not None and not person.active,
        }
        return {name: each for name, each in values.items() if each}

    def facts(self, place: SlackPlace) -> Facts:
        """Return the facts of a message.

        Args:
            place: Where it was said.
        """
        person = self._person
        return Facts(
            short_name="" if place.channel else place.title,
            channel=place.channel,
            attachments=tuple(self.files),
            robot=self.is_bot,
            guest=person is not None and person.guest,
        )

    @property
    def files(self) -> list[str]:
        """Return the names of the attached files, with their titles."""
        files = objects(self.raw.get("files"))
        return [name for file in files if (name := file_name(file))]

    @cached_property
    def content(self) -> str:
        """Its words as Markdown, with the names of its files."""
        blocks = SlackBlocks(self.names)
        texts = [
            self._words(blocks.markdown(self.raw.get("blocks"))),
            blocks.attachments(self.raw.get("attachments")),
            *(f"[file: {within(name)}]" for name in self.files),
        ]
        return "\n\n".join(each for each in texts if each.strip())

    def _words(self, text: str) -> str:
        """Return the words of the blocks, and those that only the plain text has.

        The plain text of a program is what its notification shows: not part of the message.
        """
        is_told = bool(text.strip())
        if is_told and self.is_bot:
            return text
        plain = markdown(string(self.raw, "text") or string(self.raw, "content"), self.names)
        if not is_told or plain == text:
            return plain
        ours, theirs = _tokens(text), _tokens(plain)
        if theirs <= ours:
            return text
        return plain if ours <= theirs else f"{text}\n\n{plain}"

    @property
    def _person(self) -> SlackPerson | None:
        person = self.names.person(self.user)
        return person if self.user and person.name != self.user else None


def _tokens(text: str) -> set[str]:
    return set(findall(r"[^\W_]+", text))


def file_name(file: "Mapping[str, JSON]") -> str:
    """Return the title of a file, and its name if that differs."""
    title, name = string(file, "title"), string(file, "name")
    return f"{title} ({name})" if title and name and title != name else title or name
