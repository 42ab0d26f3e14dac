"""Which messages of a long conversation are quoted."""

from rove_core.build.compose.stretches import WeighedMessage, stretch


def message(value: float = 0.1, *, names: bool = False, length: int = 100) -> WeighedMessage:
    """Return a message."""
    return WeighedMessage(value=value, names=names, length=length)


def test_a_short_conversation_is_quoted_as_it_is() -> None:
    """Nothing is to be gained there."""
    assert stretch([message()] * 7) == frozenset(range(7))


def test_a_long_conversation_is_quoted_around_what_names_the_ticket() -> None:
    """One message before it and three behind it, and no other."""
    told = [message()] * 20
    told[10] = message(names=True)

    assert stretch(told) == {9, 10, 11, 12, 13}


def test_what_names_the_ticket_is_always_quoted() -> None:
    """However much that is."""
    told = [message(names=True, length=500)] * 10

    assert stretch(told) == frozenset(range(10))


def test_where_nobody_names_the_ticket_the_best_messages_lead() -> None:
    """There must be something that led to this conversation."""
    told = [message()] * 20
    told[3] = message(0.9)

    assert stretch(told) == {2, 3, 4, 5, 6}


def test_the_best_of_a_stretch_come_first() -> None:
    """No more than the given share is quoted, and the rest of the stretch is left out."""
    told = [message(length=300)] * 10
    told[4] = message(names=True, length=300)
    told[6] = message(0.5, length=300)

    assert stretch(told) == {4, 6, 3}
