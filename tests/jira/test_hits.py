"""What several searches of a build find is made an item once."""

from rove_core import JSON
from rove_jira.tickets import MOST_HITS, Tickets


def tickets() -> Tickets:
    """Return what makes items, and has made none yet."""
    return Tickets("jira", "https://northwind.atlassian.net")


def issue(key: str, summary: JSON = "Log in with SSO") -> JSON:
    """Return a ticket as a search gives it, new each time."""
    return {"key": key, "fields": {"summary": summary}}


def test_what_comes_again_is_the_same_item() -> None:
    """It costs nothing a second time."""
    made = tickets()

    assert made.hit(issue("TB-1")) is made.hit(issue("TB-1"))


def test_what_was_changed_is_made_anew() -> None:
    """A search shows what Jira says now."""
    made = tickets()
    made.hit(issue("TB-1"))

    assert made.hit(issue("TB-1", "Log in without SSO")).title == "Log in without SSO"


def test_what_only_counts_as_equal_is_another() -> None:
    """In Python 1 is True; in Jira one is a text, and the other is none."""
    made = tickets()

    assert [made.hit(issue("TB-1", odd)).title for odd in (1, True)] == ["1", "TB-1"]


def test_no_more_than_some_are_kept() -> None:
    """A source lives as long as the daemon does; what came first is forgotten first."""
    made = tickets()
    first = made.hit(issue("TB-1"))
    for number in range(2, MOST_HITS + 2):
        made.hit(issue(f"TB-{number}"))

    assert made.hit(issue("TB-1")) is not first
