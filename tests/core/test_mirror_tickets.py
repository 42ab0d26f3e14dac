"""What a mirror finds is compared with a sample of all its tickets, found or not."""

import asyncio
from datetime import timedelta
from math import log1p
from pathlib import Path

import pytest
from attrs import define, evolve, field
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import OWNER, choose, mirror_of, updated

from rove_core import ContextItem
from rove_core._item_words import Role
from rove_core.build.gather.candidates import Candidate
from rove_core.build.rank.corpus import TicketCorpus
from rove_core.build.rank.ranking import rank
from rove_core.build.rank.sampled_tickets import TicketSample
from rove_core.build.rank.standings import standings
from rove_core.mirror.codec import pack
from rove_core.mirror.indexed_text import indexed_text
from rove_core.mirror.migrations import MIGRATIONS
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import Mirrors
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.ticket_sample import read_tickets
from rove_core.mirror.usable_mirror import UsableMirror
from rove_core.store.files import private_folder
from rove_core.store.packages import PackageDatabase
from rove_core.testing import VirtualClock

A_WEEK = timedelta(days=7).total_seconds() + 1


@define(eq=False)
class Tracker(Wiki):
    """A wiki whose pages are tickets, or something else."""

    role: Role = "ticket"
    roles: dict[str, Role] = field(factory=dict)

    def item(self, name: str, *, whole: bool = True) -> ContextItem:
        """Return a page as a ticket."""
        role = self.roles.get(name, self.role)
        return evolve(Wiki.item(self, name, whole=whole), role=role)


def tracker(*texts: str) -> Tracker:
    """Return a tracker with a ticket for each text, in one project."""
    vendor = Tracker()
    for number, text in enumerate(texts):
        vendor.write(f"DOC-{number}", text)
    return vendor


def said(text: str) -> ContextItem:
    """Return something that was said."""
    vendor = Wiki()
    vendor.write(text, text)
    return evolve(vendor.item(text), title="", role="talk")


def sample(mirror: Mirror) -> TicketSample:
    """Return the sample of a mirror's tickets."""
    with mirror.reading() as db:
        return read_tickets(db, "wiki")


def sampled_ids(mirror: Mirror) -> set[str]:
    """Return the ids of the sampled tickets."""
    return {each.key[1] for each in sample(mirror).tickets}


def known(*mirrors: Mirror) -> Mirrors:
    """Return mirrors as a build opens them."""
    states = [(each, each.state()) for each in mirrors]
    usable = {
        mirror.account: UsableMirror(mirror=mirror, state=state)
        for mirror, state in states
        if state
    }
    return Mirrors(usable=usable)


def test_a_count_samples_tickets_and_nothing_else(tmp_path: Path) -> None:
    """Only tickets and pull requests are compared."""
    vendor = tracker("keys", "doors", "lunch")
    vendor.roles = {"DOC-1": "talk", "DOC-2": "change"}
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, vendor)

    assert sampled_ids(mirror) == {"DOC-0", "DOC-2"}
    assert sample(mirror).share == 1.0


