"""Every rule of the scanner is alive: without it, something is no longer found."""

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from attrs import evolve
from tests.core.secret_forms import BASE62, NAMED_FORMS, NAMES, VAGUE_NAMES, Form, some
from tests.core.secret_forms import FORMS as MOST_FORMS
from tests.core.secret_forms_of_consoles import FORMS as FORMS_OF_CONSOLES
from tests.core.secret_forms_of_lists import FORMS as FORMS_OF_LISTS
from tests.core.secret_forms_of_places import FORMS as FORMS_OF_PLACES
from tests.core.secret_forms_of_services import FORMS as FORMS_OF_SERVICES
from tests.core.secret_forms_of_tickets import FORMS as FORMS_OF_TICKETS

from rove_core.safety.secrets.marked_secrets import WORDED
from rove_core.safety.secrets.named_secrets import VAGUE_WORDS, VENDORS, WORDS, NamedSecrets
from rove_core.safety.secrets.rules import RULES
from rove_core.safety.secrets.scan import Scanner, SecretFound
from rove_core.safety.secrets.secret_rule import SecretRule
from rove_core.safety.secrets.spoken_passwords import SpokenPasswords

SCANNER = Scanner()
FORMS = (
    *MOST_FORMS,
    *FORMS_OF_PLACES,
    *FORMS_OF_SERVICES,
    *FORMS_OF_LISTS,
    *FORMS_OF_TICKETS,
    *FORMS_OF_CONSOLES,
)
PASSWORD = some(random.Random(7), BASE62, 24)  # noqa: S311  # it opens nothing
#: Whatever is called a key is found if it is longer.
SHORT_PASSWORD = "q7Rk2mZx9Tbv"  # noqa: S105  # it opens nothing


#: What a pattern is read by: escapes and sets as wholes, and what makes and ends choices.
PARTS = re.compile(r"\\.|\[(?P<few>\w{2,6})\]|\[[^\]]+\]|\((?:\?(?:<?[=!]|:))?|[|)]")


def is_found(scanner: Scanner, form: Form) -> bool:
    """Return whether the secret of a form is found, with its kind, and nothing beside it."""
    text, start, end = form.planted()
    return scanner.search(text) == [SecretFound(form.kind, start, end)]


def forms_of(kind: str) -> Sequence[Form]:
    """Return the forms of a kind."""
    return [form for form in (*FORMS, *NAMED_FORMS) if form.kind == kind]


def changed(rule: SecretRule, pattern: str) -> Scanner:
    """Return a scanner with another pattern for one rule."""
    formed, worded = (
        [
            evolve(each, signs=" ".join(each.signs), pattern=pattern) if each is rule else each
            for each in rules
        ]
        for rules in (RULES, WORDED)
    )
    return Scanner(formed, worded)


def choices(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield what a pattern has to choose from, each with the pattern that lacks it."""
    opened: list[list[int]] = []
    for found in PARTS.finditer(pattern):
        part, at = found[0], found.start()
        if part[0] == "(":
            opened.append([found.end()])
        elif part == "|" and opened:
            opened[-1].append(at + 1)
        elif part == ")":
            starts = [*opened.pop(), at + 1]
            for start, end in pairwise(starts) if len(starts) > 2 else ():
                is_last = end == starts[-1]
                left = (start - 1, end - 1) if is_last else (start, end)
                yield pattern[start : end - 1], pattern[: left[0]] + pattern[left[1] :]
        elif found["few"]:
            for sign in found["few"]:
                yield sign, pattern[:at] + part.replace(sign, "") + pattern[found.end() :]


def without(rule: SecretRule, sign: str) -> Scanner:
    """Return a scanner whose rule does not know one of its signs."""
    left = [each for each in rule.signs if each != sign]
    changed = [evolve(rule, signs=" ".join(left))] if left else []
    formed, worded = (
        [new for each in rules for new in (changed if each is rule else [each])]
        for rules in (RULES, WORDED)
    )
    return Scanner(formed, worded)


@pytest.mark.parametrize(
    "form", [*FORMS, *NAMED_FORMS], ids=lambda form: f"{form.kind} {form.before.strip()}"
)
def test_each_form(form: Form) -> None:
    """A secret of each form is found whole, under its name, and nothing beside it."""
    assert is_found(SCANNER, form)


@pytest.mark.parametrize("rule", [*RULES, *WORDED], ids=lambda rule: f"{rule.kind} {rule.signs[0]}")
def test_each_sign_of_each_rule(rule: SecretRule) -> None:
    """A rule that loses a sign, or the only one it has, misses a form that it found."""
    for sign in rule.signs:
        scanner = without(rule, sign)

        assert not all(is_found(scanner, form) for form in forms_of(rule.kind)), sign


def test_each_choice_of_each_pattern() -> None:
    """A pattern that loses one of its choices, ``(?:live|test)`` or ``[prs]``, misses a form."""
    unseen = [
        f"{rule.kind} without {choice}"
        for rule in (*RULES, *WORDED)
        for choice, pattern in choices(rule.pattern)
        for scanner in [changed(rule, pattern)]
        if all(is_found(scanner, form) for form in forms_of(rule.kind))
    ]

    assert unseen == []


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor[0])
def test_each_vendor(vendor: tuple[str, str, str]) -> None:
    """A key that only its name tells apart is called by its vendor's name no more."""
    scanner = Scanner(named=NamedSecrets(vendors=[each for each in VENDORS if each is not vendor]))

    assert not all(is_found(scanner, form) for form in forms_of(vendor[0]))


@pytest.mark.parametrize("name", NAMES)
def test_each_name(name: str) -> None:
    """A random value with a name that a secret has is found."""
    text = f"{name}: {PASSWORD}"

    assert [(found.start, found.end) for found in SCANNER.search(text)] == [
        (len(text) - len(PASSWORD), len(text))
    ]


@pytest.mark.parametrize("word", WORDS)
def test_each_word(word: str) -> None:
    """Without one of the words of such names, one of the names is not known."""
    scanner = Scanner(
        named=NamedSecrets([each for each in WORDS if each != word]),
        spoken=SpokenPasswords({}, {}, {}),
    )

    assert not all(scanner.search(f"{name}: {SHORT_PASSWORD}") for name in NAMES)


@pytest.mark.parametrize("name", VAGUE_NAMES)
def test_each_vague_name(name: str) -> None:
    """A random value is found beside a name that is more often something else, a word is not."""
    assert SCANNER.search(f"{name}: {PASSWORD}")
    assert not SCANNER.search(f"{name}: disabled-by-default")


@pytest.mark.parametrize("word", VAGUE_WORDS)
def test_each_vague_word(word: str) -> None:
    """Without one of their words, one of these names is not known."""
    words = [*WORDS, *(each for each in VAGUE_WORDS if each != word)]
    scanner = Scanner(named=NamedSecrets(words), spoken=SpokenPasswords({}, {}, {}))

    assert not all(scanner.search(f"{name}: {PASSWORD}") for name in VAGUE_NAMES)
