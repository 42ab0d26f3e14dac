"""Find the person or the value that somebody names."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rove_core import WrongCall
from rove_memory.memory.redaction import quoted
from rove_memory.near_matches import near_matches

if TYPE_CHECKING:
    from rove_core import JSON, Identity

_ME: Final = "me"
#: How many known names are listed.
_FEW: Final = 10


class AccountName(NamedTuple):
    """A person or a sprint of an account.

    Attributes:
        id: The vendor's id.
        name: How the vendor shows it.
    """

    id: str
    name: str


def person_named(
    text: str, account: str, identity: "Identity | None", entries: Iterable[AccountName]
) -> "JSON":
    """Return a person: the user, somebody known from tickets, or an id.

    Args:
        text: What was given: me, a name, or an id.
        account: The account whose tracker it is.
        identity: Who its user is.
        entries: The people who are known from its tickets.

    Raises:
        WrongCall: It is the name of nobody who is known, or of several.
    """
    if text.casefold() == _ME:
        if identity is None or not identity.id:
            raise WrongCall(f"{account} does not tell who you are", hint="Give your name or id.")
        return {"id": identity.id, "name": identity.name}
    own = [AccountName(identity.id, identity.name)] if identity and identity.id else []
    people = list(dict.fromkeys([*entries, *own]))
    found = values_named(text, people)
    if len(found) > 1:
        several = ", ".join(f"{each.id} ({each.name})" for each in found)
        raise WrongCall(f"{quoted(text)} matches several people: {several}", hint="Give the id.")
    if found:
        return {"id": found[0].id, "name": found[0].name}
    if _is_name(text, people):
        names = [*dict.fromkeys(each.name for each in people)]
        near = nearest(text, names)
        hint = f"Known: {', '.join(near)}" if near else "Give the tracker's id of the person."
        raise WrongCall(
            f"no person {quoted(text)} is known from the tickets of {account}", hint=hint
        )
    return {"id": text, "name": text}


def values_named(text: str, people: Iterable[AccountName]) -> list[AccountName]:
    """Return the values that have a name or an id, each once."""
    meant = text.casefold()
    found = {
        each.id: each for each in people if meant in (each.name.casefold(), each.id.casefold())
    }
    return [*found.values()]


def nearest(text: str, names: Sequence[str]) -> Sequence[str]:
    """Return the names that somebody may have meant: those with these words, else similar ones."""
    meant = text.casefold()
    partly = [name for name in names if meant in name.casefold()]
    return (partly or near_matches(text, names) or [*names])[:_FEW]


def _is_name(text: str, people: Sequence[AccountName]) -> bool:
    """Return whether a text cannot be an id, as far as the ids of known people tell.

    No tracker has ids with spaces. Where all ids have digits, a word without any is no id.
    """
    if any(character.isspace() for character in text):
        return True
    return bool(people) and not _has_digit(text) and all(_has_digit(each.id) for each in people)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
