"""Channels, threads and people of Slack in a box."""

import pytest

from rove_core.testing import VirtualClock
from rove_sim.simulator_client import SimulatorClient
from rove_sim.slack import Slack

BACKEND = "C0BACKEND"
ROOT = "1734264000.000000"
HISTORY, REPLIES = "/api/conversations.history", "/api/conversations.replies"


def test_says_who_one_is(at_slack: SimulatorClient) -> None:
    """With the address of the workspace."""
    who = at_slack.form("/api/auth.test").json

    assert (who["user"], who["url"]) == ("robin", "https://northwind.slack.com/")


def test_history_is_newest_first(at_slack: SimulatorClient) -> None:
    """It holds what stands in the channel itself, not in threads."""
    messages = at_slack.get(HISTORY, channel=BACKEND).json["messages"]

    assert [message["ts"] for message in messages] == ["1734332400.000000", ROOT]
    assert (messages[1]["reply_count"], messages[1]["thread_ts"]) == (1, ROOT)


def test_history_in_pages(slack: Slack, at_slack: SimulatorClient) -> None:
    """The cursor leads on until it is empty."""
    for number in range(3):
        slack.post("backend-team", "robin", f"Number {number}")
    first = at_slack.get(HISTORY, channel=BACKEND, limit=200).json
    cursor = first["response_metadata"]["next_cursor"]
    second = at_slack.get(HISTORY, channel=BACKEND, cursor=cursor).json
    cursor = second["response_metadata"]["next_cursor"]
    last = at_slack.get(HISTORY, channel=BACKEND, cursor=cursor).json

    assert [page["has_more"] for page in (first, second, last)] == [True, True, False]
    assert [len(page["messages"]) for page in (first, second, last)] == [2, 2, 1]
    assert last["response_metadata"]["next_cursor"] == ""


def test_the_root_begins_every_page_of_a_thread(slack: Slack, at_slack: SimulatorClient) -> None:
    """Answers follow it, the oldest first."""
    for number in range(2):
        slack.post("backend-team", "sarah", f"Number {number}", thread=ROOT)
    page = at_slack.get(REPLIES, channel=BACKEND, ts=ROOT, limit=200).json
    pages = [page]
    while page["has_more"]:
        cursor = page["response_metadata"]["next_cursor"]
        page = at_slack.get(REPLIES, channel=BACKEND, ts=ROOT, cursor=cursor).json
        pages.append(page)

    assert {page["messages"][0]["ts"] for page in pages} == {ROOT}
    assert [page["messages"][1]["text"][:8] for page in pages] == [
        "No. It i",
        "Number 0",
        "Number 1",
    ]
    assert "response_metadata" not in pages[-1]


def test_an_answer_is_no_thread(at_slack: SimulatorClient) -> None:
    """Who asks for an answer's thread gets that answer alone."""
    (message,) = at_slack.get(REPLIES, channel=BACKEND, ts="1734264600.000000").json["messages"]

    assert message["thread_ts"] == ROOT


@pytest.mark.parametrize(
    ("window", "number"),
    [
        ({"oldest": ROOT}, 1),
        ({"oldest": ROOT, "inclusive": True}, 2),
        ({"latest": ROOT}, 0),
        ({"latest": ROOT, "inclusive": True}, 1),
        ({"oldest": "1734264000", "latest": "1734332400.000000"}, 0),
        ({"oldest": "0"}, 2),
    ],
)
def test_ends_of_a_window(
    at_slack: SimulatorClient, window: dict[str, str | bool], number: int
) -> None:
    """They belong to it only when that is asked for."""
    messages = at_slack.get(HISTORY, channel=BACKEND, **window).json["messages"]

    assert number == len(messages)


def test_what_was_typed_becomes_slacks_own(slack: Slack, at_slack: SimulatorClient) -> None:
    """People, channels and addresses stand in angle brackets, and the blocks tell them apart."""
    text = "*Hi* @sarah, #backend-team: a < b & https://a.example/x. <https://b.example|b> :eyes:"
    ts = slack.post("backend-team", "robin", text)
    message = at_slack.get(HISTORY, channel=BACKEND, latest=ts, inclusive=True).json["messages"][0]
    (section,) = message["blocks"][0]["elements"]

    assert message["text"] == (
        "*Hi* <@U0SARAH>, <#C0BACKEND|backend-team>: a &lt; b &amp; <https://a.example/x>. "
        "<https://b.example|b> :eyes:"
    )
    assert [element["type"] for element in section["elements"]] == [
        *("text", "text", "user", "text", "channel", "text", "link", "text", "link", "text"),
        "emoji",
    ]
    assert section["elements"][0] == {"type": "text", "text": "Hi", "style": {"bold": True}}
    assert section["elements"][5]["text"] == ": a < b & "


def test_blocks_of_a_long_message(slack: Slack, at_slack: SimulatorClient) -> None:
    """Quotes, lists and code are elements of their own."""
    ts = slack.post("backend-team", "robin", "Look\n> said\n- a\n- b\n1. c\n```\nx = `1`\n```\nend")
    message = at_slack.get(HISTORY, channel=BACKEND, latest=ts, inclusive=True).json["messages"][0]

    assert [element["type"] for element in message["blocks"][0]["elements"]] == [
        "rich_text_section",
        "rich_text_quote",
        "rich_text_list",
        "rich_text_list",
        "rich_text_preformatted",
        "rich_text_section",
    ]


