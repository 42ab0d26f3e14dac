"""Document trees as Markdown: how each thing in them is written."""

from typing import Any

import pytest

from rove_core import JSON, adf_to_markdown


def node(kind: str, *content: JSON, **attrs: JSON) -> dict[str, JSON]:
    """Return a node."""
    return {"type": kind, "attrs": attrs, "content": [*content]}


def text(words: str, *marks: str, **link: str) -> dict[str, JSON]:
    """Return words with marks; ``href`` makes them a link."""
    named: list[JSON] = [{"type": mark} for mark in marks]
    return {
        "type": "text",
        "text": words,
        "marks": named + ([mark("link", **link)] if link else []),
    }


def mark(kind: str, **attrs: JSON) -> JSON:
    """Return a mark."""
    return {"type": kind, "attrs": attrs}


def para(*content: JSON) -> dict[str, JSON]:
    """Return a paragraph of words and nodes."""
    return node("paragraph", *(text(each) if isinstance(each, str) else each for each in content))


def item(*content: JSON) -> dict[str, JSON]:
    """Return an item of a list."""
    return node("listItem", *(para(each) if isinstance(each, str) else each for each in content))


def row(kind: str, *cells: str) -> dict[str, JSON]:
    """Return a row of cells of one kind."""
    return node("tableRow", *(node(kind, para(cell)) for cell in cells))


def markdown(*content: JSON, **known: Any) -> str:  # noqa: ANN401  # names of people and files
    """Return the Markdown of a document."""
    return adf_to_markdown(node("doc", *content), **known)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([text("a", "strong")], "**a**"),
        ([text("a", "em"), text("b", "strike")], "*a*~~b~~"),
        ([text("a ", "strong"), text("b")], "**a** b"),
        ([text("a", "strong"), text(" b", "strong", "em"), text("c")], "**a *b***c"),
        ([text("a", "underline", "textColor", "unheardOf")], "a"),
        ([text("a", "code"), text("b`c", "code", "strong")], "`a`**``b`c``**"),
        ([text("`", "code")], "`` ` ``"),
        ([text("see", href="https://a.example/b c")], "[see](https://a.example/b%20c)"),
        ([text("https://a.example", href="https://a.example")], "https://a.example"),
        ([text("a[1]", "strong", href="https://a.example")], "[**a\\[1\\]**](https://a.example)"),
        ([text("x"), {"type": "text", "text": "2", "marks": [mark("subsup", type="sup")]}], "x^2"),
        ([text("H"), {"type": "text", "text": "2", "marks": [mark("subsup", type="sub")]}], "H_2"),
        ([text("a"), {"type": "hardBreak"}, text("b")], "a\nb"),
        ([text("```"), {"type": "hardBreak"}, text("b")], "\\`\\`\\`\nb"),
    ],
)
def test_words_with_marks(words: list[JSON], expected: str) -> None:
    """Marks that Markdown does not know leave the words as they are."""
    assert markdown(node("paragraph", *words)) == expected


@pytest.mark.parametrize(
    ("inline", "expected"),
    [
        (node("mention", id="u1", text="@Robin Doe"), "@Robin Doe"),
        (node("mention", id="u1", text="Robin"), "@Robin"),
        (node("mention", id="u1"), "@Mike Torres"),
        (node("mention", id="u2"), "@u2"),
        (node("date", timestamp="1734652800000"), "2024-12-20"),
        (node("date", timestamp="soon"), "soon"),
        (node("emoji", shortName=":tada:", text="🎉"), "🎉"),
        (node("emoji", shortName=":tada:"), ":tada:"),
        (node("status", text="DONE", color="green"), "**DONE**"),
        (node("inlineCard", url="https://a.example/b"), "https://a.example/b"),
        (
            node("inlineCard", data={"name": "Plan", "url": "https://a.example"}),
            "Plan https://a.example",
        ),
        (node("mediaInline", id="m1", type="file"), "[attachment: plan.pdf]"),
        (node("placeholder", text="Type here"), "Type here"),
        (node("inlineExtension", text="a macro", extensionKey="x"), "a macro"),
        (node("neverHeardOf", title="a title", text="a text"), "a title a text"),
    ],
)
def test_things_within_a_line(inline: JSON, expected: str) -> None:
    """Each says what a reader of the page would see."""
    known = {"people": {"u1": "Mike Torres"}, "files": {"m1": "plan.pdf"}}

    assert markdown(para("See", inline, "."), **known).replace(" ", "") == (
        f"See{expected}.".replace(" ", "")
    )


