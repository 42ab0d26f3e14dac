"""Validate a company: no dangling references, no duplicate ids."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

if TYPE_CHECKING:
    from rove_sim.company import Company
    from rove_sim.company_jira import Ticket
    from rove_sim.company_slack import SlackMessage


def problems(company: "Company") -> list[str]:
    """Return a line for everything that is wrong with a company."""
    checks = (_people, _tickets, _messages, _twice)
    return [problem for check in checks for problem in check(company)]


def _people(company: "Company") -> Iterator[str]:
    keys = {person.key for person in company.people}
    for where, who in _named(company):
        if who and who not in keys:
            yield f"{where}: nobody has the key {who!r}"
    zones = available_timezones()
    for person in company.people:
        if person.time_zone not in zones:
            yield f"people {person.key}: {person.time_zone!r} is not a valid time zone"


def _named(company: "Company") -> Iterator[tuple[str, str]]:
    yield "me", company.me
    yield from ((f"projects {each.key}", each.lead) for each in company.projects)
    for ticket in company.tickets:
        yield from ((f"tickets {ticket.key}", who) for who in _of_ticket(ticket))
    yield from ((f"wiki_pages {page.id}", page.author) for page in company.wiki_pages)
    for channel in company.channels:
        yield from ((f"channels {channel.name}", who) for who in channel.members)
    for message in company.messages:
        yield from _of_message(message)


def _of_ticket(ticket: "Ticket") -> Iterator[str]:
    yield from (ticket.author, ticket.assignee)
    for part in (ticket.comments, ticket.changelog, ticket.attachments):
        yield from (each.author for each in part)


def _of_message(message: "SlackMessage") -> Iterator[tuple[str, str]]:
    where = f"messages {message.ts or message.text[:30]!r}"
    yield where, message.author
    yield from ((where, who) for reaction in message.reactions for who in reaction.by)
    for reply in message.replies:
        yield from _of_message(reply)


def _tickets(company: "Company") -> Iterator[str]:
    keys = {ticket.key for ticket in company.tickets}
    for ticket in company.tickets:
        project, dash, number = ticket.key.rpartition("-")
        if not (project and dash and number.isdigit()):
            yield f"tickets {ticket.key}: a key is like TB-123"
        for other in [ticket.parent, *(link.to for link in ticket.links)]:
            if other and other not in keys:
                yield f"tickets {ticket.key}: there is no ticket {other}"


def _messages(company: "Company") -> Iterator[str]:
    for message in company.messages:
        where = f"messages {message.ts or message.text[:30]!r}"
        if not message.channel:
            yield f"{where}: it says no channel"
        if not all(each.ts for each in (message, *message.replies)):
            yield f"{where}: it, or a reply, has neither at nor ts"
        if any(reply.channel or reply.replies for reply in message.replies):
            yield f"{where}: a reply has no channel and no replies of its own"
        if any(reply.ts <= message.ts for reply in message.replies):
            yield f"{where}: a reply is not later than what it replies to"


def _twice(company: "Company") -> Iterator[str]:
    yield from _doubles("people", (person.key for person in company.people))
    yield from _doubles("projects", (project.key for project in company.projects))
    yield from _doubles("tickets", (ticket.key for ticket in company.tickets))
    yield from _doubles("wiki_pages", (page.id for page in company.wiki_pages))
    yield from _doubles("channels", (channel.name for channel in company.channels))
    yield from _doubles("messages", (f"{name} {ts}" for name, ts in _stamps(company)))
    pulls = [(each.repository, each.number) for each in company.pull_requests]
    issues = [(each.repository, each.number) for each in company.repository_issues]
    talks = [(each.repository, each.number) for each in company.discussions]
    numbered = (f"{name}#{number}" for name, number in pulls + issues + talks)
    yield from _doubles("on GitHub", numbered)
    yield from _doubles("tasks", (task.gid for task in company.tasks))
    yield from _doubles("issues", (issue.identifier for issue in company.issues))
    yield from _doubles("work items", (str(item.id) for item in company.work_items))


def _stamps(company: "Company") -> Iterator[tuple[str, str]]:
    for message in company.messages:
        yield from ((message.channel, each.ts) for each in (message, *message.replies))


def _doubles(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{what} {name}: it is there {times} times"
