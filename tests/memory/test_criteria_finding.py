"""Which lines of a description are acceptance criteria."""

import os

import pytest
from benchmarks.criteria import as_adf
from hypothesis import given, settings
from hypothesis import strategies as st

from rove_memory.criteria.rules import criteria_of_field, find_criteria, to_markdown

EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "50"))


def _texts(markdown: str) -> list[str]:
    return [one.text for one in find_criteria(markdown)]


@pytest.mark.parametrize(
    "heading",
    [
        "## Acceptance Criteria",
        "### AC",
        "**Acceptance criteria:**",
        "Acceptance Criteria:",
        "__ACs__",
        "## 3. Success Criteria (must have)",
        "Exit criteria:",
        "Done when:",
        "## This is done when",
        "# Acceptance",
        "Akzeptanzkriterien:",
        "## Critères d'acceptation",
        "## 验收标准",
        "受け入れ基準：",  # noqa: RUF001  # the colon that Japanese has
        "Acceptance criteria\n-------------------",
        "> **Acceptance criteria**\n>",
    ],
)
def test_takes_the_list_below_a_heading(heading: str) -> None:
    """Whatever the heading is called and however it is marked, its list is the criteria."""
    quoted = "> " if heading.startswith(">") else ""
    text = (
        f"Upload avatars.\n\n{heading}\n{quoted}- Files over 5 MB are refused\n{quoted}- PNG works"
    )

    assert _texts(text) == ["Files over 5 MB are refused", "PNG works"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Acceptance criteria\n- [ ] one works\n- [x] two works\n## Notes\n- three", 2),
        ("## Acceptance criteria\n1. one works\n   - a detail\n2. two works", 2),
        ("Acceptance criteria:\n- one works\n\nFile: docs/a.md\n\n- not this one", 1),
        ("## Acceptance criteria\n**Backend:**\n- one works\n\n**Frontend:**\n- two works", 2),
        ("## Acceptance criteria\n- one works\n### Definition of Done\n- [ ] tests pass", 1),
        ("## Acceptance criteria\nThe page loads.\n\nThe page prints.", 2),
        ("Acceptance criteria: the page loads at once", 1),
        ("## Acceptance criteria\n- one works\n\n**Linked pages:**\n\n- The fix: https://x.y", 1),
        (
            "## Acceptance\n| # | What |\n|--|--|\n| 1 | one works |\n| 2 | two works |",
            2,
        ),
        ("## Acceptance criteria\n- ☐ one works\n- ☑ two works\n- (/) three works", 3),
        ("## Acceptance criteria\n- ~~one works~~\n- two works", 1),
        ("## Acceptance criteria\n- Backend:\n  - [ ] one works\n  - [ ] two works", 2),
        ("# A\n## Acceptance criteria\n- one works\n# B\n## Success criteria\n- two works", 2),
        ("## Acceptance criteria\n- same words\n- Same words.", 1),
        ("Build it.\n- [ ] one works\n- [ ] two works", 2),
        ("## Requirements\n- [ ] one works", 1),
    ],
)
def test_takes_as_many_as_there_are(text: str, expected: int) -> None:
    """Groups, boxes, tables, paragraphs and single lines are read as people mean them."""
    assert len(_texts(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The page must load, and it should print.",
        "## Tasks\n- [ ] write it\n- [ ] test it",
        "## Definition of Done\n- [ ] the linter is silent",
        "# Pull Request Checklist\n- [ ] I have read the guide",
        "Thanks for the report!\n- [ ] it happens on main",
        "- [ ] I have searched for others like it",
        "## Acceptance criteria\n- [ ] Criterion 1\n- [ ] [what works]\n- TBD",
        "## Acceptance criteria\n<!-- - [ ] hidden from readers -->",
        "---\ntitle: Acceptance criteria\n---\n- a list",
        "## Steps to reproduce\n1. open it\n2. see",
        "```md\n## Acceptance criteria\n- [ ] an example\n```",
        "Example: a box with a lid.\nIt is given to all.",
        "",
    ],
)
def test_leaves_what_is_none(text: str) -> None:
    """Tasks, forms, placeholders, examples and wishes are not criteria."""
    assert _texts(text) == []


