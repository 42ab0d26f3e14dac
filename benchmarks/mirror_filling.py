"""Mirrors of outside companies, filled with what they have, as their sources give it."""

from collections.abc import Iterator, Mapping
from typing import Final

import attrs

from benchmarks.context.outside import Outside
from benchmarks.context.served import Server, repository_of
from rove_core import Container, ContextItem, ItemRef, Link, ListedChange, Project
from rove_core.mirror.mirror import owner_of
from rove_core.mirror.scope import MirrorScope

#: The accounts that have a mirror, and what their items are in them.
_COPIED: Final = ("jira", "slack", "github")
_BATCH: Final = 500


def fill_mirrors(project: Project, server: Server, company: Outside) -> None:
    """Fill the mirrors of a project's accounts with what a company has of them."""
    for account in _COPIED:
        if account in project.accounts.names:
            _fill(project, server, company, account)


def fill_commits(project: Project, server: Server, company: Outside) -> None:
    """Add a company's commits to the mirror of its repository: GitHub does not list them.

    A project has those of its own repository on this machine.
    """
    mirror, now = project.mirror("github"), project.clock.now()
    own = [
        (container, ListedChange(item=item, whole=True))
        for container, item in _items(server, company, "github")
        if item.ref.kind == "commit"
    ]
    with mirror.writing() as writer:
        for at in range(0, len(own), _BATCH):
            some = own[at : at + _BATCH]
            changes = [change for _, change in some]
            writer.store_changes(some[0][0], changes, cursor="", is_check=False, now=now)
        writer.count_words(now)


def _fill(project: Project, server: Server, company: Outside, account: str) -> None:
    """Fill the mirror of an account with what the company has of it."""
    mirror, now = project.mirror(account), project.clock.now()
    items = [*_items(server, company, account)]
    containers = sorted({container for container, _ in items})
    with mirror.writing() as writer:
        writer.choose(
            MirrorScope(containers=tuple(containers)),
            [Container(name=each) for each in containers],
            owner=owner_of(project.account(account)),
            now=now,
        )
        for container in containers:
            own = [ListedChange(item=item, whole=True) for name, item in items if name == container]
            for at in range(0, len(own), _BATCH):
                writer.store_changes(
                    container, own[at : at + _BATCH], cursor="", is_check=False, now=now
                )
            writer.end_listing(container, now)
        writer.count_words(now)


def _items(server: Server, company: Outside, account: str) -> Iterator[tuple[str, ContextItem]]:
    """Yield an account's items as its source would give them, each with its container."""
    keys = {ticket: key for key, ticket in company.tickets.items()}
    first: dict[str, tuple[str, str]] = {}
    for message, conversation in company.messages.items():
        first.setdefault(conversation, message)
    repository = repository_of(server, company)
    for name, each in company.items.items():
        if each.account != account:
            continue
        item = attrs.evolve(each, links=_linked(company, name, keys))
        own = name.partition(":")[2]
        match account, item.ref.kind:
            case "jira", _:
                key = keys.get(name, own)
                container, ref = key.partition("-")[0], ("ticket", key, f"jira/browse/{key}")
            case "slack", _ if name in first:
                container, ts = first[name]
                place = f"slack/archives/{container}/p{ts.replace('.', '')}"
                ref = ("thread", f"{container}/{ts}", place)
            case "github", kind:
                container, number = repository, own.partition("/")[2]
                sign, page = ("@", "commit") if kind == "commit" else ("#", "pull")
                place = f"github/{repository}/{page}/{number}"
                ref = (kind, f"{repository}{sign}{number}", place)
            case _:
                continue
        yield (
            container,
            _named(
                item, ItemRef(account=account, kind=ref[0], id=ref[1], url=f"{server.url}/{ref[2]}")
            ),
        )


def _linked(company: Outside, name: str, keys: Mapping[str, str]) -> tuple[Link, ...]:
    """Return the tickets that a ticket is linked to; nothing else has links of its own."""
    others = sorted(company.names[name]) if name.startswith("jira:") else []
    return tuple(
        Link(ref=ItemRef(account="jira", kind="ticket", id=keys.get(each, each.partition(":")[2])))
        for each in others
        if company.items[each].account == "jira"
    )


def _named(item: ContextItem, ref: ItemRef) -> ContextItem:
    """Return an item by the name its source gives it, and so its parts."""
    thread = tuple(
        attrs.evolve(part, ref=attrs.evolve(ref, kind=part.ref.kind, id=f"{ref.id}/{number}"))
        for number, part in enumerate(item.thread)
    )
    return attrs.evolve(item, ref=ref, thread=thread)
