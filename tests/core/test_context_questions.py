"""What somebody who implements the ticket would still have to ask."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import attrs
import pytest
from tests.core.roles import ROLES

from rove_core._item_words import StatusCategory
from rove_core.build.compose.decisions import decisions
from rove_core.build.compose.exchanges import answers_of, questions_of
from rove_core.build.compose.outline import OpenQuestion, Statement
from rove_core.build.compose.questions import MOST, gaps
from rove_core.facts import Facts, ItemStatus
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, 9, 30, tzinfo=UTC)


def item(id_: str, words: str, *below: ContextItem, kind: str = "note") -> ContextItem:
    """Return an item with what was said below it."""
    title = "Cache the provider's keys"
    return ContextItem(
        ref=ItemRef(account="jira", kind=kind, id=id_),
        source="jira",
        role=ROLES[kind],
        title=title,
        content=words,
        timestamp=AT,
        author="Mike",
        thread=below,
    )


def said(words: str, author: str = "Dana", *, day: int = 1, **facts: Any) -> ContextItem:  # noqa: ANN401  # as facts take them
    """Return something said some days later."""
    ref = ItemRef(account="jira", kind="comment", id=f"{day}/{author}/{words}")
    at = AT + timedelta(days=day)
    return ContextItem(
        ref=ref,
        source="jira",
        role="comment",
        title="",
        content=words,
        timestamp=at,
        author=author,
        facts=Facts(**facts),
    )


TICKET = item("T-1", "Cache the keys of the provider for an hour.", kind="ticket")


def statements(*items: ContextItem) -> list[Statement]:
    """Return all that was said in some items."""
    return [
        Statement(part=part, whole=whole, text=part.content, score=0.8)
        for whole in items
        for part in (whole, *whole.thread)
        if part.content
    ]


def asked(*items: ContextItem) -> Sequence[OpenQuestion]:
    """Return what is open after all that was said in some items."""
    return gaps(TICKET, statements(*items))


def words(question: OpenQuestion) -> list[str]:
    """Return the words that raise a question."""
    return [each.text for each in question.statements]


def test_a_question_without_an_answer_is_open() -> None:
    """What is asked last in a thread was not answered."""
    (found,) = asked(item("T-2", "", said("What if the provider's keys cannot be fetched?")))

    assert (
        found.kind,
        found.about,
    ) == ("unanswered", "What if the provider's keys cannot be fetched?")


@pytest.mark.parametrize(
    "answer",
    ["Yes.", "We keep the provider's old keys then.", "No, refuse everybody.", "Agreed"],
)
def test_an_answered_question_is_not_open(answer: str) -> None:
    """What somebody else answers below it is settled."""
    question = said("Do we keep the provider's old keys?")

    assert asked(item("T-2", "", question, said(answer, "Mike", day=2))) == ()


@pytest.mark.parametrize(
    "reply", ["Good question, I don't know yet.", "Let me ask Priya.", "Thanks!", "Who knows that?"]
)
def test_putting_off_is_no_answer(reply: str) -> None:
    """A question that somebody passes on is still open."""
    question = said("Do we keep the provider's old keys?")
    found = asked(item("T-2", "", question, said(reply, "Mike", day=2), kind="thread"))

    assert question.content in words(found[0])


def test_nobody_answers_himself() -> None:
    """What the same person says next is no answer."""
    thread = said("Do we keep the provider's keys?"), said("The provider's keys are here.", day=2)

    assert len(asked(item("T-2", "", *thread))) == 1


def test_a_question_is_answered_elsewhere() -> None:
    """What a later ticket decides in the same words is settled."""
    question = item("T-2", "", said("Do we keep the provider's old keys?"))
    answer = item("T-3", "", said("We refuse the provider's old keys.", "Mike", day=9))

    assert asked(question, answer) == ()


def test_a_merged_change_answers_in_other_words() -> None:
    """Code says it shorter than people: of a merged change fewer words of the question do."""
    question = item("T-2", "", said("And if the provider rotates a signing key early one night?"))
    pull = item("api#1", "A signing key that the provider rotates is fetched.", kind="pr")
    later = attrs.evolve(pull, timestamp=AT + timedelta(days=9))
    merged = Facts(status=ItemStatus(name="merged", category="done"))

    assert len(asked(question, later)) == 1
    assert asked(question, attrs.evolve(later, facts=merged)) == ()


def test_a_short_question_is_answered_with_the_one_before_it() -> None:
    """A suggestion right behind a question asks nothing of its own."""
    question = item("T-2", "", said("Do we keep the provider's old keys? An hour?"))
    answer = item("T-3", "", said("We refuse the provider's old keys.", "Mike", day=9))

    assert asked(question, answer) == ()


def test_what_is_open_on_purpose_is_no_question() -> None:
    """Nobody has to decide what somebody left open by intention."""
    words = "The lifetime of the provider's keys is left open on purpose."

    assert asked(item("T-2", "", said(words))) == ()
    assert len(asked(item("T-2", "", said(words.replace(" on purpose", ""))))) == 1


def test_a_comment_at_another_line_is_no_answer() -> None:
    """In a review only what is said at the same line answers."""
    question = said("Do we keep the provider's keys?", on="api#1", path="a.py", line=1)
    other = said(
        "The provider's keys are fine here.", "Mike", day=2, on="api#1", path="b.py", line=9
    )

    assert len(asked(item("api#1", "", question, other, kind="pr"))) == 1


def test_what_is_said_to_be_open_is_open() -> None:
    """Somebody may say that nothing is decided, without asking."""
    (found,) = asked(item("T-2", "", said("The lifetime of the provider's keys is not decided.")))

    assert found.kind == "unanswered"


def test_a_question_that_was_settled_in_review_is_not_open() -> None:
    """What the source itself knows to be resolved is."""
    assert asked(item("api#1", "", said("Do we keep the provider's keys?", resolved=True))) == ()


def test_the_same_question_is_asked_once() -> None:
    """Two who ask the same raise one question, the first one first."""
    one = item("T-2", "", said("Do we keep the provider's old keys after a failure?"))
    other = item("T-3", "", said("After a failure, do we keep the provider's old keys?", day=3))

    (found,) = asked(other, one)

    assert [each.whole.ref.id for each in found.statements] == ["T-2", "T-3"]


def test_what_one_person_asks_is_told_together() -> None:
    """Of a comment that asks twice, both sentences are told, as they stand there."""
    asks = "What if the provider does not answer? Do we keep the provider's old keys then?"

    (found,) = asked(item("T-2", "", said(asks)))

    assert words(found) == [asks]


def test_what_asks_the_same_as_two_others_makes_them_one() -> None:
    """Two questions that share little are one when somebody asks both."""
    keys = "Do we keep the provider's old keys?"
    fetch = "What if the cache of metadata fails?"
    aside = "Nothing of that was in the minutes of our meeting at noon on the terrace."
    both = item("T-4", "", said(f"{fetch} {keys} {aside}", day=3))

    (found,) = asked(item("T-2", "", said(keys)), item("T-3", "", said(fetch, day=2)), both)

    assert [each.whole.ref.id for each in found.statements] == ["T-2", "T-3", "T-4"]


def test_what_is_open_at_one_line_is_one_question() -> None:
    """Who puts a question off in a review says nothing else that is open."""
    question = said("How do we rotate the provider's key?", on="api#1", path="a.py", line=1)
    unsure = "Good question, I don't know who owns the cache."
    reply = said(unsure, "Mike", day=2, on="api#1", path="a.py", line=1)

    (found,) = asked(item("api#1", "", question, reply, kind="pr"))

    assert words(found) == [question.content, reply.content]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("Do we cache the keys of the provider for an hour?", 0),
        ("For T-1: do we cache the keys of the provider for an hour?", 1),
    ],
)
def test_a_question_on_another_ticket_is_asked_there(words: str, count: int) -> None:
    """Each ticket has a document of its own; only a question that names this one belongs here."""
    assert len(asked(item("T-2", "", said(words), kind="ticket"))) == count


@pytest.mark.parametrize("words", ["Nit: a blank line", "Not blocking: a blank line", "Optional:"])
def test_an_optional_remark_holds_up_nothing(words: str) -> None:
    """What the reviewer calls optional is not an open question."""
    remark = said(f"{words} before the keys of the provider would help.", resolved=False)

    assert asked(item("api#1", "For T-1.", remark, kind="pr")) == ()


@pytest.mark.parametrize(
    ("category", "kinds"),
    [("in_progress", ["unresolved"]), (None, ["unresolved"]), ("canceled", [])],
)
def test_an_unresolved_remark_on_the_tickets_own_change(
    category: StatusCategory | None, kinds: list[str]
) -> None:
    """It is open whatever it is about, unless the change was given up."""
    remark = said("Anybody else may flip this switch too.", resolved=False)
    change = attrs.evolve(
        item("api#1", "For T-1.", remark, kind="pr"),
        facts=Facts(status=ItemStatus(name="x", category=category)),
    )

    assert [each.kind for each in asked(change)] == kinds


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("Take the lifetime of the provider's keys from the settings.", []),
        ("Why not take the lifetime of the provider's keys from the settings?", ["unresolved"]),
    ],
)
def test_a_remark_on_a_merged_change_is_open_only_if_it_asks(words: str, kinds: list[str]) -> None:
    """Few people press "resolve" for what they have changed."""
    change = attrs.evolve(
        item("api#1", "For T-1.", said(words, resolved=False), kind="pr"),
        facts=Facts(status=ItemStatus(name="merged", category="done")),
    )

    assert [each.kind for each in asked(change)] == kinds


def test_a_commit_heeds_what_was_said_in_review() -> None:
    """What a later commit of the same pull request does is not open any more."""
    remark = said("Require the claims exp, iat and aud of the keys.", resolved=False)
    commit = attrs.evolve(
        said("Require exp, iat and aud of keys", "Ben", day=2),
        ref=ItemRef(account="jira", kind="commit", id="86aef31"),
        role="commit",
    )

    assert len(asked(item("api#1", "", remark, kind="pr"))) == 1
    assert asked(item("api#1", "", remark, commit, kind="pr")) == ()


def test_a_promise_without_a_report_is_open() -> None:
    """Who says that he will come back, and is the last to speak, has not yet."""
    promise = said("I ask about the provider's keys and will come back.", "Hal")

    assert [each.kind for each in asked(item("C/1", "", promise, kind="thread"))] == ["promised"]


def test_a_promise_comes_with_what_it_was_given_to() -> None:
    """Who only says that he will come back tells by the sentences before with what."""
    wish = said("Thank you. The cache of the provider's keys must be shorter.", "Dana")
    promise = said("I have to ask the managers. Will come back.", "Hal")

    (found,) = asked(item("C/1", "", wish, promise, kind="thread"))

    assert words(found) == ["The cache of the provider's keys must be shorter.", promise.content]


def test_what_has_nothing_to_do_with_the_ticket_is_not_asked() -> None:
    """Questions about other things are no questions of this ticket."""
    lunch = statements(item("C/1", "", said("Who comes along for some lunch?"), kind="thread"))
    likely = [Statement(part=s.part, whole=s.whole, text=s.text, score=0.3) for s in lunch]

    assert gaps(TICKET, likely) == ()


def test_the_most_important_questions_are_enough() -> None:
    """A reader gets a handful of questions, not all."""
    many = (
        "Who may empty the cache?",
        "Which hour counts in winter?",
        "Where does the registry live?",
        "How long is a signature valid?",
        "What about leeway for clocks?",
        "Is the audience always one?",
        "Does the issuer end with a slash?",
    )

    found = asked(
        item("T-1", "", *(said(each, day=day) for day, each in enumerate(many)), kind="ticket")
    )

    assert len(found) == MOST


def test_a_later_decision_replaces_an_earlier_one() -> None:
    """Both are told, the earlier first."""
    thread = (
        said("Decided to cache the provider's keys with lru_cache."),
        said("We go back to a dict for the provider's keys.", "Mike", day=5),
    )
    (found,) = asked(item("T-2", "", *thread))

    assert found.kind == "replaced"
    assert [each.content for each in thread] == words(found)


def test_what_names_what_it_replaces_ends_that() -> None:
    """However much an older decision has in common with it."""
    thread = (
        said("Decided to use jose for keys of the provider: authlib caches no signed keys."),
        said("We go back to authlib, jose has open CVEs.", "Mike", day=5),
        said("Decided: joserfc replaces authlib, for signed keys of the provider.", day=9),
    )

    found = asked(item("T-2", "", *thread))

    pairs = {words(each)[-1]: words(each)[0] for each in found if each.kind == "replaced"}
    assert pairs[thread[2].content] == thread[1].content


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Cache the provider's keys for 60 minutes.", "Cache the provider's keys for 5 minutes."),
        ("The cache of keys is off by default.", "The cache of keys is on by default."),
        ("The start is on January 8 for the cache.", "The start is on January 15 for the cache."),
    ],
)
def test_two_who_disagree_contradict_each_other(earlier: str, later: str) -> None:
    """Another number, side or day for the same thing is a contradiction."""
    found = asked(item("T-2", "", said(earlier)), item("T-3", "", said(later, "Ben", day=4)))

    assert [("contradiction", [earlier, later])] == [(each.kind, words(each)) for each in found]


def test_a_decision_settles_what_was_said_otherwise() -> None:
    """Whoever decides it, what was said before is not open any more."""
    wish = said("The provider would like its keys to be cached for 60 minutes.")
    settled = said("Decided: the keys of the provider are cached for 5 minutes.", "Ben", day=4)

    (found,) = asked(item("T-2", "", wish), item("T-3", "", settled))

    assert (found.kind, words(found)) == ("replaced", [wish.content, settled.content])


@pytest.mark.parametrize(
    ("category", "kind"), [("done", "replaced"), ("in_progress", "contradiction")]
)
def test_a_merged_change_ends_the_one_it_undoes(category: StatusCategory, kind: str) -> None:
    """One that is not merged only disagrees with it."""
    merged = Facts(status=ItemStatus(name="merged", category="done"))
    on = attrs.evolve(item("#1", "The cache of keys is on by default.", kind="pr"), facts=merged)
    off = attrs.evolve(
        item("#2", "The cache of keys is off by default.", kind="pr"),
        author="Ben",
        timestamp=AT + timedelta(days=2),
        facts=Facts(status=ItemStatus(name="x", category=category)),
    )

    found = asked(attrs.evolve(on, title="On"), attrs.evolve(off, title="Off"))

    assert [(kind, [on.content, off.content])] == [(each.kind, words(each)) for each in found]


def test_one_change_of_a_number_is_told_once() -> None:
    """By the pair that settles it, wherever else the same two numbers disagree."""
    wish = said("The provider would like its keys to be cached for 60 minutes.")
    draft = said("Draft: keys of the provider are cached for 60 minutes.", "Aiko", day=2)
    remark = said("Here keys of the provider are cached for 5 minutes.", "Omar", day=3)
    settled = said("Decided: the keys of the provider are cached for 5 minutes.", "Ben", day=4)

    found = asked(item("T-2", "", wish, draft, remark, settled))

    assert [each.kind for each in found] == ["replaced"]


def test_a_change_of_something_else_is_not_among_what_is_open() -> None:
    """It is told where it stands, in its own place."""
    before = said("Decided to serve lunch on the terrace.")
    after = said("Lunch on the terrace is replaced by lunch in the hall.", day=5)

    assert asked(item("T-2", "", before, after)) == ()


def test_what_replaced_something_is_followed_to_its_end() -> None:
    """Though the end says nothing of the ticket's own words."""
    thread = (
        said("SAML is out of scope, the provider has keys."),
        said("SAML is in scope again.", day=3),
        said("SAML is out of scope again.", day=6),
    )

    found = asked(item("T-2", "", *thread))

    assert thread[-1].content in [words(each)[-1] for each in found]


