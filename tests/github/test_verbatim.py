"""Whatever people write on GitHub is read in the item and in the document as GitHub shows it."""

from collections.abc import Callable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.literal_text import EXAMPLES, assert_quoted, assert_verbatim, leaves

from rove_core import escape_markdown
from rove_github import replies
from rove_github.items import GitHubItems
from rove_github.mentions import GitHubNames

ITEMS = GitHubItems(GitHubNames("github", "github.com", ()))


def _body(markdown: str) -> str:
    pull = replies.IssueReply(number=7, updated_at="2024-12-10T12:00:00Z", body=markdown)
    return ITEMS.issue(pull, "acme/api").content


def _inline(words: str) -> str:
    return escape_markdown(words, after="*")


#: Each way of writing in which words keep their places.
PLACES: Sequence[Callable[[str], str]] = (
    escape_markdown,
    lambda words: f"> {_inline(words)}",
    lambda words: f"- {_inline(words)}",
    lambda words: f"## {_inline(words)}",
    lambda words: f"**{_inline(words)}**",
    lambda words: f"[{_inline(words).replace('[', '(').replace(']', ')')}](https://a.example)",
    lambda words: "````````\n" + words + "\n````````",
)
#: The same with HTML around it.
TAGS: Sequence[str] = ("b", "sub", "kbd", "summary", "p", "li", "h2")


@settings(max_examples=EXAMPLES)
@given(leaves(), st.data())
def test_markdown(said: Sequence[str], data: st.DataObject) -> None:
    """Escaped signs, code, quotes, lists and headings."""
    said = [words.replace("[", "(").replace("]", ")").replace("`" * 8, "`") for words in said]
    parts = [data.draw(st.sampled_from(PLACES))(words) for words in said]

    assert_verbatim(_body("\n\n".join(parts)), said)


@settings(max_examples=EXAMPLES)
@given(leaves(), st.data())
def test_html_within_markdown(said: Sequence[str], data: st.DataObject) -> None:
    """Tags are marks; what only looks like one is text."""
    tags = [data.draw(st.sampled_from(TAGS)) for _ in said]
    parts = [
        f"so <{tag}>{_inline(words)}</{tag}> so" for tag, words in zip(tags, said, strict=True)
    ]

    assert_quoted(_body("\n\n".join(parts)), said)