def test_cards_are_not_glued_to_words() -> None:
    """An address ends where a space is."""
    card = node("inlineCard", url="https://a.example")

    assert markdown(para("see", card, "and")) == "see https://a.example and"
    assert markdown(para("see ", card, ".")) == "see https://a.example."


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (node("heading", text("T"), level=3), "### T"),
        (node("heading", text("T")), "# T"),
        (node("blockquote", para("a"), para("b")), "> a\n>\n> b"),
        (node("codeBlock", text("a\n  b"), language="python"), "```python\na\n  b\n```"),
        (node("codeBlock", text("```\na\n````")), "`````\n```\na\n````\n`````"),
        (node("rule"), "---"),
        (node("panel", para("a"), panelType="warning"), "> **Warning:** a"),
        (node("panel", node("rule"), panelType="info"), "> **Info:**\n>\n> ---"),
        (node("panel", para("a"), panelType="custom"), "> a"),
        (node("expand", para("a"), title="More"), "**More**\n\na"),
        (node("nestedExpand", para("a")), "a"),
        (
            node("layoutSection", node("layoutColumn", para("a")), node("layoutColumn", para("b"))),
            "a\n\nb",
        ),
        (
            node("mediaSingle", node("media", id="m1", type="file"), node("caption", text("c"))),
            "[attachment: plan.pdf]\n\nc",
        ),
        (node("media", type="external", url="https://a.example/x.png"), "https://a.example/x.png"),
        (
            node("mediaGroup", node("media", alt="a.png"), node("media")),
            "[attachment: a.png]\n\n[attachment]",
        ),
        (node("blockCard", url="https://a.example"), "https://a.example"),
        (node("embedCard", url="https://a.example"), "https://a.example"),
        (node("syncBlock", resourceId="r"), "[synced block]"),
        (node("bodiedSyncBlock", para("a")), "a"),
        (node("extension", text="a macro", extensionKey="x"), "a macro"),
        (node("neverHeardOf", para("a"), text("b")), "a\n\nb"),
        (
            node("decisionList", node("decisionItem", text("a"), state="DECIDED")),
            "- **Decision:** a",
        ),
    ],
)
def test_blocks(block: JSON, expected: str) -> None:
    """Each is a block of Markdown, or what is in it."""
    assert markdown(block, files={"m1": "plan.pdf"}) == expected


def test_lists_in_lists() -> None:
    """What is below an item stands below its first word, whatever its mark is."""
    inner = node("orderedList", item("n"), item("m", node("codeBlock", text("x\ny"))), order=9)

    assert markdown(node("bulletList", item("a", inner), item("b"))) == (
        "- a\n  9. n\n\n  10. m\n\n      ```\n      x\n      y\n      ```\n\n- b"
    )


def test_tasks_in_tasks() -> None:
    """A list of tasks in the place of a task belongs to the task before it."""
    done = node("taskItem", text("b"), state="DONE")
    tasks = node("taskList", node("taskItem", text("a"), state="TODO"), node("taskList", done))

    assert markdown(tasks) == "- [ ] a\n  - [x] b"


def test_a_table_of_lines() -> None:
    """A row of heads is the head; a pipe in a cell is no border, nor is one in code."""
    cells = node(
        "tableRow",
        node("tableCell", para("a"), para("b")),
        node("tableCell", para(text("x|y", "code"))),
    )

    assert markdown(node("table", row("tableHeader", "A", "B|C"), cells)) == (
        "| A | B\\|C |\n| --- | --- |\n| a · b | `x\\|y` |"
    )


def test_a_table_with_wide_and_high_cells() -> None:
    """What a cell covers is empty; heads of columns that are no row of heads are strong."""
    high = node("tableHeader", para("H"), rowspan=2)
    wide = node("tableCell", para("W"), colspan=2)
    first = node("tableRow", high, node("tableCell", para("a")))

    assert markdown(node("table", first, row("tableCell", "b"), node("tableRow", wide))) == (
        "|  |  |\n| --- | --- |\n| **H** | a |\n|  | b |\n| W |  |"
    )


def test_a_table_with_lists_in_its_cells() -> None:
    """It keeps its columns: a list is a line of points."""
    steps = node("orderedList", item("x"), item("y"))
    cell = node("tableCell", para("a"), node("bulletList", item("b", steps)))
    table = node("table", row("tableHeader", "A", "B"), node("tableRow", cell, node("tableCell")))

    assert markdown(table) == "| A | B |\n| --- | --- |\n| a · • b 1. x 2. y |  |"


def test_a_head_that_is_strong_already() -> None:
    """It is marked once."""
    high = node("tableHeader", para(text("H", "strong")))
    table = node("table", node("tableRow", high, node("tableCell", para("a"))))

    assert markdown(table) == "|  |  |\n| --- | --- |\n| **H** | a |"


def test_a_link_on_an_image() -> None:
    """Where it leads is said."""
    image = {**node("media", alt="a.png"), "marks": [mark("link", href="https://a.example")]}

    assert markdown(node("mediaSingle", image)) == "[\\[attachment: a.png\\]](https://a.example)"


def test_a_table_with_blocks_in_its_cells() -> None:
    """It is a list of rows, each of them a list of cells."""
    cell = node("tableCell", para("a"), node("codeBlock", text("x\ny")))
    table = node("table", row("tableHeader", "A", "B"), node("tableRow", cell, node("tableCell")))

    assert markdown(table) == "- - **A**\n  - **B**\n\n- - a\n\n    ```\n    x\n    y\n    ```\n  -"


@pytest.mark.parametrize("document", [None, 7, True, [], {}, {"type": "doc"}, {"content": 3}])
def test_what_is_no_document_says_nothing(document: JSON) -> None:
    """It is no error either."""
    assert adf_to_markdown(document) == ""


def test_a_text_in_the_place_of_a_document_is_read() -> None:
    """Older fields hold their words as they are."""
    assert adf_to_markdown("h1. So it was") == "h1. So it was"


@pytest.mark.parametrize("kind", ["bulletList", "blockquote", "neverHeardOf", "table", "text", ""])
def test_no_depth_is_too_deep(kind: str) -> None:
    """Words at the bottom of a thousand nodes are read, on no more stack than others."""
    deep: JSON = text("bottom")
    for _ in range(900):
        deep = {"type": kind, "content": [deep]}

    assert adf_to_markdown(deep).count("bottom") == 1
