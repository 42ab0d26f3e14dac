"""A number leads to one address for ever, and people's numbers are theirs."""

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.core.roles import ROLES

from rove_core.build.write.blocks import cut
from rove_core.build.write.citations import Citation, Citations, definitions, marks
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, tzinfo=UTC)
A, B = "https://own.example/a", "https://own.example/b"


def item(url: str, kind: str = "message", title: str = "Title", **known: Any) -> ContextItem:  # noqa: ANN401  # as facts take them
    """Return something that can be cited."""
    return ContextItem(
        ref=ItemRef(account="slack", kind=kind, id="TB-1", url=url),
        source="slack",
        role=ROLES[kind],
        title=title,
        content="",
        timestamp=AT,
        author="",
        facts=Facts(**known),
    )


def after(given: dict[int, str], theirs: str = "") -> Citations:
    """Return the numbers of a document that has these, and words of people."""
    references = [Citation(number, address) for number, address in given.items()]
    return Citations.after(references, cut(theirs), {"slack": "Slack"})


def test_one_address_one_number() -> None:
    """The same address has the same number, the next address the next."""
    citations = after({})

    assert [citations.cite(item(url)) for url in (A, B, A)] == ["[1]", "[2]", "[1]"]


def test_numbers_are_never_given_again() -> None:
    """What is new gets a number after all that were ever given, whether they are in use or not."""
    citations = after({1: "https://own.example/gone", 4: B})

    assert [citations.cite(item(url)) for url in (A, B)] == ["[5]", "[4]"]


@pytest.mark.parametrize("theirs", ["see [1]", "a[ 1 ]", "[1]: https://people.example", "`x[1]`"])
def test_peoples_numbers_are_not_taken(theirs: str) -> None:
    """A number that people use or define is not given to anything."""
    assert after({}, theirs).cite(item(A)) == "[2]"


def test_a_number_that_people_lead_elsewhere() -> None:
    """It is theirs from then on, and its address gets another."""
    citations = after({1: A}, "[1]: https://people.example\n")

    assert citations.cite(item(A)) == "[2]"


def test_a_definition_in_peoples_looks() -> None:
    """A definition that people only wrote in another way still leads where it led."""
    citations = after({1: A}, f"[1]: <{A}> 'mine'\n")

    assert citations.cite(item(A)) == "[1]"


def test_numbers_of_a_file_are_adopted() -> None:
    """An address gets the number by which the file defines it, the lowest of several."""
    citations = Citations.adopting(cut(f"[7]: {B}\n[3]: {A}\n[9]: {A}\n"), {})

    assert [citations.cite(item(url)) for url in (A, B, f"{A}/c")] == ["[3]", "[7]", "[8]"]


@pytest.mark.parametrize(
    "url",
    ["", "javascript:alert(1)", "https://a b", "https://a/(b)", 'https://a"b', "https://a\nb"],
)
def test_what_is_no_address_is_not_cited(url: str) -> None:
    """Only what can stand in a definition does."""
    assert after({}).cite(item(url)) == ""


@pytest.mark.parametrize(
    ("cited", "title"),
    [
        (item(A, channel="backend-team"), "Slack: #backend-team"),
        (item(A, "pr", "PR #847: Add a provider", short_name="PR #847"), "Slack: PR #847"),
        (
            item(A, "pr", "First try: PyJWT at the gateway"),
            "Slack: First try: PyJWT at the gateway",
        ),
        (item(A, "issue", "Login", short_name="Issue #4"), "Slack: Issue #4"),
        (item(A, "ticket", "Login"), "Slack: TB-1"),
        (item(A, "comment", "TB-123 comment"), "Slack: TB-123 comment"),
        (item(A, title='Say "a"\n\\'), 'Slack: Say \\"a\\" \\\\'),
    ],
)
def test_the_title_of_a_definition(cited: ContextItem, title: str) -> None:
    """It says which source, and what is there."""
    citations = after({})
    citations.cite(cited)

    assert [each.text for each in citations.definitions([1, 2])] == [f'[1]: {A} "{title}"']


def test_what_is_cited() -> None:
    """What is escaped cites nothing; what follows an escaped backslash does."""
    assert marks(["[1] \\[2] \\\\[3] [^4] [x][5] [1234567890]"]) == {1, 3, 5}


def test_the_first_definition_holds() -> None:
    """As in Markdown, a later one of the same number says nothing."""
    assert definitions(cut(f"[1]: {A}\n[1]: {B}\n\ntext\n[2]: {B}\n")) == {1: A}
