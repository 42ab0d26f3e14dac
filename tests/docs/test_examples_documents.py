"""The documents that are shown as examples."""

import pytest
from docs_src.examples import FOLDER, TICKETS, document_of

from rove_core.build.write.blocks import cut
from rove_core.build.write.citations import definitions, marks


def test_an_example_is_what_rove_writes_now() -> None:
    """If this fails, run python -m docs_src.examples, and judge what changed in README.md."""
    expected = (FOLDER / "SEC-17.md").read_text("utf-8")

    assert expected == document_of("SEC-17")


def test_each_example_is_there_and_judged() -> None:
    """There is a document for each ticket, and a chapter about it."""
    judged = (FOLDER / "README.md").read_text("utf-8")

    assert {file.stem for file in FOLDER.glob("*.md")} == {*TICKETS, "README"}
    assert [each for each in TICKETS if f"\n## [{each}]({each}.md)" not in judged] == []


@pytest.mark.parametrize("ticket", TICKETS)
def test_what_an_example_cites_is_defined(ticket: str) -> None:
    """No number leads nowhere, and no definition is there for nothing."""
    pieces = cut((FOLDER / f"{ticket}.md").read_text("utf-8"))
    told = (str(each) for each in pieces if each.kind not in {"code", "definition"})

    assert marks(told) == definitions(pieces).keys()
