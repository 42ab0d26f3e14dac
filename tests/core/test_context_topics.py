"""What belongs together, under which heading, and in which order."""

from datetime import UTC, datetime, timedelta

import attrs
import pytest
from tests.core.roles import ROLES

from rove_core.build.compose.outline import Statement, Topic
from rove_core.build.compose.topics import PlacedTopic, arrange, place
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef, Link

AT = datetime(2024, 12, 15, tzinfo=UTC)
CACHE = "Cache the key set of the provider for an hour."
KEYS = "The key set of the provider is cached for one hour."
LUNCH = "Lunch is at noon on the terrace."


def item(id_: str, title: str = "", kind: str = "thread", *links: ItemRef) -> ContextItem:
    """Return an item."""
    return ContextItem(
        ref=ItemRef(account="src", kind=kind, id=id_),
        source="src",
        role=ROLES[kind],
        title=title or id_,
        content="",
        timestamp=AT,
        links=tuple(Link(ref=link) for link in links),
    )


def said(
    text: str, whole: ContextItem, number: int = 1, *, hours: int = 0, score: float = 0.5
) -> Statement:
    """Return something said in an item."""
    ref = ItemRef(account="src", kind="message", id=f"{whole.ref.id}/{number}")
    part = ContextItem(
        ref=ref,
        source="src",
        role="talk",
        title="",
        content=text,
        timestamp=AT + timedelta(hours=hours),
    )
    return Statement(part=part, whole=whole, text=text, score=score)


TICKET = item("T-1", "User Authentication Flow", "ticket")


def arranged(*statements: Statement, previous: tuple[PlacedTopic, ...] = ()) -> tuple[Topic, ...]:
    """Return the topics of some statements."""
    return arrange(TICKET, statements, previous)


def placed(topic: Topic) -> PlacedTopic:
    """Return a topic as the document knows it."""
    members = frozenset(each.key for each in topic.statements)
    return PlacedTopic(key=topic.key, heading=topic.heading, members=members)


def groups(topics: tuple[Topic, ...]) -> list[list[str]]:
    """Return the words of each topic."""
    return [[each.text for each in topic.statements] for topic in topics]


def test_a_thread_is_a_topic() -> None:
    """What is said in one thread stays together, oldest first."""
    thread = item("C/1")

    found = arranged(said("Later.", thread, 2, hours=2), said("First.", thread, 1))

    assert groups(found) == [["First.", "Later."]]
    assert found[0].key == ("src", "C/1/1")


def test_threads_about_the_same_thing_are_one_topic() -> None:
    """Two threads with the same telling words join; another one stays alone."""
    found = arranged(said(CACHE, item("A")), said(LUNCH, item("B")), said(KEYS, item("C")))

    assert sorted([[CACHE, KEYS], [LUNCH]]) == sorted(map(sorted, groups(found)))


def test_a_thread_that_names_a_ticket_joins_it() -> None:
    """A reference brings together what shares fewer words."""
    ticket = item("T-9", "Key set", "ticket")
    naming = said("See T-9 for what we store of the key set.", item("A"))
    texts = [said("We store what the provider sends.", ticket), naming, said(LUNCH, item("B"))]

    assert len(arranged(*texts)) == 2


def test_two_tickets_are_two_topics() -> None:
    """However alike their words, nobody should have to guess which ticket says what."""
    one, other = item("T-8", "Cache keys", "ticket"), item("api#9", "Cache of keys", "issue")

    assert len(arranged(said(CACHE, one), said(KEYS, other))) == 2


def test_copies_join() -> None:
    """Where the same is said again belongs to the same topic."""
    other = said("Noon it is, says everybody on the terrace.", item("B"))
    first = attrs.evolve(said(LUNCH, item("A")), copies=(other.part,))

    assert len(arranged(first, other)) == 1


def test_the_tickets_own_words_are_in_no_topic() -> None:
    """What the ticket itself says are its facts."""
    assert arranged(said(CACHE, TICKET)) == ()


def test_code_is_a_topic_of_its_own() -> None:
    """A pull request joins nothing, however alike its words."""
    found = arranged(said(CACHE, item("A")), said(KEYS, item("api#1", "Cache keys", "pr")))

    assert len(found) == 2


def test_the_most_important_topic_is_first() -> None:
    """Topics are ordered by what matters in them."""
    found = arranged(said(LUNCH, item("A"), score=0.2), said(CACHE, item("B"), score=0.9))

    assert groups(found) == [[CACHE], [LUNCH]]


def test_the_title_of_a_ticket_is_the_heading() -> None:
    """People gave it as a name, so it goes before the beginning of a message."""
    ticket = item("T-9", "Cache of the key set", "ticket")

    (found,) = arranged(said(CACHE, item("A", CACHE)), said(KEYS, ticket))

    assert found.heading == "Cache of the key set"


def test_a_heading_is_never_cut() -> None:
    """Of a title that its source cut off, only the first clause can be a heading."""
    title = "On caching of the key set, because it came up in the review that it is..."

    (found,) = arranged(said(LUNCH, item("A", title)))

    assert found.heading == "On caching of the key set"