def test_a_list_keeps_its_numbers(slack: Slack, at_slack: SimulatorClient) -> None:
    """A list that begins at another number says at which; a number left out begins a list."""
    ts = slack.post("backend-team", "robin", "3. a\n4. b\n7. c")
    message = at_slack.get(HISTORY, channel=BACKEND, latest=ts, inclusive=True).json["messages"][0]

    assert [
        (element["offset"], len(element["elements"]))
        for element in message["blocks"][0]["elements"]
    ] == [(2, 2), (6, 1)]


def test_a_bot_writes_blocks(at_slack: SimulatorClient) -> None:
    """Its text may be empty: what it says stands in the blocks."""
    message = at_slack.get(HISTORY, channel=BACKEND).json["messages"][0]

    assert (message["text"], message["subtype"]) == ("", "bot_message")
    assert "user" not in message
    assert "backend 4.2" in message["blocks"][0]["text"]["text"]


def test_changes_are_seen(slack: Slack, at_slack: SimulatorClient, clock: VirtualClock) -> None:
    """An edited message says when, a deleted one is gone."""
    ts = slack.post("backend-team", "robin", "Tomorrow")
    clock.advance(60)
    slack.edit("backend-team", ts, "On Monday")
    message = at_slack.get(HISTORY, channel=BACKEND).json["messages"][0]
    slack.delete("backend-team", ts)

    assert message["text"] == "On Monday"
    assert message["edited"]["ts"] == "1734696060.000000"
    assert at_slack.get(HISTORY, channel=BACKEND).json["messages"][0]["ts"] != ts


def test_files_and_reactions(at_slack: SimulatorClient, slack: Slack) -> None:
    """A message brings its files, and what others felt about it."""
    private = next(each for each in slack.conversations.channels() if each.name == "security")
    (message,) = at_slack.get(HISTORY, channel=private.id).json["messages"]
    root = at_slack.get(REPLIES, channel=BACKEND, ts=ROOT).json["messages"][0]

    assert message["files"][0]["title"] == "Review"
    assert root["reactions"][0]["name"] == "eyes"


def test_channels_by_type(at_slack: SimulatorClient) -> None:
    """Only public ones are listed unless others are asked for."""
    public = at_slack.get("/api/conversations.list").json["channels"]
    private = at_slack.get("/api/conversations.list", types="private_channel").json["channels"]

    assert [channel["name"] for channel in public] == ["backend-team"]
    assert [channel["name"] for channel in private] == ["security"]


def test_one_channel(at_slack: SimulatorClient) -> None:
    """By its id, never by its name."""
    channel = at_slack.get("/api/conversations.info", channel=BACKEND).json["channel"]

    assert channel["topic"]["value"] == "What runs behind the pages"
    named = at_slack.get("/api/conversations.info", channel="backend-team").json
    assert named["error"] == "channel_not_found"


def test_people(at_slack: SimulatorClient) -> None:
    """Bots are not among the members."""
    members = at_slack.get("/api/users.list").json["members"]
    sarah = at_slack.get("/api/users.info", user="U0SARAH").json["user"]

    assert [member["real_name"] for member in members] == ["Robin Doe", "Sarah Chen"]
    assert sarah["tz_offset"] == -18000


def test_permalinks(at_slack: SimulatorClient) -> None:
    """That of an answer names its thread and its channel."""
    asked = {"channel": BACKEND, "message_ts": "1734264600.000000"}

    assert at_slack.get("/api/chat.getPermalink", **asked).json["permalink"] == (
        "https://northwind.slack.com/archives/C0BACKEND/p1734264600000000"
        "?thread_ts=1734264000.000000&cid=C0BACKEND"
    )


@pytest.mark.parametrize(
    ("method", "asked", "error"),
    [
        ("conversations.history", {"channel": "CNO"}, "channel_not_found"),
        ("conversations.history", {}, "channel_not_found"),
        ("conversations.history", {"channel": BACKEND, "cursor": "no"}, "invalid_cursor"),
        ("conversations.history", {"channel": BACKEND, "oldest": "noon"}, "invalid_ts_oldest"),
        ("conversations.history", {"channel": BACKEND, "limit": "all"}, "invalid_limit"),
        ("conversations.history", {"channel": BACKEND, "limit": -1}, "invalid_limit"),
        ("conversations.history", {"channel": BACKEND, "count": 5}, "invalid_arguments"),
        ("conversations.replies", {"channel": BACKEND}, "thread_not_found"),
        ("conversations.replies", {"channel": BACKEND, "ts": "1.000000"}, "thread_not_found"),
        ("conversations.list", {"types": "secret"}, "invalid_types"),
        ("users.info", {"user": "UNO"}, "user_not_found"),
        ("chat.getPermalink", {"channel": BACKEND, "message_ts": "1.0"}, "message_not_found"),
        ("channels.history", {"channel": BACKEND}, "unknown_method"),
    ],
)
def test_refuses_in_its_own_words(
    at_slack: SimulatorClient, method: str, asked: dict[str, str | int], error: str
) -> None:
    """With a 200, as for nearly everything."""
    reply = at_slack.get(f"/api/{method}", **asked)

    assert (reply.status, reply.json["ok"], reply.json["error"]) == (200, False, error)
