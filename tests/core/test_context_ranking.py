"""How much each thing matters for a ticket: words, links, references and time."""

from datetime import UTC, datetime, timedelta

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core import ContextItem, ItemRef
from rove_core.build.gather.candidates import Candidate, Trace
from rove_core.build.rank.cutoff import enough
from rove_core.build.rank.evidence import LINKED
from rove_core.build.rank.ranking import rank
from rove_core.facts import Facts

DAY = datetime(2025, 1, 7, tzinfo=UTC)


def item(name: str, title: str, content: str = "", days: float = 0) -> ContextItem:
    """Return something said a number of days after the ticket."""
    at = DAY + timedelta(days=days)
    return ContextItem(
        ref=ItemRef(account="slack", kind="thread", id=name),
        source="slack",
        role="talk",
        title=title,
        content=content,
        timestamp=at,
    )


def found(name: str, title: str, *traces: Trace, days: float = 400) -> Candidate:
    """Return something that was found, long after the ticket unless said otherwise."""
    return Candidate(item=item(name, title, days=days), traces=traces)


def noise(count: int = 20) -> list[Candidate]:
    """Return things that have nothing to do with anything."""
    return [found(f"N{n}", f"lunch number{n} on day{n}", days=400 + 9 * n) for n in range(count)]


def order(ticket: ContextItem, *candidates: Candidate) -> list[str]:
    """Return the names of what was found, best first, without the noise."""
    names = [each.candidate.item.ref.id for each in rank(ticket, [*noise(), *candidates])]
    return [name for name in names if not name.startswith("N")]


NAMED = (("A", "TB-2"), ("B", "L"))
TICKET = item("TB-1", "Rotate the signing keys", "A cache without an end broke the login.")


def test_what_shares_telling_words_comes_first() -> None:
    """A rare word in common tells more than none."""
    assert order(TICKET, found("A", "cats"), found("B", "signing keys"))[0] == "B"


def test_what_is_linked_comes_before_all_that_is_likely() -> None:
    """Somebody has said that it belongs to the ticket."""
    linked = found("A", "something else", Trace("link"))
    alike = found("B", "Rotate the signing keys", days=0)

    assert order(TICKET, alike, linked) == ["A", "B"]


def test_words_next_to_each_other_tell_more_than_the_same_words_apart() -> None:
    """Signing keys are not keys, and something that is signed."""
    apart = found("A", "keys are lost, the contract waits for signing")
    together = found("B", "signing keys are lost, the contract waits")

    assert order(TICKET, apart, together) == ["B", "A"]


def test_what_was_said_on_the_days_of_the_ticket_is_likelier() -> None:
    """The same words a year later are about something else."""
    assert order(TICKET, found("A", "the keys"), found("B", "the keys", days=1)) == ["B", "A"]


def test_what_was_said_on_the_day_of_something_linked_is_likelier() -> None:
    """Work goes on where others have named the ticket."""
    linked = found("L", "deploy", Trace("link"), days=200)
    ranked = order(TICKET, linked, found("A", "keys", days=100), found("B", "keys", days=200))

    assert ranked == ["L", "B", "A"]


def test_a_moment_that_many_share_is_that_of_an_import() -> None:
    """What was moved to another tracker on one day was not written on that day."""
    moved = [found(f"M{n}", f"moved{n}", days=0) for n in range(20)]
    same_day, later = found("A", "keys", days=0), found("B", "keys", days=90)
    scores = {
        each.candidate.item.ref.id: each.score
        for each in rank(TICKET, [*noise(), *moved, same_day, later])
    }

    assert scores["A"] == scores["B"]


def test_what_a_linked_thing_names_is_likelier() -> None:
    """A reference leads further, and the reason says so."""
    linked = found("L", "review", Trace("link"))
    named = found("A", "other words", Trace("reference", "L"))
    ranked = rank(TICKET, [*noise(), linked, found("B", "yet others"), named])

    assert [each.candidate.item.ref.id for each in ranked[:2]] == ["L", "A"]
    assert ranked[1].reason == "named by L"


def test_what_a_linked_ticket_names_is_that_tickets_own_matter() -> None:
    """A ticket has a document of its own; what a talk names, it names for this one."""
    other = attrs.evolve(
        item("TB-2", "review"),
        ref=ItemRef(account="jira", kind="ticket", id="TB-2"),
        role="ticket",
    )
    linked = Candidate(item=attrs.evolve(other, timestamp=DAY), traces=(Trace("link"),))
    talk = found("L", "review", Trace("link"))
    named = [found(name, f"else{name}", Trace("reference", by)) for name, by in NAMED]

    assert order(TICKET, linked, talk, *named)[2:] == ["B", "A"]


def test_what_another_ticket_explains_better_is_less_likely() -> None:
    """Two talks share as much with the ticket, but one of them is about something else."""
    rival = attrs.evolve(
        item("TB-3", "keys of the piano in the lobby", days=400),
        ref=ItemRef(account="jira", kind="ticket", id="TB-3"),
        role="ticket",
    )
    talk = (found("A", "keys, piano, lobby"), found("B", "keys, garage, winter"))

    alone, beside = order(TICKET, *talk), order(TICKET, *talk, Candidate(item=rival))

    assert alone == ["A", "B"]
    assert [name for name in beside if name != "TB-3"] == ["B", "A"]


