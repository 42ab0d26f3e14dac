"""Whatever people type into Slack is read in the item and in the document as they typed it."""

import re
from collections.abc import Callable, Sequence

import pytest
from tests.literal_text import assert_verbatim, leaves, six_of, some_of, tried

from rove_core import JSON, Http
from rove_slack.blocks import SlackBlocks
from rove_slack.messages import ThreadMessage
from rove_slack.mrkdwn import markdown
from rove_slack.names import SlackNames

#: What is a sign in mrkdwn, and bullets.
_SIGNS = re.compile(r"[*_~`•◦▪]")
STYLES = ("bold", "italic", "strike")


@pytest.fixture
def names() -> SlackNames:
    """Give names of which none is known."""
    return SlackNames(Http(account="slack", base_url="https://slack.invalid"))


def _text(words: str, *styles: str) -> JSON:
    return {"type": "text", "text": words, "style": dict.fromkeys(styles, True)}


def _rich(kind: str, *elements: JSON, **more: JSON) -> JSON:
    return {"type": "rich_text", "elements": [{"type": kind, "elements": [*elements], **more}]}


def _list(style: str, words: JSON) -> JSON:
    section: JSON = {"type": "rich_text_section", "elements": [words]}
    return _rich("rich_text_list", section, style=style)


def _plain(words: str) -> JSON:
    return {"type": "plain_text", "text": words}


#: Each place of a block that holds plain text.
PLACES: Sequence[Callable[[str], JSON]] = (
    lambda words: _rich("rich_text_section", _text(words)),
    lambda words: _rich("rich_text_quote", _text(words)),
    lambda words: _rich("rich_text_preformatted", _text(words)),
    lambda words: _rich("rich_text_section", _text(words, "code")),
    lambda words: _list("bullet", _text(words)),
    lambda words: _list("ordered", _text(words)),
    lambda words: _rich(
        "rich_text_section", {"type": "link", "url": "https://a.ex", "text": words}
    ),
    lambda words: {"type": "header", "text": _plain(words)},
    lambda words: {"type": "section", "text": _plain(words)},
    lambda words: {"type": "section", "fields": [_plain(words)]},
    lambda words: {"type": "context", "elements": [_plain(words)]},
    lambda words: {"type": "image", "image_url": "https://i.ex", "alt_text": words},
    lambda words: {"type": "image", "image_url": "https://i.ex", "title": _plain(words)},
    lambda words: {"type": "table", "rows": [[{"type": "raw_text", "text": words}]]},
    lambda words: {"type": "actions", "elements": [{"type": "button", "text": _plain(words)}]},
    lambda words: {"type": "novelty", "words": words},
)


@tried(said=leaves(), places=six_of(PLACES))
def test_text_in_each_place_of_a_block(
    names: SlackNames, said: Sequence[str], places: Sequence[Callable[[str], JSON]]
) -> None:
    """Angle brackets, entities, ticks, bars and marks, in any script, in each kind of block."""
    blocks = [place(words) for place, words in zip(places, said, strict=False)]

    assert_verbatim(SlackBlocks(names).markdown(blocks), said)


@tried(said=leaves(), styles=some_of(STYLES, 2))
def test_texts_with_styles_in_one_line(
    names: SlackNames, said: Sequence[str], styles: Sequence[Sequence[str]]
) -> None:
    """However a line is cut into texts, and however each of them is styled."""
    line = [_text(words, *each) for words, each in zip(said, styles, strict=False)]

    assert_verbatim(SlackBlocks(names).markdown([_rich("rich_text_section", *line)]), said)


@tried(said=leaves(lines=True))
def test_mrkdwn_with_the_letters_that_slack_escapes(names: SlackNames, said: Sequence[str]) -> None:
    """What is no sign of mrkdwn is literal."""
    lines = [_SIGNS.sub("", words).split("\n") for words in said]
    typed = ["\n".join(line.lstrip("> ") for line in each) for each in lines]
    sent = "\n".join(typed).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    assert_verbatim(markdown(sent, names), typed)


@tried(said=leaves())
def test_names_and_titles_beside_the_words(names: SlackNames, said: Sequence[str]) -> None:
    """Files, and the titles of what programs attach."""
    told = [words.strip() for words in said]
    message: dict[str, JSON] = {
        "attachments": [{"title": _sent(words)} for words in told[:2]],
        "files": [{"name": words} for words in told[2:]],
    }

    assert_verbatim(ThreadMessage(message, names).content, told)


def _sent(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