def test_a_question_comes_with_the_sentence_it_leans_on() -> None:
    """Else nobody knows what *it* is."""
    asks = "The cache of keys has no use then. Does anybody want it for the provider?"

    (found,) = asked(item("T-2", "", said(asks)))

    assert words(found) == [asks]


def test_whom_somebody_asks_is_no_question() -> None:
    """A name says nothing about what is asked."""
    assert asked(item("T-2", "Cache", said("@Priya Nair?"))) == ()


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Cache the provider's keys for 60 minutes.", "Keys of the provider live 60 minutes."),
        ("Cache the provider's keys for 60 minutes.", "Deploys of the shop take 5 minutes."),
    ],
)
def test_agreeing_is_no_contradiction(earlier: str, later: str) -> None:
    """The same number, or another one for something else, contradicts nothing."""
    assert asked(item("T-2", "", said(earlier)), item("T-3", "", said(later, "Ben", day=4))) == ()


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "The provider has keys. This replaces my decision of December 8.",
            "The cache lives an hour. Replaces the decision of December.",
        ),
        ("The cache of keys lives 60 seconds.", "Replaces the 30 seconds of the cache of keys."),
        (
            "The cached keys of the provider live 30 minutes.",
            "For cached keys of the provider people sign in again every 15 minutes.",
        ),
    ],
)
def test_what_only_sounds_like_a_change_replaces_nothing(earlier: str, later: str) -> None:
    """Words of turning alone make no pair, and what is replaced is not what is new."""
    found = asked(item("T-2", "", said(earlier)), item("T-3", "", said(later, "Ben", day=9)))

    assert [each for each in found if each.kind == "replaced"] == []


