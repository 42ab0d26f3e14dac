"""A ticket's document names the files of the linked folder that are about the ticket."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from rove_core import ContextItem, ItemRef, estimated_tokens
from rove_folder.file_choice import fitting_lines
from rove_folder.project_folder import ProjectFolder
from rove_folder.section import sections

pytestmark = pytest.mark.anyio

LINES = {
    "retention.md": "/retention.md [text] Customer records are erased after 18 months",
    "warehouse.pdf": "/warehouse.pdf [pdf] TB-7: pallets go to the new hall in Bergen",
    "scan.png": "/scan.png [image] PNG image, 640 x 480",
}


def _ticket(title: str, content: str = "") -> ContextItem:
    return ContextItem(
        ref=ItemRef(account="jira", kind="issue", id="TB-7"),
        source="jira",
        role="ticket",
        title=title,
        content=content,
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    )


async def _section(linked: ProjectFolder, ticket: ContextItem, budget: int = 1_000) -> str:
    return "\n".join(each.content for each in await sections(ticket, budget, linked))


@pytest.mark.parametrize(
    ("title", "text", "chosen"),
    [
        ("Erase customer records", "", ["retention.md"]),
        ("Erased late", "The records of a customer stay for months.", ["retention.md"]),
        ("Nothing of it", "TB-7 is elsewhere", ["warehouse.pdf"]),
        ("Erase the cache", "It should be erased when it is full.", []),
        ("A new image file", "PNG or JPEG", []),
        ("", "", []),
    ],
)
def test_words_that_few_lines_have_choose_a_file(title: str, text: str, chosen: list[str]) -> None:
    """A file has the ticket's name, or several words of it that other files do not have."""
    assert fitting_lines(title, text, LINES, names=["TB-7"] if "it" in title else []) == chosen


async def test_a_document_names_the_files_about_its_ticket(
    linked: ProjectFolder, write: Callable[..., Path], scanned: Callable[..., object]
) -> None:
    """The files' paths and summaries are there, with the command that reads one."""
    write("legal/retention.md", "Customer records are erased after 18 months.")
    write("other.md", "About the price of tea.")
    await scanned()  # type: ignore[misc]  # a scan

    assert await _section(linked, _ticket("Erase customer records")) == (
        "Files that may help; read one with: rove folder read PATH\n\n"
        "- /legal/retention.md [text] Customer records are erased after 18 months"
    )
    assert await _section(linked, _ticket("Rotate the tokens")) == ""


async def test_the_section_keeps_its_budget(
    linked: ProjectFolder, write: Callable[..., Path], scanned: Callable[..., object]
) -> None:
    """What does not fit is left out; with no room at all there is no section."""
    for number in range(2):
        write(f"{number}.md", f"Customer records are erased. {'And more of it. ' * 40}{number}")
    await scanned()  # type: ignore[misc]  # a scan
    ticket = _ticket("Erase customer records")
    long, short = await _section(linked, ticket), await _section(linked, ticket, 120)

    assert (long.count("\n- "), short.count("\n- ")) == (2, 1)
    assert estimated_tokens(short) <= 120
    assert await _section(linked, ticket, 20) == ""


async def test_hostile_names_and_words_are_text(
    linked: ProjectFolder, write: Callable[..., Path], scanned: Callable[..., object]
) -> None:
    """A name or a summary adds no line, tag, link, code or heading."""
    write("erase\n# [customer](x.md) <i>records.md", "`Erase` <b>customer</b> ![records](/x).")
    await scanned()  # type: ignore[misc]  # a scan
    text = await _section(linked, _ticket("Erase customer records"))
    tokens = MarkdownIt("commonmark").parse(text)
    kinds = {each.type for token in tokens for each in (token, *(token.children or ()))}

    assert text.count("\n") == 2
    assert "records" in text
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "heading_open", "fence"}


async def test_a_project_without_a_folder_has_no_section(linked: ProjectFolder) -> None:
    """Before a scan, and after the folder was unlinked, there is nothing to name."""
    assert await _section(linked, _ticket("Erase customer records")) == ""
    linked.unlink()
    assert await _section(linked, _ticket("Erase customer records")) == ""
