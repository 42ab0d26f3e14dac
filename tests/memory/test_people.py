"""The person that somebody names as an assignee."""

import pytest

from rove_core import Identity, WrongCall
from rove_memory.tickets.people import AccountName, person_named

SARAH = AccountName("712020:5b1", "Sarah Chen")
MIKE = AccountName("712020:9c4", "Mike Torres")
ROBIN = Identity(name="Robin Doe", id="712020:77a")


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("sarah chen", "712020:5b1"),
        ("712020:5b1", "712020:5b1"),
        ("me", "712020:77a"),
        ("Robin Doe", "712020:77a"),
        ("712020:new", "712020:new"),
    ],
)
def test_a_person_has_an_id(text: str, id_: str) -> None:
    """A known name stands for its id, and an id for itself."""
    person = person_named(text, "jira", ROBIN, [SARAH, MIKE])

    assert isinstance(person, dict)
    assert person["id"] == id_


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Sara Chen", "Known: Sarah Chen"),
        ("sarah", "Known: Sarah Chen"),
        ("Nobody Here", "Known: Sarah Chen, Mike Torres, Robin Doe"),
    ],
)
def test_an_unknown_name_is_refused(text: str, hint: str) -> None:
    """It is not sent as an id; the names that are near are listed."""
    with pytest.raises(WrongCall, match=f"no person '{text}' is known") as refused:
        person_named(text, "jira", ROBIN, [SARAH, MIKE])

    assert refused.value.hint == hint


def test_a_word_is_an_id_where_ids_are_words() -> None:
    """GitHub's ids are logins: one that no ticket has yet may be right."""
    known = [AccountName("sarahchen", "sarahchen")]

    assert person_named("miketorres", "github", None, known) == {
        "id": "miketorres",
        "name": "miketorres",
    }


def test_a_name_that_several_have() -> None:
    """Their ids are listed."""
    with pytest.raises(WrongCall, match="matches several people"):
        person_named("Sarah Chen", "jira", None, [SARAH, AccountName("712020:0", "Sarah Chen")])
