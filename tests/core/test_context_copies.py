"""What is said twice is told once; what only looks alike stays."""

import pytest

from rove_core.build.rank.copies import same_as

SAID = "The grace window for refresh tokens is 60 seconds"
LONG = " ".join(f"word{letter} goes with thing{letter}" for letter in "abcdefghijklmnopqr")


@pytest.mark.parametrize(
    "again",
    [
        SAID,
        "the **grace window** for `refresh` tokens is 60 seconds.",
        f"> {SAID}",
        f"Fwd: {SAID}!",
        "The grace window for the refresh tokens is sixty seconds",
        "[The grace window](https://a.example/1) for refresh tokens is 60 seconds",
        f"TB-456: {SAID} (#878)",
        f"{SAID}\n\n(cherry picked from commit 4482793660f1a9a0cc0a9bc054e08323403bfbe6)",
    ],
)
def test_the_same_words_are_a_copy(again: str) -> None:
    """Case, punctuation, markup, quote marks and trailers make nothing new."""
    assert same_as([SAID, again]) == [None, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SAID, "The grace window for refresh tokens is 30 seconds"),
        (SAID, "The grace window for refresh tokens is not 60 seconds"),
        ("Use lru_cache for the key set", 'Revert "Use lru_cache for the key set"'),
        ('Revert "Use lru_cache for the key set"', "Use lru_cache for the key set"),
        ("Turn the login flag on by default", "Turn the login flag off by default"),
        ("Bump PyJWT from 2.9.0 to 2.10.0", "Bump PyJWT from 2.10.0 to 2.10.1"),
        ("Replaces jose by PyJWT here", "Replaces PyJWT by jose here"),
        ("Keep the token families in Redis", "Keep the token families in Postgres"),
        ("Fixed the export in TB-12 today", "Fixed the export in TB-13 today"),
        ("It starts on January 8 for both", "It starts on January 15 for both"),
        ("We can deploy it to staging", "We can't deploy it to staging"),
        ("Register `/callback/initech` there", "Register `/callback/initech/` there"),
        ("TB-12: Fix the export of invoices", "TB-13: Fix the export of invoices"),
        ("So it is OIDC for both of them?", "So it is OIDC for both of them."),
        ("Deployed 4482793 to production", "Deployed 214b9be to production"),
        ("- [ ] alert on unknown keys", "- [x] alert on unknown keys"),
        (f"{LONG} on staging", f"{LONG} in production"),
        (f"{LONG} revert", LONG),
    ],
)
def test_what_only_looks_alike_stays(one: str, other: str) -> None:
    """Another number, side, id, date, order or thing makes another statement."""
    assert same_as([one, other]) == [None, None]


def test_a_sentence_of_an_earlier_text_is_said_already() -> None:
    """What stands word for word within something earlier is no news."""
    longer = f"We talked about it for a long time yesterday evening. {SAID}. Ask Dana why it is."

    assert same_as([longer, SAID]) == [None, 0]


def test_a_reply_that_quotes_says_something_else() -> None:
    """What a reply quotes is not what it says."""
    assert same_as([SAID, f"> {SAID}\n\nThat is too short for tunnels."]) == [None, None]


def test_what_says_more_is_new() -> None:
    """A later text that holds an earlier one and goes on is no copy."""
    assert same_as([SAID, f"{SAID}, only from the same device"]) == [None, None]


def test_long_texts_may_differ_by_a_word() -> None:
    """A back-port with a word more than the original is a copy."""
    assert same_as([LONG, f"{LONG} backport"]) == [None, 0]


def test_copies_of_copies_name_the_first() -> None:
    """The third of three names the first of them."""
    assert same_as([SAID, f"{SAID}.", f"{SAID}!"]) == [None, 0, 0]


def test_texts_without_words_are_nothing() -> None:
    """Empty texts are not copies of each other."""
    assert same_as(["", "…", ""]) == [None, None, None]


def test_short_answers_are_copies_only_when_equal() -> None:
    """One word within a long text is not said already."""
    assert same_as([SAID, "tokens", "Tokens."]) == [None, None, 1]


def test_a_text_without_a_label_is_the_same_as_one_with_a_label() -> None:
    """Of several labels only the first joins it: another one is about something else."""
    texts = ["Fix the export of invoices", "TB-12: Fix the export of invoices"]

    assert same_as([*texts, "TB-13: Fix the export of invoices"]) == [None, 0, None]
