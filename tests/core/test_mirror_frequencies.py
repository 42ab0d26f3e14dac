"""Ranking knows how common words are in all that a mirror holds."""

from datetime import timedelta
from pathlib import Path

from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import choose, mirror_of, updated

from rove_core import ContextItem, ItemRef
from rove_core.build.gather.candidates import Candidate
from rove_core.build.rank.score import rank
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.mirror.frequencies import read_frequencies
from rove_core.mirror.mirror import Mirror
from rove_core.testing import VirtualClock

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


def test_several_mirrors_are_one_collection() -> None:
    """Counts add up, and the length is that of an item of either."""
    joined = WordFrequencies.joined(
        [
            WordFrequencies(items=10, length=4.0, having={"token": 2, "key": 1}),
            WordFrequencies(items=30, length=8.0, having={"token": 5}),
        ]
    )

    assert joined == WordFrequencies(items=40, length=7.0, having={"token": 7, "key": 1})