def test_takes_a_scenario_as_one_criterion() -> None:
    """A scenario ends where the next begins; its background and quoted text are not criteria."""
    text = (
        "Feature: avatars\n\n  Background:\n    Given a user\n\n"
        '  Scenario: too big\n    Given a file:\n      """\n      Scenario: not this\n'
        '        Given nothing\n      """\n    When it is sent\n    Then it is refused\n\n'
        "  @slow\n  Scenario: right\n    When a PNG is sent\n    Then it is shown\n"
    )

    first, second = find_criteria(text)

    assert (first.text.split("\n")[0], second.text.split("\n")[0]) == ("too big", "right")
    assert second.text.split("\n")[1:] == ["When a PNG is sent", "Then it is shown"]
    assert first.reason == "a scenario of Given, When and Then"


def test_takes_steps_in_items_as_one_criterion() -> None:
    """Given, When and Then in items of their own belong together; one line may hold all three."""
    text = (
        "## Acceptance criteria\n- **Given** a user\n- **When** they log in\n- **Then** they see\n"
        "- Given no user, when a page opens, then the login opens"
    )

    assert _texts(text) == [
        "Given a user\nWhen they log in\nThen they see",
        "Given no user, when a page opens, then the login opens",
    ]


def test_says_why_and_where() -> None:
    """A criterion names its rule, its headings and its line, and whether its box is ticked."""
    (found,) = find_criteria("# Story\n\n## AC\n### Upload\n- [x] **PNG** works in `a.py`")

    assert found.text == "PNG works in `a.py`"
    assert found.reason == "listed under “AC”"
    assert (found.section, found.line, found.checked) == (("Story", "AC", "Upload"), 5, True)


def test_takes_further_headings_from_the_settings() -> None:
    """A project may call its criteria differently."""
    text = "## What must work\n- one works"

    assert find_criteria(text) == ()
    assert [one.text for one in find_criteria(text, headings=["What must work:"])] == ["one works"]


def test_reads_a_field_of_its_own_without_a_heading() -> None:
    """Azure DevOps keeps criteria in a field: all that is listed there is one."""
    html = "<div>The page:</div><ul><li>loads<br></li><li>prints</li></ul>"

    found = criteria_of_field(to_markdown(html, "html"))

    assert [(one.text, one.rule) for one in found] == [("loads", "field"), ("prints", "field")]


def test_reads_a_document_that_is_only_a_tree() -> None:
    """Boxes of Atlassian's editor are boxes; ticked ones are known as such."""
    tree = as_adf("## Acceptance criteria\n- [ ] one works\n- [x] two works")

    found = find_criteria(to_markdown(tree, "adf"))

    assert [(one.text, one.checked) for one in found] == [("one works", False), ("two works", True)]


_WORDS = st.lists(
    st.sampled_from(["user", "file is", "shown twice", "5 MB", "`a_b.py`", "x*y", "login", "a_b"]),
    min_size=2,
    max_size=6,
).map(" ".join)


@settings(max_examples=EXAMPLES)
@given(st.lists(_WORDS, min_size=1, max_size=5, unique=True), st.booleans())
def test_finds_the_same_in_every_markup(items: list[str], boxes: bool) -> None:  # noqa: FBT001  # drawn
    """Markdown, wiki markup, HTML and document trees of one list give the same criteria."""
    items = [f"item {at} {words}" for at, words in enumerate(items)]
    box = "[ ] " if boxes else ""
    code = [words.replace("`a_b.py`", "{{a_b.py}}") for words in items]
    wiki = "h2. Acceptance Criteria\n\n" + "\n".join(f"* {box}{words}" for words in code)
    html = "<h2>Acceptance Criteria</h2><ul>" + "".join(
        f"<li>{'☐ ' if boxes else ''}{words.replace('`a_b.py`', '<code>a_b.py</code>')}</li>"
        for words in items
    )
    markdown = "## Acceptance Criteria\n\n" + "\n".join(f"- {box}{words}" for words in items)
    tree = as_adf(markdown)

    expected = _texts(markdown)

    assert expected == items
    assert _texts(to_markdown(wiki, "wiki")) == expected
    assert _texts(to_markdown(html, "html")) == expected
    assert _texts(to_markdown(tree, "adf")) == expected


@settings(max_examples=EXAMPLES)
@given(st.text(alphabet='-*# \n|>[]x`~:1.AC"ab@<!', max_size=200))
def test_takes_any_text(text: str) -> None:
    """No text is an error, and no criterion is without words."""
    assert all(one.text.strip() for one in find_criteria(f"## AC\n{text}"))


def test_takes_time_in_proportion() -> None:
    """A long description with deep lists and many boxes is read at once."""
    text = "## AC\n" + "\n".join(f"{' ' * (at % 40)}- [ ] item {at} works" for at in range(3000))

    assert len(find_criteria(text)) > 1
