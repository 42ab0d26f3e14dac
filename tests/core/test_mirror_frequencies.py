"""Ranking knows how common words are in all that a mirror holds."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import choose, mirror_of, updated

from rove_core import ContextItem, ItemRef
from rove_core.build.gather.candidates import Candidate
from rove_core.build.rank.ranking import rank
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.mirror.frequencies import read_frequencies
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import Mirrors
from rove_core.mirror.search import TimeRange, rows_about
from rove_core.mirror.usable_mirror import UsableMirror
from rove_core.testing import VirtualClock
from rove_core.time_windows import Window

A_WEEK = timedelta(days=7).total_seconds() + 1


def page(name: str, text: str) -> ContextItem:
    """Return something that is not a ticket."""
    return ContextItem(
        ref=ItemRef(account="wiki", kind="page", id=name),
        source="wiki",
        role="page",
        title="",
        content=text,
        timestamp=AT,
    )


def frequencies(mirror: Mirror) -> WordFrequencies:
    """Return how common words are in a mirror."""
    with mirror.reading() as db:
        return read_frequencies(db)


def many(wiki: Wiki, count: int, text: str, container: str = "DOC") -> None:
    """Write so many pages that say the same."""
    for number in range(count):
        wiki.write(f"{container}-{number}", text, container=container)


def test_a_word_counts_by_how_rare_it_is_in_all_mirrors(tmp_path: Path) -> None:
    """Items of a small mirror are compared with those of large ones."""
    wiki = Wiki()
    wiki.write("DOC-1", "rotate")
    wiki.write("DOC-2", "tokens")
    many(wiki, 20, "Lunch is at noon", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki)
    ticket = page("TB-1", "rotate tokens")
    common, rare = (wiki.item(name).ref.id for name in ("DOC-1", "DOC-2"))
    everywhere = WordFrequencies(items=1000, length=2.0, having={"rotate": 700, "token": 10})

    with mirror.reading() as db:
        ids = dict(db.execute("SELECT row, id FROM items").fetchall())
        here = rows_about(db, ticket, [], TimeRange(), 10)
        all_ = rows_about(db, ticket, [], TimeRange(), 10, everywhere=everywhere)
    by_id = [{ids[row]: worth for row, worth in rows.items()} for rows in (here, all_)]

    assert by_id[0][rare] - by_id[0][common] < 0.1
    assert by_id[1][rare] - by_id[1][common] > 1


def test_the_times_of_linked_items_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was said beside a linked item may be about the ticket, in other words than its own."""
    monkeypatch.setattr("rove_core.mirror.mirrors.MOST_NEAR", 2)
    wiki, later = Wiki(), AT + timedelta(days=30)
    many(wiki, 9, "Lunch is at noon")
    wiki.write("DOC-80", "Rotate the keys", at=later)
    wiki.write("DOC-81", "Dinner is at eight", at=later + timedelta(minutes=1))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    state = mirror.state()
    assert state is not None
    mirrors = Mirrors(usable={"wiki": UsableMirror(mirror=mirror, state=state)})
    ticket = page("TB-1", "vaults")

    alone = asyncio.run(mirrors.about(ticket, [], Window()))
    beside = asyncio.run(mirrors.about(ticket, [wiki.item("DOC-80")], Window()))

    assert "DOC-81" not in {each.item.ref.id for each in alone}
    assert "DOC-81" in {each.item.ref.id for each in beside}


def test_a_word_that_was_looked_for_is_as_rare_as_everywhere() -> None:
    """It is in most of what was found, as it was found by it."""
    ticket = page("TB-1", "rotate tokens")
    found = [page("common", "rotate wheels"), page("telling", "tokens expire")]
    found += [page(f"other-{number}", "tokens") for number in range(8)]
    candidates = [Candidate(item=each, whole=True) for each in found]
    everywhere = WordFrequencies(items=1000, length=2.0, having={"rotate": 700, "token": 10})

    by_found = [each.candidate.item.ref.id for each in rank(ticket, candidates)]
    by_all = [
        each.candidate.item.ref.id for each in rank(ticket, candidates, everywhere=everywhere)
    ]

    assert by_found[0] == "common"
    assert by_all[-1] == "common"


def test_a_word_pair_of_a_title_is_as_rare_as_everywhere(tmp_path: Path) -> None:
    """Not as rare as among what was found; words may be inflected, in the order of the title."""
    wiki = Wiki()
    many(wiki, 6, "Token rotation for the gateway")
    many(wiki, 3, "The rotation of a token", "OPS")
    wiki.write("DOC-9", "Rotation is at noon, and nobody but Ada has a token")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki)
    state = mirror.state()
    assert state is not None
    mirrors = Mirrors(usable={"wiki": UsableMirror(mirror=mirror, state=state)})
    ticket = evolve(page("TB-1", ""), title="Tokens: rotation fails")
    known = asyncio.run(mirrors.frequencies(ticket))

    assert known.having["token rot"] == 6
    assert known.having["rot fail"] == 0
    assert known.items == 10