def test_a_phrase_that_is_shared_can_be_the_heading() -> None:
    """When no title is one, what most statements say is the heading."""
    thread = item("A", "So here is what I thought about all of it this morning and wanted to...")
    found = arranged(
        said("The key rotation failed.", thread, 1), said("Our key rotation is manual.", thread, 2)
    )

    assert found[0].heading == "Key rotation"


@pytest.mark.parametrize(
    ("message", "heading"),
    [
        ("Review please: https://git.example/pull/847", "#auth, 2024-12-15"),
        ("Thanks! Where do we keep the key set?", "Where do we keep the key set?"),
        ("The key set moved (it was at https://git.example/keys).", "The key set moved"),
        (
            "4.12 is in the store, with the new key set.",
            "4.12 is in the store, with the new key set",
        ),
    ],
)
def test_what_is_said_can_be_the_heading(message: str, heading: str) -> None:
    """A sentence of a message tells what it is about; else it is where and when it was said."""
    thread = attrs.evolve(item("A", "auth"), content=message, facts=Facts(channel="auth"))

    (found,) = arranged(said(message, thread))

    assert found.heading == heading


def test_the_heading_of_a_chapter_tells_where_it_stands() -> None:
    """What is a chapter in its note says little alone."""
    chapter = said(
        "## What went wrong\n\nThe key set was too old.", item("N", "Postmortem", "note")
    )

    (found,) = arranged(chapter)

    assert found.heading == "What went wrong (Postmortem)"


def test_a_long_name_ends_at_a_word() -> None:
    """It is a name, though it is too long; that something is missing is seen."""
    commit = item(
        "A", "FIX-1: Keep the key set of a provider as long as that says and then " * 2, "commit"
    )

    (found,) = arranged(said(KEYS, commit))

    assert found.heading.startswith("FIX-1: Keep the key set of a provider")
    assert found.heading.endswith(" …")


def test_two_topics_have_two_headings() -> None:
    """A heading that is taken is not given again."""
    one, other = item("A", "Key set", "pr"), item("B", "Key set", "pr")

    found = arranged(
        said("The key set of staging needs lunch today.", one),
        said("Terrace chairs arrive by train tomorrow.", other),
    )

    assert len({each.heading for each in found}) == 2


def test_what_was_placed_stays() -> None:
    """A statement keeps its topic and heading, whatever it would be put to now."""
    statement = said(CACHE, item("A"))
    known = PlacedTopic(key=("src", "old"), heading="As it was", members=frozenset({statement.key}))

    (found,) = arranged(statement, previous=(known,))

    assert (found.key, found.heading) == (("src", "old"), "As it was")


def test_news_joins_the_topic_of_its_thread() -> None:
    """What is said later in a thread goes where the thread is."""
    thread = item("A")
    before = arranged(said(CACHE, thread, 1))

    (found,) = arranged(
        said(CACHE, thread, 1), said(LUNCH, thread, 2, hours=1), previous=(placed(before[0]),)
    )

    assert [each.text for each in found.statements] == [CACHE, LUNCH]


def test_other_news_begins_a_topic() -> None:
    """What fits nowhere gets a topic of its own."""
    before = arranged(said(CACHE, item("A")))

    found = arranged(said(CACHE, item("A")), said(LUNCH, item("B")), previous=(placed(before[0]),))

    assert len(found) == 2


def test_arranging_again_changes_nothing() -> None:
    """With the topics that are there, the same statements give the same topics."""
    statements = [said(CACHE, item("A")), said(KEYS, item("B")), said(LUNCH, item("C"))]
    before = arranged(*statements)

    assert before == arranged(*statements, previous=tuple(map(placed, before)))


def test_a_topic_whose_source_was_edited_gets_a_new_heading() -> None:
    """A heading with words that its statements have no longer is replaced."""
    old, new = (
        attrs.evolve(item("A", "auth"), content=text, facts=Facts(channel="auth"))
        for text in ("The key set moved.", "The terrace is closed.")
    )
    (before,) = arranged(said(old.content, old))

    (after,) = arranged(said(new.content, new), previous=(placed(before),))

    assert (before.heading, after.heading) == ("The key set moved", "The terrace is closed")
    assert after.key == before.key


def test_a_topic_whose_statements_are_gone_is_gone() -> None:
    """An empty topic is not told."""
    known = PlacedTopic(key=("src", "old"), heading="As it was", members=frozenset({("src", "x")}))

    assert arranged(previous=(known,)) == ()


def test_places_are_positions() -> None:
    """The nearest topic is named by its position; what fits nowhere by their number."""
    topics = arranged(said(CACHE, item("A")), said(LUNCH, item("B")))
    at = [topic.statements[0].text for topic in topics].index(CACHE)
    other = said("Postgres keeps families after failover.", item("D"))

    assert [at, 2] == place([said(KEYS, item("C")), other], topics)
