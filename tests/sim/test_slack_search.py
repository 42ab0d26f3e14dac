"""Both searches of Slack in a box."""

import attrs
import pytest

from rove_sim import Company, Conduct
from rove_sim.company_slack import Channel, SlackMessage
from rove_sim.simulator_client import SimulatorClient
from rove_sim.slack import Slack

WORDS, MEANING = "/api/search.messages", "/api/assistant.search.context"
ROOT = "1734264000.000000"


@pytest.fixture
def company(company: Company) -> Company:
    """Give the company a direct conversation as well, and an archived channel."""
    direct = Channel(name="sarah", kind="im")
    archived = Channel(name="old-plans", archived=True)
    said = (
        SlackMessage(
            channel="sarah", author="sarah", ts="1734300000.000000", text="Just us: pilot"
        ),
        SlackMessage(
            channel="old-plans", author="robin", ts="1700000000.000000", text="The first pilot"
        ),
    )
    return attrs.evolve(
        company,
        channels=(*company.channels, direct, archived),
        messages=(*company.messages, *said),
    )


def found(caller: SimulatorClient, query: str, **more: str | int | bool) -> list[str]:
    """Return when what a query finds was written, the newest first."""
    reply = caller.get(WORDS, query=query, sort="timestamp", **more).json
    return [match["ts"] for match in reply["messages"]["matches"]]


@pytest.mark.parametrize(
    ("query", "seconds"),
    [
        ("saml", ["1734264000"]),
        ("PILOT saml", ["1734264000"]),
        ('"for the pilot"', ["1734264000"]),
        ('"the for pilot"', []),
        ("pilot -saml", ["1734300000", "1700000000"]),
        ("pil*", ["1734300000", "1734264000"]),
        ('"TB-2"', ["1734264000"]),
        ("in:#backend-team security", ["1734264600"]),
        ("in:<#C0BACKEND> security", ["1734264600"]),
        ("in:@sarah pilot", ["1734300000"]),
        ("from:@sarah pilot", ["1734300000", "1734264000"]),
        ("from:<@U0SARAH> -in:backend-team pilot", ["1734300000"]),
        ("from:me monday", ["1734350400"]),
        ("from:nobody pilot", []),
        ("has:link", ["1734264000"]),
        ("has:file", ["1734350400"]),
        ("has::eyes:", ["1734264000"]),
        ("is:thread security", ["1734264600"]),
        ("pilot after:2024-12-14", ["1734300000", "1734264000"]),
        ("pilot after:2024-12-15", []),
        ("pilot before:2024-12-15", ["1700000000"]),
        ("pilot on:2024-12-15", ["1734300000", "1734264000"]),
        ("pilot during:2023-11", ["1700000000"]),
        ("pilot on:someday", []),
    ],
)
def test_finds(slack: Slack, at_slack: SimulatorClient, query: str, seconds: list[str]) -> None:
    """A query finds what its words and modifiers say, in days of the reader's own."""
    slack.conduct = Conduct()
    times = [ts.partition(".")[0] for ts in found(at_slack, query)]

    assert times[: len(seconds)] == seconds
    assert query == "pil*" or times == seconds


def test_bots_are_found_only_when_asked_for(at_slack: SimulatorClient) -> None:
    """By the words of their blocks, though the text is empty."""
    assert found(at_slack, "deployed") == []
    (match,) = at_slack.get(WORDS, query="deployed", search_exclude_bots=False).json["messages"][
        "matches"
    ]
    assert (match["text"], match["username"]) == ("", "Deploys")


def test_an_id_is_cut_into_words(slack: Slack, at_slack: SimulatorClient) -> None:
    """Without quotes its parts may stand anywhere; with them, in this order."""
    ts = slack.post("backend-team", "sarah", "2 of the TB boxes")

    assert ts in found(at_slack, "TB-2")
    assert ts not in found(at_slack, '"TB-2"')


def test_pages_by_number(at_slack: SimulatorClient) -> None:
    """They say how many there are, and after the last one they are empty."""
    pages = [
        at_slack.get(WORDS, query="pilot", count=100, page=page).json["messages"]
        for page in (1, 2, 3)
    ]

    assert [len(page["matches"]) for page in pages] == [2, 1, 0]
    assert {page["total"] for page in pages} == {3}
    assert pages[1]["paging"] == {"count": 2, "total": 3, "page": 2, "pages": 2}


def test_pages_by_cursor(at_slack: SimulatorClient) -> None:
    """A star begins, an empty cursor ends."""
    first = at_slack.get(WORDS, query="pilot", cursor="*").json["messages"]
    cursor = first["pagination"]["next_cursor"]
    last = at_slack.get(WORDS, query="pilot", cursor=cursor).json["messages"]

    assert (len(first["matches"]), len(last["matches"])) == (2, 1)
    assert last["pagination"]["next_cursor"] == ""


def test_a_match_leads_to_its_thread(at_slack: SimulatorClient) -> None:
    """The address of an answer names the root."""
    (match,) = at_slack.get(WORDS, query="in:backend-team security").json["messages"]["matches"]

    assert match["permalink"].endswith(f"/p1734264600000000?thread_ts={ROOT}")