def test_of_many_tickets_a_part_stands_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its share says how many tickets each of them stands for."""
    monkeypatch.setattr("rove_core.mirror.ticket_sample._MOST", 3)
    vendor = tracker(*(f"keys {number}" for number in range(9)))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, vendor)

    assert len(sample(mirror).tickets) == 3
    assert sample(mirror).share == pytest.approx(1 / 3)


def test_a_ticket_that_was_not_found_may_explain_an_item_better(tmp_path: Path) -> None:
    """As if it had been found, but it is no candidate."""
    vendor = tracker("lunch menus", "signing keys rotate", "signing keys expire", "garage doors")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, vendor)
    ticket, doors = vendor.item("DOC-0"), Candidate(item=vendor.item("DOC-3"), whole=True)
    texts = ["signing keys, and lunch", *(f"noise{n} other{n}" for n in range(20))]
    found = [doors, *(Candidate(item=said(text), whole=True) for text in texts)]
    everywhere = asyncio.run(known(mirror).frequencies(ticket))
    alone = evolve(everywhere, tickets=TicketSample())

    against_found, against_all = (
        standings(ticket, TicketCorpus.of(ticket, found, each), found, [1])[0]
        for each in (alone, everywhere)
    )

    assert against_found.lead > 0 > against_all.lead
    assert against_found.behind == 0
    assert against_all.behind == log1p(2)
    assert len(rank(ticket, found, everywhere=everywhere)) == len(found)


def test_a_ticket_that_was_found_is_not_compared_twice(tmp_path: Path) -> None:
    """Neither is the ticket of the document compared with itself."""
    vendor = tracker("lunch menus", "signing keys rotate", "signing keys expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, vendor)

    others = sample(mirror).besides("ticket", {("wiki", "DOC-0"), ("wiki", "DOC-1")})

    assert [each.key[1] for each in others.tickets] == ["DOC-2"]
    assert (others.having("expir"), others.having("rot")) == (0, 0)
    assert others.having("sign") == 1


def test_the_tickets_of_several_mirrors_are_one_sample(tmp_path: Path) -> None:
    """Of an account without tickets nothing is known, and nothing is missing."""
    jira = mirror_of(tmp_path / "jira", "DOC")
    updated(jira, tracker("keys", "doors"))
    slack = Mirror("slack", tmp_path / "slack" / "slack.db")
    choose(slack, "DOC")
    updated(slack, Tracker(role="talk", pages=tracker("hello").pages))

    everywhere = asyncio.run(known(jira, slack).frequencies(said("keys")))

    assert {each.key for each in everywhere.tickets.tickets} == {
        ("wiki", "DOC-0"),
        ("wiki", "DOC-1"),
    }


def test_a_removed_or_changed_ticket_leaves_the_sample(tmp_path: Path) -> None:
    """What it said is gone at once; what it says now is sampled with the next count."""
    vendor, clock = tracker("wombats", "keys", "doors"), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, vendor, clock=clock)
    vendor.delete("DOC-0")
    vendor.write("DOC-1", "menus")
    updated(mirror, vendor, clock=clock)
    assert sampled_ids(mirror) == {"DOC-2"}
    clock.advance(A_WEEK)
    updated(mirror, vendor, clock=clock)

    assert sampled_ids(mirror) == {"DOC-1", "DOC-2"}


def test_the_tickets_of_a_removed_container_leave_the_sample(tmp_path: Path) -> None:
    """No file has any of their words, and the next update samples the others."""
    vendor = tracker("keys", "doors")
    vendor.write("OPS-1", "wombats sleep, wombats", container="OPS")
    vendor.write("OPS-2", "wombats sleep", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, vendor)
    (words,) = {each.words for each in sample(mirror).tickets if each.key[1] == "OPS-1"}
    assert words in mirror.path.read_bytes()
    choose(mirror, "DOC")

    assert sampled_ids(mirror) == set()
    assert all(words not in each.read_bytes() for each in mirror.path.parent.iterdir())
    updated(mirror, vendor)
    assert sampled_ids(mirror) == {"DOC-0", "DOC-1"}


def test_a_mirror_of_an_older_rove_samples_with_its_next_update(tmp_path: Path) -> None:
    """Its words were counted just now, which must not delay the sample by a week."""
    vendor = tracker("keys", "doors")
    mirror = _older(tmp_path, vendor.item("DOC-0"))

    assert sampled_ids(mirror) == set()
    updated(mirror, vendor)
    assert "DOC-0" in sampled_ids(mirror)


def _older(folder: Path, *items: ContextItem) -> Mirror:
    """Return a mirror as a Rove without samples left it."""
    mirror = Mirror("wiki", private_folder(folder / "mirrors") / "wiki.db")
    facts = {
        "scope": MirrorScope(containers=("DOC",)).text(),
        "owner": OWNER,
        "running": "yes",
        "generation": "1",
        "counted": str(len(items)),
        "counted_at": str(AT.timestamp()),
    }
    with PackageDatabase(mirror.path, MIGRATIONS[:4]).writing() as db:
        db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        db.execute("INSERT INTO containers (name, title) VALUES ('DOC', '')")
        for row, item in enumerate(items):
            values = (row, item.ref.id, "page", "DOC", AT.timestamp(), 0, 1, b"", pack(item))
            db.execute("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            words = (row, *indexed_text(item))
            db.execute("INSERT INTO texts (rowid, title, content) VALUES (?, ?, ?)", words)
    return mirror