def test_a_short_answer_leans_on_its_question() -> None:
    """What says nothing alone is told together with what it answers."""
    question, answer = said("Do we need SAML for it?"), said("No.", "Mike")
    told = statements(item("C/1", "", question, answer, kind="thread"))

    assert {told[1].key: told[0].key} == questions_of(told)


def test_an_answer_that_stands_alone_leans_on_nothing() -> None:
    """A whole sentence needs no question beside it."""
    question = said("Do we need SAML for it?")
    answer = said("SAML stays out of scope for the pilot of both enterprise customers.", "Mike")

    assert questions_of(statements(item("C/1", "", question, answer, kind="thread"))) == {}


def test_a_question_that_is_told_comes_with_its_answer() -> None:
    """Who reads only the question takes it for open."""
    question, answer = said("Fine. What do you need of them?"), said("The list of devices.", "Mike")
    told = statements(item("C/1", "", question, answer, kind="thread"))

    assert {told[0].key: told[1].key} == answers_of(told)


def test_a_description_reports_a_turn_and_decides_nothing() -> None:
    """What no longer works is in force nowhere; somebody's comment about a turn decides."""
    turn = "We no longer cache the keys of the provider for an hour."
    ticket = item("T-1", turn, kind="ticket")
    comment = item("T-2", "", said(turn), kind="ticket")

    assert decisions(TICKET, statements(ticket), ()) == ()
    assert [each.statement.text for each in decisions(TICKET, statements(comment), ())] == [turn]