def results(caller: SimulatorClient, query: str, **more: str | int | bool) -> list[str]:
    """Return what the new search finds, by when it was written."""
    messages = caller.form(MEANING, query=query, **more).json["results"]["messages"]
    return [message["message_ts"].partition(".")[0] for message in messages]


def test_meaning_needs_not_every_word(slack: Slack, at_slack: SimulatorClient) -> None:
    """Half of a question's words are enough; without meaning all are needed."""
    question = "saml and pilot certificates"

    assert results(at_slack, question) == ["1734264000"]
    assert results(at_slack, question, disable_semantic_search=True) == []
    slack.semantic = False
    assert results(at_slack, question) == []
    assert at_slack.form("/api/assistant.search.info").json["is_ai_search_enabled"] is False


def test_public_channels_unless_others_are_named(at_slack: SimulatorClient) -> None:
    """Direct conversations are searched only on request, archived channels too."""
    types = "public_channel,private_channel,mpim,im"

    assert results(at_slack, "pilot") == ["1734264000"]
    assert results(at_slack, "pilot", channel_types=types) == ["1734300000", "1734264000"]
    assert "1700000000" in results(at_slack, "first pilot", include_archived_channels=True)


def test_ends_of_a_window_do_not_belong_to_it(at_slack: SimulatorClient) -> None:
    """They are seconds, after the one and before the other."""
    assert results(at_slack, "pilot", after=1734264000) == []
    assert results(at_slack, "pilot", after=1734263999, before=1734264001) == ["1734264000"]


def test_term_clauses(at_slack: SimulatorClient) -> None:
    """Each needs one of its words; modifiers bind them, too."""
    clauses = '["saml oauth", "pilot"]'

    assert results(at_slack, "any", term_clauses=clauses) == ["1734264000"]
    assert results(at_slack, "any", term_clauses=clauses, modifiers="from:me") == []


def test_takes_json(at_slack: SimulatorClient) -> None:
    """The new search takes lists in JSON as well."""
    reply = at_slack.post(MEANING, query="pilot", channel_types=["im"], term_clauses=["us"]).json

    assert [each["content"] for each in reply["results"]["messages"]] == ["Just us: pilot"]


def test_what_stands_around(slack: Slack, at_slack: SimulatorClient) -> None:
    """Neighbours and blocks come on request."""
    slack.post("backend-team", "robin", "What about the pilot?", thread=ROOT)
    asked = {"include_context_messages": True, "include_message_blocks": True}
    (message, _) = at_slack.form(MEANING, query="about pilot", sort="timestamp", **asked).json[
        "results"
    ]["messages"]

    assert message["blocks"][0]["type"] == "rich_text"
    assert [each["text"][:3] for each in message["context_messages"]["before"]] == ["No."]
    assert message["context_messages"]["after"] == []


def test_more_than_messages(slack: Slack, at_slack: SimulatorClient) -> None:
    """Files, channels and people are found by their names."""
    slack.conduct = Conduct()
    kinds = "files,channels,users"
    reply = at_slack.form(MEANING, query="review backend sarah", content_types=kinds).json

    (file,), (channel,), (user,) = (reply["results"][kind] for kind in kinds.split(","))
    assert (file["title"], channel["name"], user["full_name"]) == (
        "Review",
        "backend-team",
        "Sarah Chen",
    )


def test_the_new_search_in_pages(at_slack: SimulatorClient) -> None:
    """A cursor leads on until it is empty."""
    types = "public_channel,im"
    asked: dict[str, str | bool] = {"query": "pilot", "channel_types": types}
    asked["include_archived_channels"] = True
    first = at_slack.form(MEANING, **asked).json
    cursor = first["response_metadata"]["next_cursor"]
    last = at_slack.form(MEANING, **asked, cursor=cursor).json

    assert [len(page["results"]["messages"]) for page in (first, last)] == [2, 1]
    assert last["response_metadata"]["next_cursor"] == ""


@pytest.mark.parametrize(
    ("path", "asked", "error"),
    [
        (WORDS, {}, "No query passed"),
        (WORDS, {"query": " "}, "No query passed"),
        (WORDS, {"query": "a", "count": 101}, "invalid_arguments"),
        (WORDS, {"query": "a", "page": 101}, "invalid_arguments"),
        (WORDS, {"query": "a", "cursor": "no"}, "invalid_cursor"),
        (MEANING, {}, "missing_query"),
        (MEANING, {"query": "a" * 501}, "query_too_long"),
        (MEANING, {"query": "a", "limit": 21}, "invalid_arguments"),
        (MEANING, {"query": "a", "cursor": "no"}, "invalid_cursor"),
        (MEANING, {"query": "a", "channel_types": "secret"}, "invalid_arguments"),
        (MEANING, {"query": "a", "term_clauses": "[]"}, "invalid_arguments"),
        (MEANING, {"query": "a", "after": "monday"}, "invalid_arguments"),
    ],
)
def test_refuses(
    at_slack: SimulatorClient, path: str, asked: dict[str, str | int], error: str
) -> None:
    """What it does not take it names."""
    assert at_slack.form(path, **asked).json["error"] == error


def test_the_new_search_is_not_everywhere(slack: Slack, at_slack: SimulatorClient) -> None:
    """A workspace may not have it, or not now."""
    slack.search_error = "feature_not_enabled"

    assert at_slack.form(MEANING, query="pilot").json["error"] == "feature_not_enabled"