def test_mere_words_have_no_rivals() -> None:
    """Whoever looks for words wants the things about them, whatever tickets are about them too."""
    words = attrs.evolve(TICKET, ref=ItemRef(account="", kind="words", id="Q-0123abcd"))
    rival = attrs.evolve(
        item("TB-3", "keys of the piano in the lobby", days=400),
        ref=ItemRef(account="jira", kind="ticket", id="TB-3"),
        role="ticket",
    )
    talk = (found("A", "keys, piano, lobby"), found("B", "keys, garage, winter"))

    beside = order(words, *talk, Candidate(item=rival))

    assert [name for name in beside if name != "TB-3"] == order(words, *talk)


def test_what_names_many_speaks_for_none_of_them() -> None:
    """A list of everything is no reference."""
    linked = [found(name, "review", Trace("link")) for name in ("L1", "L2")]
    listed = [found(f"A{n}", f"else{n}", Trace("reference", "L1")) for n in range(9)]
    named = found("B", "elsewhere", Trace("reference", "L2"))

    assert order(TICKET, *linked, *listed, named)[2] == "B"


def test_words_of_what_is_linked_count_too() -> None:
    """Who names the ticket says other words of the same thing."""
    linked = found("L", "joserfc", Trace("link"))

    assert order(TICKET, linked, found("A", "cats"), found("B", "joserfc now"))[1] == "B"


def test_a_word_that_was_searched_for_stays_a_rare_word() -> None:
    """That all hits of a search have its word says nothing about how common it is."""
    hits = [found(f"S{n}", "signing", Trace("words", "signing")) for n in range(9)]
    known = found("A", "signing", Trace("words", "signing"))
    reason = rank(TICKET, [*noise(), *hits, known])[0].reason

    assert reason == "says: signing"
    assert order(TICKET, found("B", "cats", days=399), known, *hits)[-1] == "B"


def test_the_reason_says_what_names_the_ticket() -> None:
    """People see why it is there."""
    linked = found("L", "TB-1 is done", Trace("link"))

    assert [each.reason for each in rank(TICKET, [linked])] == ["names TB-1"]


def test_what_is_read_next_gets_the_benefit_of_the_doubt() -> None:
    """Until the final order, no other ticket counts against an item, and no reasons are given."""
    candidates = [found(f"M-{n}", f"signing keys of day{n}") for n in range(9)]

    final = {each.candidate.key: each for each in rank(TICKET, candidates)}
    passing = {each.candidate.key: each for each in rank(TICKET, candidates, is_final=False)}

    assert all(passing[key].score > each.score for key, each in final.items())
    assert all(each.reason for each in final.values())
    assert not any(each.reason for each in passing.values())


@pytest.mark.parametrize("title", ["", "What is it?", "Login", "ログイン画面", "🐛"])
def test_a_ticket_may_say_next_to_nothing(title: str) -> None:
    """All is ranked all the same, and what is linked leads."""
    ticket = item("TB-1", title)
    ranked = rank(ticket, [*noise(3), found("L", "", Trace("link"))])

    assert ranked[0].candidate.is_linked
    assert len(ranked) == 4


@pytest.mark.parametrize("count", [0, 1])
def test_there_may_be_next_to_nothing_to_rank(count: int) -> None:
    """None of nothing, one of one."""
    ranked = rank(TICKET, noise(count))

    assert len(ranked) == enough(ranked) == count


@given(st.permutations(range(8)))
def test_the_order_of_what_was_found_changes_nothing(places: list[int]) -> None:
    """The same things have the same scores in whatever order they come."""
    pool = [found(f"A{n}", f"keys {'login ' * (n % 3)}{n}", days=n) for n in range(8)]
    scores = {each.candidate.key: each.score for each in rank(TICKET, pool)}
    again = {each.candidate.key: each.score for each in rank(TICKET, [pool[n] for n in places])}

    assert again == pytest.approx(scores)


def test_scores_tell_what_is_certain_from_what_is_likely() -> None:
    """Above 0, at most 1, and only what is linked from a limit on."""
    ranked = rank(
        TICKET, [*noise(), found("L", "", Trace("link")), found("A", TICKET.title, days=0)]
    )

    assert all(0 < each.score <= 1 for each in ranked)
    assert all((each.score >= LINKED) == each.candidate.is_linked for each in ranked)


def test_what_the_tickets_people_say_is_likelier() -> None:
    """Of two talks soon after, that of somebody who works on the ticket comes first."""
    ticket = attrs.evolve(TICKET, facts=Facts(assignees=("Ada King",)))
    stranger, colleague = (
        attrs.evolve(each, item=attrs.evolve(each.item, author=author))
        for each, author in (
            (found("A", "keys", days=9), "Bob Ray"),
            (found("B", "keys", days=9), "aking"),
        )
    )

    assert order(ticket, *noise(), stranger, colleague)[0] == "B"


def test_a_round_that_a_program_began_is_not_certain() -> None:
    """Who answers a program tells of his own work, and names many tickets with it."""
    call = found("A", "Daily", Trace("link"))
    ref = attrs.evolve(call.item.ref, kind="thread")
    call = attrs.evolve(call, item=attrs.evolve(call.item, ref=ref, facts=Facts(robot=True)))

    (ranked,) = rank(TICKET, [call])

    assert ranked.score < LINKED
