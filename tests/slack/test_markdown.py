"""What Slack writes as Markdown: mrkdwn, rich text, blocks, attachments."""

from collections.abc import Mapping

import pytest

from rove_core import JSON, Http
from rove_slack.blocks import SlackBlocks
from rove_slack.messages import ThreadMessage
from rove_slack.mrkdwn import markdown
from rove_slack.names import SlackNames


@pytest.fixture
def names() -> SlackNames:
    """Give names of which none is known."""
    return SlackNames(Http(account="slack", base_url="https://slack.invalid"))


def _text(words: str, **style: bool) -> dict[str, JSON]:
    return {"type": "text", "text": words, **({"style": dict(style)} if style else {})}


def _rich(*elements: JSON) -> list[JSON]:
    return [{"type": "rich_text", "elements": list(elements)}]


def _section(*elements: JSON) -> dict[str, JSON]:
    return {"type": "rich_text_section", "elements": list(elements)}


def _list(style: str, *items: JSON, **more: JSON) -> dict[str, JSON]:
    return {"type": "rich_text_list", "style": style, "elements": list(items), **more}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("*bold* _italic_ ~gone~ `a*b*c`", "**bold** *italic* ~~gone~~ `a*b*c`"),
        ("*_both_*", "***both***"),
        ("2*3*4 snake_case_name a~b~c", "2\\*3\\*4 snake_case_name a\\~b\\~c"),
        ("* no bold * and _ no italic _", "* no bold * and _ no italic _"),
        ("```x &lt; *y*\nz```", "```\nx < *y*\nz\n```"),
        ("so: ```a``` b", "so: \n```\na\n```\n b"),
        ("a ` b", "a \\` b"),
        ("&amp;lt; &lt;b&gt; a &lt; b", "\\&lt; \\<b> a < b"),
        ("&gt; quoted\n• one\n• two", "> quoted\n- one\n- two"),
        ("<@U1> <@U1|ann>", "@U1 @U1"),
        ("<#C1|general> <#C2>", "#general #C2"),
        ("<!here> <!subteam^S1|@admins> <!channel|channel>", "@here @admins @channel"),
        ("<!date^1734264000^{date}|Dec 15> <!date^1734264000^x>", "Dec 15 2024-12-15 12:00 UTC"),
        ("<https://a.example/?b=1&amp;c=2>", "https://a.example/?b=1&c=2"),
        ("<https://a.example/b|the plan>", "the plan (https://a.example/b)"),
        ("<https://a.example/|a.example>", "https://a.example/"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("*see <https://a.example|the plan>*", "**see the plan (https://a.example)**"),
        ("<T> is a type", "\\<T> is a type"),
        ("<>", "<>"),
        ("", ""),
    ],
)
def test_mrkdwn_becomes_markdown(names: SlackNames, said: str, expected: str) -> None:
    """Marks, mentions, links, dates and the three escaped letters are told as Markdown has them."""
    assert expected == markdown(said, names)


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (_rich(_section(_text("a "), _text("b ", bold=True), _text("c"))), "a **b** c"),
        (_rich(_section(_text("x", bold=True), _text("y", bold=True))), "**xy**"),
        (_rich(_section(_text("a`b", code=True, bold=True))), "**``a`b``**"),
        (_rich(_section(_text("one\ntwo", italic=True))), "*one*\n*two*"),
        (_rich(_section(_text("a <b> & c"))), "a \\<b> & c"),
        (
            _rich(_list("ordered", _section(_text("a")), _section(_text("b")), offset=2)),
            "3. a\n4. b",
        ),
        (
            _rich(
                _list("bullet", _section(_text("a"))),
                _list("bullet", _section(_text("b\nc")), indent=1),
                _section(_text("after")),
            ),
            "- a\n    - b\n      c\n\nafter",
        ),
        (_rich({"type": "rich_text_quote", "elements": [_text("a\nb")]}), "> a\n> b"),
        (
            _rich({"type": "rich_text_preformatted", "elements": [_text("a < `b`\n```")]}),
            "````\na < `b`\n```\n````",
        ),
        (
            _rich(
                _section(
                    {"type": "user", "user_id": "U1"},
                    _text(" "),
                    {"type": "channel", "channel_id": "C1"},
                    _text(" "),
                    {"type": "usergroup", "usergroup_id": "S1"},
                    _text(" "),
                    {"type": "broadcast", "range": "here"},
                    _text(" "),
                    {"type": "emoji", "name": "wave", "unicode": "1f44b", "skin_tone": 2},
                    _text(" "),
                    {"type": "date", "timestamp": 1734264000, "format": "{date}"},
                    _text(" "),
                    {"type": "color", "value": "#ff0000"},
                    _text(" "),
                    {"type": "link", "url": "https://a.ex", "text": "plan"},
                )
            ),
            "@U1 #C1 @S1 @here :wave::skin-tone-2: 2024-12-15 12:00 UTC #ff0000 plan (https://a.ex)",
        ),
        ([{"type": "header", "text": {"type": "plain_text", "text": "Deploy"}}], "**Deploy**"),
        (
            [
                {
                    "type": "section",
                    "fields": [{"type": "mrkdwn", "text": "*b*"}],
                    "text": {"type": "mrkdwn", "text": "a"},
                    "accessory": {
                        "type": "button",
                        "action_id": "x",
                        "value": "y",
                        "url": "https://a.example",
                        "text": {"type": "plain_text", "text": "Open"},
                    },
                },
                {"type": "divider"},
                {
                    "type": "context",
                    "elements": [
                        {"type": "image", "image_url": "https://i.example", "alt_text": "logo"},
                        {"type": "mrkdwn", "text": "by <@U1>"},
                    ],
                },
            ],
            "a\n**b**\nOpen (https://a.example)\n\n[image: logo] by @U1",
        ),
        (
            [
                {
                    "type": "table",
                    "column_settings": [{"align": "right"}],
                    "rows": [
                        [{"type": "raw_text", "text": "a|b"}, {"type": "raw_text", "text": "c"}],
                        [{"type": "rich_text", "elements": [_section(_text("d\ne"))]}],
                    ],
                }
            ],
            "| a\\|b | c |\n| --- | --- |\n| d e |  |",
        ),
        ([{"type": "markdown", "text": "# As *it* is"}], "# As *it* is"),
        ([{"type": "novelty", "pages": [{"type": "leaf", "caption": "words"}]}], "words"),
    ],
)
def test_blocks_become_markdown(names: SlackNames, blocks: list[JSON], expected: str) -> None:
    """Each kind of block and element is told in its own way."""
    assert expected == SlackBlocks(names).markdown(blocks)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {
                "fallback": "all of it",
                "color": "#fff",
                "pretext": "New",
                "title": "TB-1",
                "title_link": "https://a.example/TB-1",
                "text": "*Done*",
                "fields": [{"title": "State", "value": "open", "short": True}],
                "footer": "Jira",
                "mrkdwn_in": ["text"],
                "ts": "1",
            },
            "New\nTB-1 (https://a.example/TB-1)\n**Done**\nState: open\nJira",
        ),
        ({"fallback": "only this"}, "only this"),
        ({"from_url": "https://a.example", "title": "A page", "text": "of others"}, ""),
        (
            {"from_url": "x", "is_share": True, "author_name": "Ann", "text": "said\nthis"},
            "> Ann\n> said\n> this",
        ),
    ],
)
def test_attachments_become_markdown(
    names: SlackNames, given: Mapping[str, JSON], expected: str
) -> None:
    """Programs say things in attachments; what Slack shows of a linked page is nobody's word."""
    assert expected == SlackBlocks(names).attachments([given])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"text": "plain *b*"}, "plain **b**"),
        ({"text": "a b", "blocks": _rich(_section(_text("a b")))}, "a b"),
        ({"text": "all of it", "blocks": _rich(_section(_text("all of")))}, "all of it"),
        ({"text": "mine", "blocks": _rich(_section(_text("other")))}, "other\n\nmine"),
        (
            {"bot_id": "B1", "text": "notice", "blocks": _rich(_section(_text("other")))},
            "other",
        ),
        ({"text": "see", "files": [{"name": "a<b>.pdf"}, {}]}, "see\n\n[file: a\\<b>.pdf]"),
    ],
)
def test_a_message_says_all_of_its_words_once(
    names: SlackNames, given: Mapping[str, JSON], expected: str
) -> None:
    """Blocks and plain text say the same twice, but for what only one of them says."""
    assert expected == ThreadMessage(given, names).content


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"user": "U1"}, "U1"),
        ({"username": "deploys", "subtype": "bot_message", "user": "U1"}, "deploys"),
        ({"bot_id": "B1", "bot_profile": {"name": "Deploys"}}, "Deploys"),
        ({"bot_id": "B1"}, "B1"),
        ({"author_name": "Ann Lee", "author_user_id": "U1"}, "Ann Lee"),
        ({}, ""),
    ],
)
def test_somebody_wrote_it(names: SlackNames, given: Mapping[str, JSON], expected: str) -> None:
    """The author is whom Slack names, by the best name there is."""
    assert expected == ThreadMessage(given, names).author
