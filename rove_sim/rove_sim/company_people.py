"""The people of a company, and its notes."""

import re

from attrs import field, frozen

from rove_sim import ids


@frozen(kw_only=True)
class Person:
    """An employee or a bot.

    Attributes:
        key: What the other parts of the file call this person, like ``sarah``.
        name: Like ``Sarah Chen``.
        bot: Whether it is a program.
        time_zone: An IANA name, like ``America/New_York``.
        jira: The id of the Atlassian account; derived from the key when not given, as are the
            other ids.
        slack: The id of the member in Slack, like ``U0SARAH``.
        github: The login on GitHub; the key when not given.
        linear: The id of the user in Linear, a UUID.
        azure: The id of the user in Azure DevOps, a UUID.
        active: Whether the accounts still work.
        guest: Whether they are of another company, and guests in Slack.
    """

    key: str
    name: str
    bot: bool = False
    email: str = field()
    time_zone: str = "UTC"
    jira: str = field()
    slack: str = field()
    github: str = field()
    linear: str = field()
    azure: str = field()
    active: bool = True
    guest: bool = False

    @email.default
    def _email(self) -> str:
        return f"{self.key}@northwind.example"

    @jira.default
    def _jira(self) -> str:
        return ids.account_id(self.key)

    @slack.default
    def _slack(self) -> str:
        return ids.slack_id("B" if self.bot else "U", self.key)

    @github.default
    def _github(self) -> str:
        return self.key

    @linear.default
    def _linear(self) -> str:
        return ids.uuid(f"linear/user/{self.key}")

    @azure.default
    def _azure(self) -> str:
        return ids.uuid(f"azure/user/{self.key}")


def stranger(name: str) -> Person:
    """Return a person with a name only; a bot's ends in ``[bot]``."""
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return Person(key=key or "nobody", name=name, bot=name.endswith("[bot]"))


@frozen(kw_only=True)
class CompanyNote:
    """A file of notes.

    Attributes:
        path: Where it lies below the folder of notes, like ``2024/12-15 weekly.md``.
    """

    path: str
    text: str
