"""Whatever people write on GitHub is read in the item and in the document as GitHub shows it."""

from collections.abc import Callable, Sequence

from tests.literal_text import assert_quoted, assert_verbatim, leaves, six_of, tried

from rove_core import escape_markdown
from rove_github import replies
from rove_github.items import GitHubItems
from rove_github.references import GitHubNames

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
    lambda words: f"## {_inline(words)} so",  # signs at its end would be its own
    lambda words: f"**{_inline(words)}**",
    lambda words: f"[{_inline(words).replace('[', '(').replace(']', ')')}](https://a.example)",
    lambda words: "````````\n" + words + "\n````````",
)
#: The same with HTML around it.
TAGS: Sequence[str] = ("b", "sub", "kbd", "summary", "p", "li", "h2")


@tried(said=leaves(), places=six_of(PLACES))
def test_markdown(said: Sequence[str], places: Sequence[Callable[[str], str]]) -> None:
    """Escaped signs, code, quotes, lists and headings."""
    said = [words.replace("[", "(").replace("]", ")").replace("`" * 8, "`") for words in said]
    parts = [place(words) for place, words in zip(places, said, strict=False)]

    assert_verbatim(_body("\n\n".join(parts)), said)


@tried(said=leaves(), tags=six_of(TAGS))
def test_html_within_markdown(said: Sequence[str], tags: Sequence[str]) -> None:
    """Tags are marks; what only looks like one is text."""
    parts = [
        f"so <{tag}>{_inline(words)}</{tag}> so" for tag, words in zip(tags, said, strict=False)
    ]

    assert_quoted(_body("\n\n".join(parts)), said)


@tried(said=leaves(lines=True))
def test_commit_messages(said: Sequence[str]) -> None:
    """They are no Markdown: all but code between backticks is as it was typed."""
    said = [words.replace("`", "'") for words in said]
    made = replies.GitCommit(message="\n".join([*said, "as `List<A>` says"]))
    commit = replies.CommitReply(sha="1a2b3c4", commit=made)

    shown = ITEMS.commit(commit, "acme/api").content
    assert_verbatim(shown, said)
    assert "`List<A>`" in shown
