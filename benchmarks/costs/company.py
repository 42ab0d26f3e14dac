"""A company in which all there is has to do with one ticket."""

from datetime import UTC, datetime, timedelta
from typing import Final

from rove_sim.company import Company
from rove_sim.company_github import RepositoryIssue
from rove_sim.company_jira import Ticket
from rove_sim.company_linear import LinearIssue
from rove_sim.company_people import Person
from rove_sim.company_slack import SlackMessage

#: How many things each of the four vendors has, and how long the text of each is.
EACH: Final = 125
LENGTH: Final = 1_500
PROJECT: Final = "BM"
TICKET: Final = f"{PROJECT}-1"
REPOSITORY: Final = "northwind/backend"
WORDS: Final = ("orchard", "lantern", "harbour", "thimble", "glacier", "quarry")
START: Final = datetime(2024, 1, 1, tzinfo=UTC)


def company(each: int = EACH, project: str = PROJECT) -> Company:
    """Return it, with so many things at each vendor, and its Jira project."""
    jira, slack, github, linear = (range(start, start + each) for start in (1, 1001, 2001, 3001))
    person = Person(key="robin", name="Robin Doe", email="robin@northwind.example")
    return Company(
        name="Northwind",
        token="token",  # noqa: S106  # the simulator's
        people=(person,),
        tickets=tuple(
            Ticket(
                key=f"{project}-{n}",
                title=title(n),
                description=text(n),
                author="Ann",
                created=moment(n),
            )
            for n in jira
        ),
        messages=tuple(
            SlackMessage(channel="bench", author="Ann", at=moment(n), text=f"{title(n)}: {text(n)}")
            for n in slack
        ),
        repository_issues=tuple(
            RepositoryIssue(
                repository=REPOSITORY,
                number=n,
                title=title(n),
                body=text(n),
                author="Ann",
                created=moment(n),
            )
            for n in github
        ),
        issues=tuple(
            LinearIssue(
                identifier=f"LB-{n}",
                title=title(n),
                description=text(n),
                author="Ann",
                created=moment(n),
            )
            for n in linear
        ),
    )


def title(number: int) -> str:
    """Return a title; that of the ticket has all the words."""
    return " ".join(WORDS) if number == 1 else f"Part {number} of the {WORDS[number % len(WORDS)]}"


def text(number: int) -> str:
    """Return Markdown that has a word of the ticket's; every third text also names it."""
    named = f" As in {TICKET}." if number % 3 == 0 else ""
    first = f"Keep the **{WORDS[number % len(WORDS)]}** number {number} as it is.{named}"
    prose = f"Whoever opens gate {number} is told so on page {number * 7}, until the pilot ends. "
    half = f"{prose * 7}It is *not* urgent.\n\n"
    return f"{first}\n\n- now\n- in June\n\n{half}{half}{prose * 2}".ljust(LENGTH, ".")[:LENGTH]


def moment(number: int) -> datetime:
    """Return when it was written."""
    return START + timedelta(hours=number)
