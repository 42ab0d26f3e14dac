"""Whatever people write in Asana is read in the item and in the document as Asana shows it."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from tests.literal_text import assert_verbatim, leaves, six_of, text_of, tried

from rove_asana.items import AsanaItems
from rove_asana.references import AsanaReferences
from rove_asana.replies import AttachmentReply, StoryReply, TaskReply, WholeTask
from rove_asana.rich_text import markdown_to_rich_text, rich_text_to_markdown
from rove_core import escape_markdown
from rove_sim.asana.rich_text import inner

ITEMS = AsanaItems(AsanaReferences("asana"))
WAYS = (
    "{}",
    "<strong>{}</strong>",
    "<em>{}</em>",
    "<u>{}</u>",
    "<ul><li>{}</li></ul>",
    "<ol><li><s>{}</s></li></ol>",
    "<blockquote>{}</blockquote>",
    '<a href="https://a.example">{}</a>',
    '<a data-asana-gid="1" data-asana-type="user" href="https://app.asana.com/0/1">{}</a>',
    "<h1>{}</h1>",
)


def _content(whole: WholeTask) -> str:
    return ITEMS.item(whole).content


@tried([{"said": ["if a<b & c>dƢ0ƣ"], "ways": ["{}"]}], said=leaves(), ways=six_of(WAYS))
def test_descriptions(said: Sequence[str], ways: Sequence[str]) -> None:
    """In any element, with line breaks between."""
    parts = (way.format(escape(words)) for way, words in zip(ways, said, strict=False))
    html = "<body>" + "\n".join(parts) + "</body>"

    assert_verbatim(_content(WholeTask(task=TaskReply(gid="1", html_notes=html))), said)


@tried(said=leaves())
def test_titles_of_what_is_attached(said: Sequence[str]) -> None:
    """They are plain text."""
    attached = tuple(AttachmentReply(gid=words, name=words) for words in said)

    assert_verbatim(_content(WholeTask(task=TaskReply(gid="1"), attachments=attached)), said)


@tried(said=leaves())
def test_history(said: Sequence[str]) -> None:
    """It is plain text."""
    stories = tuple(
        StoryReply(gid=words, type="system", resource_subtype="section_changed", text=words)
        for words in said
    )
    item = ITEMS.item(WholeTask(task=TaskReply(gid="1"), stories=stories))

    assert_verbatim("\n\n".join(part.content for part in item.thread), said)


@tried(said=leaves())
def test_what_is_written_is_taken_and_read_back(said: Sequence[str]) -> None:
    """Every word of it."""
    said = [f"w {words}" for words in said]  # one bullet is as good as another
    html = markdown_to_rich_text("\n\n".join(map(escape_markdown, said)))
    inner(html, "html_notes")

    assert_verbatim(rich_text_to_markdown(html), said)


@tried(
    [
        {"markdown": "- a\n\n  > b\n\n      c\n- # d"},
        {"markdown": "> - a\n>\n> | b | c |\n> | - | - |\n> | d | e |"},
        {"markdown": "1) a\n   - b\n\n     ```\n     c\n     ```"},
    ],
    markdown=text_of("#-+>*_~`|[]()!<&\\ \n1.ab", 60),
)
def test_any_markdown_is_taken(markdown: str) -> None:
    """Whatever it means, Asana does not refuse it."""
    inner(markdown_to_rich_text(markdown), "html_notes")


def test_markdown_is_written_as_asana_has_it() -> None:
    """Two levels of headings, no tables, a list that begins later as lines."""
    markdown = "# A\n\n### B\n\n| c | d |\n| - | - |\n| e | f |\n\n3. g\n4. h\n\n- i\n  - j"

    assert markdown_to_rich_text(markdown) == (
        "<body><h1>A</h1>\n<h2>B</h2>\nc | d\ne | f\n\n3. g\n4. h\n"
        "<ul><li>i<ul><li>j</li></ul></li></ul></body>"
    )


def test_markdown_of_any_depth_is_written() -> None:
    """What is nested too deep is told as text."""
    assert "deep" in markdown_to_rich_text("> " * 20_000 + "deep")