def test_word_pairs_are_not_counted_in_a_mirror_whose_words_are_not(tmp_path: Path) -> None:
    """A count says nothing without how many items there are."""
    wiki = Wiki()
    many(wiki, 6, "rotate tokens")
    many(wiki, 6, "sleep", "OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki)
    choose(mirror, "DOC")
    state = mirror.state()
    assert state is not None
    mirrors = Mirrors(usable={"wiki": UsableMirror(mirror=mirror, state=state)})
    ticket = evolve(page("TB-1", ""), title="rotate tokens")

    assert asyncio.run(mirrors.frequencies(ticket)) == UNKNOWN_FREQUENCIES


def test_a_mirror_counts_its_words(tmp_path: Path) -> None:
    """As ranking compares them; what only a few items say is left out."""
    wiki = Wiki()
    many(wiki, 6, "tokens expired")
    wiki.write("DOC-9", "tokens of Ada")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    known = frequencies(mirror)

    assert known.items == 7
    assert {word: known.having.get(word) for word in ("token", "expir", "ada")} == {
        "token": 7,
        "expir": 6,
        "ada": None,
    }


def test_words_of_a_forgotten_container_are_forgotten(tmp_path: Path) -> None:
    """No file of the mirror has them, and the next update counts the others."""
    wiki = Wiki()
    many(wiki, 6, "tokens expire")
    many(wiki, 6, "wombats sleep", "OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki)
    assert frequencies(mirror).having["wombat"] == 6
    choose(mirror, "DOC")

    assert frequencies(mirror) == UNKNOWN_FREQUENCIES
    assert all(b"wombat" not in each.read_bytes() for each in mirror.path.parent.iterdir())
    updated(mirror, wiki)
    assert frequencies(mirror).items == 6


def test_words_are_counted_again_after_a_week(tmp_path: Path) -> None:
    """However little changed: what is not said any more must not stay."""
    wiki, clock = Wiki(), VirtualClock(AT)
    many(wiki, 6, "wombats sleep")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    many(wiki, 6, "tokens expire")
    updated(mirror, wiki, clock=clock)
    before = frequencies(mirror).having
    clock.advance(A_WEEK)
    updated(mirror, wiki, clock=clock)

    assert "wombat" in before
    assert "wombat" not in frequencies(mirror).having


def test_the_index_is_in_one_part_once_words_are_counted(tmp_path: Path) -> None:
    """Each search looks into all parts, and removed words stay in the older ones."""
    wiki, clock = Wiki(), VirtualClock(AT)
    many(wiki, 20, "wombats sleep")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    clock.advance(A_WEEK)
    wiki.write("DOC-1", "tokens expire")
    updated(mirror, wiki, clock=clock)

    assert index_parts(mirror) == 1


def test_updates_leave_the_index_in_few_parts(tmp_path: Path) -> None:
    """What an update writes is merged at its end with what those before it wrote."""
    wiki, clock = Wiki(), VirtualClock(AT)
    many(wiki, 40, "wombats sleep")
    mirror = mirror_of(tmp_path, "DOC")
    for number in range(6):
        updated(mirror, wiki, clock=clock)
        wiki.write(f"DOC-{number}", "tokens expire")

    assert index_parts(mirror) <= 2


def index_parts(mirror: Mirror) -> int:
    """Return in how many parts SQLite keeps the index of words."""
    with mirror.reading() as db:
        return int(db.execute("SELECT count(DISTINCT segid) FROM texts_idx").fetchone()[0])


def test_several_mirrors_are_one_collection() -> None:
    """Counts add up, and the length is that of an item of either."""
    joined = WordFrequencies.joined(
        [
            WordFrequencies(items=10, length=4.0, having={"token": 2, "key": 1}),
            WordFrequencies(items=30, length=8.0, having={"token": 5}),
        ]
    )

    assert joined == WordFrequencies(items=40, length=7.0, having={"token": 7, "key": 1})


def test_the_parts_of_a_name_are_looked_for(tmp_path: Path) -> None:
    """Ranking compares them, too, and what people say seldom has the whole name."""
    wiki = Wiki()
    wiki.write("DOC-1", "The rotation waits")
    many(wiki, 3, "Lunch is at noon", "OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki)

    with mirror.reading() as db:
        rows = rows_about(db, page("TB-1", "vault_rotation_key fails"), [], TimeRange(), 10)
        ids = dict(db.execute("SELECT row, id FROM items").fetchall())

    assert [ids[row] for row in rows] == ["DOC-1"]
