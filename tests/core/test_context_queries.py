"""What is searched for: the words that promise most come first."""

from datetime import UTC, datetime

import pytest

from rove_core import ContextItem, ItemRef
from rove_core.build.gather.queries import fed_back_queries, first_queries, pair_query


def item(title: str, content: str = "", name: str = "TB-1") -> ContextItem:
    """Return a ticket."""
    at = datetime(2025, 1, 1, tzinfo=UTC)
    return ContextItem(
        ref=ItemRef(account="jira", kind="ticket", id=name),
        source="jira",
        role="ticket",
        title=title,
        content=content,
        timestamp=at,
    )


def test_the_words_of_the_title_come_first() -> None:
    """A title says what a ticket is about."""
    queries = first_queries(item("Refresh tokens", "Redis loses them in a failover."))

    assert set(queries[:2]) == {"refresh", "tokens"}
    assert "failover" in queries


def test_two_telling_words_are_asked_for_together() -> None:
    """A pair reaches what is too old to be among all that has one of the words."""
    assert pair_query(item("Lifetime of refresh tokens")) == ["lifetime refresh"]
    assert pair_query(item("Lifetime")) == []


def test_a_word_of_every_ticket_comes_after_others() -> None:
    """Half of all tickets fix something."""
    queries = first_queries(item("Fix implementation of callback"))

    assert queries[0] == "callback"


def test_a_word_that_is_said_again_and_again_matters() -> None:
    """What a description keeps coming back to is what it is about."""
    queries = first_queries(item("", "Some day. The cache is stale. A cache must end. Cache!"))

    assert queries[0] == "cache"


@pytest.mark.parametrize("title", ["", "What is it about?", "???", "2024"])
def test_a_title_may_say_nothing(title: str) -> None:
    """Then nothing is asked for: it would find everything."""
    assert list(first_queries(item(title))) == []


@pytest.mark.parametrize("title", ["Anmeldung", "認証方式", "вход"])
def test_a_title_of_one_word_is_asked_for(title: str) -> None:
    """In whatever language."""
    assert list(first_queries(item(title))) == [title.lower()]


def test_words_of_what_belongs_to_it_are_fed_back() -> None:
    """Whoever names the ticket says other words of the same thing."""
    named = [item("joserfc"), item("joserfc again")]
    seen = [*named, *(item(f"lunch on day{number}") for number in range(9))]
    queries = fed_back_queries(item("Login"), named, seen, ["login"])

    assert queries[0] == "joserfc"


def test_what_is_said_everywhere_is_not_fed_back_first() -> None:
    """A word of all that was seen leads nowhere."""
    seen = [item(f"deployed build {number}") for number in range(9)]
    named = [item("deployed joserfc"), item("deployed joserfc too")]
    queries = fed_back_queries(item("Login"), named, [*seen, *named], ["login"])

    assert queries.index("joserfc") < queries.index("deployed")


def test_nothing_is_asked_twice() -> None:
    """Neither a word, nor the same word in another form."""
    queries = fed_back_queries(item("Tokens rotate"), [item("token rotation")], [], ["tokens"])

    assert "token" not in queries
    assert "tokens" not in queries


def test_without_anything_sure_the_tickets_own_words_go_on() -> None:
    """What the first round had no room for comes next."""
    assert list(fed_back_queries(item("Refresh tokens"), [], [], ["refresh"])) == ["tokens"]
