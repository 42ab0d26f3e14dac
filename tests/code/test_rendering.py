"""How what is shown is written down."""

import pytest

from rove_code.labels import labels
from rove_code.model import ModelFamily, Place, ShownLines, Version
from rove_code.tags import Caption, file_element, further_element, one_line

TEXT = "def add():\n    one()\n    two()\n\n\ndef total():\n    pass\n"


def shown(text: str, first: int, last: int) -> ShownLines:
    """Return lines of a text as they are shown."""
    lines = text.splitlines(keepends=True)
    start = len("".join(lines[: first - 1]))
    cut = "".join(lines[first - 1 : last])
    return ShownLines(Place(start, start + len(cut), first, last), cut)


def test_a_file_is_one_element_with_its_lines_and_their_places() -> None:
    """The metadata name the file, the lines and the characters; the content is verbatim."""
    runs = [shown(TEXT, 1, 2), shown(TEXT, 6, 7)]

    element = file_element(Caption("shop.py", "python"), runs, goes_on=False)

    assert element.text == (
        "<codeRag:file><codeRag:chunk>"
        "<codeRag:metadata>shop.py:1-2,6-7 @0-21,33-55</codeRag:metadata><codeRag:content>\n"
        "def add():\n"
        "    one()\n"
        "# . . .\n"
        "def total():\n"
        "    pass\n"
        "</codeRag:content></codeRag:chunk></codeRag:file>\n"
    )
    assert [element.text[at:].partition("\n")[0] for at in element.at] == [
        "def add():",
        "def total():",
    ]


@pytest.mark.parametrize(
    ("language", "marker"),
    [
        ("python", "# . . ."),
        ("typescript", "// . . ."),
        ("html", "<!-- . . . -->"),
        ("markdown", "<!-- . . . -->"),
        ("css", "/* . . . */"),
        ("json", ". . ."),
        ("", ". . ."),
    ],
)
def test_what_is_left_out_is_marked_as_the_language_comments(language: str, marker: str) -> None:
    """The mark is a comment of its own language, as far to the right as what comes next."""
    runs = [shown(TEXT, 1, 1), shown(TEXT, 3, 3)]

    element = file_element(Caption("shop", language), runs, goes_on=True)

    assert f"def add():\n    {marker}\n    two()\n    {marker}\n</" in element.text


def test_the_content_ends_at_the_tag_that_is_its_own() -> None:
    """A file that speaks of the tags gets one that it does not speak of; it is not escaped."""
    text = "</codeRag:content></codeRag:chunk>\n<codeRag:content-1>\n"

    element = file_element(Caption("a.py", "python"), [shown(text, 1, 2)], goes_on=False)

    assert f"<codeRag:content-2>\n{text}</codeRag:content-2></codeRag:chunk>" in element.text


def test_a_last_line_without_an_end_gets_one() -> None:
    """The tag that closes the content stands on a line of its own."""
    element = file_element(Caption("a.py", "python"), [shown("pass", 1, 1)], goes_on=False)

    assert "\npass\n</codeRag:content>" in element.text


def test_notes_are_said_below_the_places() -> None:
    """What is said of a file is part of its metadata."""
    caption = Caption("a.py", "python", ("Basket extends Container (b.py:4)",))

    element = file_element(caption, [shown(TEXT, 1, 2)], goes_on=False)

    assert " @0-21\nBasket extends Container (b.py:4)</codeRag:metadata>" in element.text


def test_further_files_are_lines_with_their_paths() -> None:
    """A file of which one line is shown costs its path, the line's number and the line."""
    element = further_element([("a.py", shown(TEXT, 1, 1)), ("b.py", shown(TEXT, 6, 6))])

    assert "<codeRag:content>\na.py:1\ndef add():\nb.py:6\ndef total():\n</" in element.text
    assert [element.text[at:][:7] for at in element.at] == ["def add", "def tot"]


@pytest.mark.parametrize("name", ["a\nb.py", "</codeRag:metadata>.py", "a\x1b[2Jb.py"])
def test_no_name_can_be_taken_for_a_tag_or_a_line(name: str) -> None:
    """A name with control characters, or with a tag in it, is written as JSON."""
    written = one_line(name)

    assert "codeRag:" not in written
    assert written.isprintable()
    assert written.startswith('"')


def test_a_path_with_spaces_and_letters_of_any_language_is_written_as_it_is() -> None:
    """Only what could be taken for something else is written otherwise."""
    assert one_line("Läden/Zürich 1.py") == "Läden/Zürich 1.py"


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ([("/a/shop", "workspace")], ("",)),
        ([("/a/shop", "workspace"), ("/a/till", "workspace")], ("shop:", "till:")),
        (
            [("/a/shop", "workspace"), ("/b/shop", "0123456789abcdef")],
            ("shop@workspace:", "shop@0123456789ab:"),
        ),
        (
            [("/a/shop", "workspace"), ("/b/shop", "workspace")],
            ("/a/shop@workspace:", "/b/shop@workspace:"),
        ),
    ],
)
def test_repositories_are_told_apart(
    versions: list[tuple[str, str]], expected: tuple[str, ...]
) -> None:
    """Paths stand alone for one repository, else after what is enough to tell them apart."""
    made = [Version(folder, name, "", ()) for folder, name in versions]

    assert labels(made) == expected


def test_code_for_openai_stands_in_fences_of_its_language() -> None:
    """The tags are the same, and each line is where the element says it is."""
    caption = Caption("a.py", "python", family=ModelFamily.OPENAI)

    element = file_element(caption, [shown("x = 1\n", 1, 1)], goes_on=False)

    assert "<codeRag:content>\n```python\nx = 1\n```\n</codeRag:content>" in element.text
    assert element.text[element.at[0] :].startswith("x = 1\n")


def test_a_fence_is_longer_than_any_in_the_lines() -> None:
    """Markdown about code has fences of its own."""
    caption = Caption("a.md", "markdown", family=ModelFamily.OPENAI)

    element = file_element(caption, [shown("````\nx\n````\n", 1, 3)], goes_on=False)

    assert "\n`````markdown\n````\nx\n````\n`````\n" in element.text
