"""What was said before the last message of a conversation."""

from tests.code.written import Written, found

from rove_code.model import CodeQuestion
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.rank import rank

SHOP = {
    "basket.py": "def add(article):\n    return weigh(article)\n",
    "pay.py": "def charge(card):\n    return round_up(card)\n",
    "scale.py": "def weigh(article):\n    return 1\n",
}


def ask(text: str, *earlier: str) -> list[str]:
    """Return the paths that are found, given what was said before."""
    return found(rank(CodeCorpus.of([Written(SHOP)]), CodeQuestion(text, 4000, earlier=earlier)))


def test_the_last_message_counts_most() -> None:
    """Who goes on to something else is understood."""
    assert ask("the card is charged", "an article, articles, and the article to add")[0] == "pay.py"


def test_a_last_message_that_says_nothing_leaves_what_was_said() -> None:
    """Whoever just says please means what was said last before, and not what was said first."""
    assert ask("please fix that", "the card is charged twice", "add an article")[0] == "pay.py"


def test_what_is_gone_on_with_is_part_of_the_question() -> None:
    """A ticket's title that was said first is its title, though details follow on their own."""
    details = "We weigh an article, and then a card is charged. " * 9

    assert ask(details, "Fix this: charge a card")[0] == "pay.py"
    assert ask(details, "Fix this: weigh an article")[0] == "scale.py"


def test_a_short_question_after_a_long_talk_is_what_it_is() -> None:
    """What is asked of a name is known by the form of the last message alone."""
    assert ask("Who calls weigh?", "We talked about cards. " * 50)[0] == "basket.py"


def test_a_traceback_that_was_shown_before_still_leads() -> None:
    """It is not shown again with each message."""
    earlier = 'Traceback:\n  File "/srv/pay.py", line 1, in charge\nError'

    assert ask("what is wrong with it?", earlier)[0] == "pay.py"
