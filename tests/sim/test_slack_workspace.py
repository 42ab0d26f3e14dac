"""Who may ask Slack in a box, for what, and how often."""

import pytest

from rove_core.testing import VirtualClock
from rove_sim import Company, Conduct
from rove_sim.simulator_client import SimulatorClient
from rove_sim.slack import Slack

HISTORY, REPLIES = "/api/conversations.history", "/api/conversations.replies"


@pytest.mark.parametrize(
    ("headers", "error"),
    [
        ({}, "not_authed"),
        ({"authorization": "Bearer xoxp-wrong"}, "invalid_auth"),
        ({"authorization": "Basic eDp5"}, "not_authed"),
    ],
)
def test_lets_nobody_else_in(slack: Slack, headers: dict[str, str], error: str) -> None:
    """It says so with a 200, and does not tell what a token may do."""
    reply = SimulatorClient(slack, headers).form("/api/auth.test")

    assert (reply.status, reply.json) == (200, {"ok": False, "error": error})
    assert "x-oauth-scopes" not in reply.headers


def test_a_token_in_a_form(slack: Slack, company: Company) -> None:
    """It is taken there as well, but not in a query."""
    nobody = SimulatorClient(slack)

    assert nobody.form("/api/auth.test", token=company.token).json["ok"] is True
    assert nobody.get("/api/auth.test", token=company.token).json["error"] == "not_authed"


@pytest.mark.parametrize("error", ["token_revoked", "token_expired", "account_inactive"])
def test_a_token_that_ended(slack: Slack, at_slack: SimulatorClient, error: str) -> None:
    """The right token may be refused in several ways."""
    slack.token_error = error

    assert at_slack.get("/api/auth.test").json["error"] == error


def test_tells_what_a_token_may_do(slack: Slack, at_slack: SimulatorClient) -> None:
    """In a header of every reply."""
    slack.scopes = ["search:read", "users:read"]

    assert at_slack.get("/api/auth.test").headers["x-oauth-scopes"] == "search:read,users:read"


@pytest.mark.parametrize(
    ("method", "asked", "scope"),
    [
        ("search.messages", {"query": "pilot"}, "search:read"),
        ("users.info", {"user": "U0SARAH"}, "users:read"),
        ("conversations.history", {"channel": "C0BACKEND"}, "channels:history"),
        ("conversations.info", {"channel": "C0BACKEND"}, "channels:read"),
        ("conversations.list", {"types": "im"}, "im:read"),
        ("assistant.search.context", {"query": "pilot"}, "search:read.public"),
        (
            "assistant.search.context",
            {"query": "pilot", "channel_types": "private_channel"},
            "search:read.private",
        ),
        (
            "assistant.search.context",
            {"query": "pilot", "channel_types": "im", "content_types": "files"},
            "search:read.files",
        ),
    ],
)
def test_names_the_scope_that_is_missing(
    slack: Slack, at_slack: SimulatorClient, method: str, asked: dict[str, str], scope: str
) -> None:
    """With what the token has in its place."""
    slack.scopes.remove(scope)
    reply = at_slack.get(f"/api/{method}", **asked).json

    assert (reply["error"], reply["needed"]) == ("missing_scope", scope)
    assert reply["provided"].split(",") == slack.scopes


def test_a_bot_cannot_search(slack: Slack) -> None:
    """Nor by the new search, unless it was spoken to."""
    bot = SimulatorClient(slack, {"authorization": f"Bearer {slack.bot_token}"})
    asked = bot.form("/api/assistant.search.context", query="pilot").json

    assert bot.get("/api/search.messages", query="a").json["error"] == "not_allowed_token_type"
    assert asked["error"] == "invalid_action_token"
    event = {"query": "pilot", "action_token": "1.2.a"}
    assert bot.form("/api/assistant.search.context", **event).json["ok"] is True


def test_a_bot_reads_where_it_was_invited(slack: Slack) -> None:
    """Public channels it sees and cannot read; private ones it does not even see."""
    bot = SimulatorClient(slack, {"authorization": f"Bearer {slack.bot_token}"})
    kinds = {"types": "public_channel,private_channel"}
    public, private = (
        next(each for each in slack.conversations.channels() if each.kind == kind)
        for kind in ("public", "private")
    )

    def history(channel: str) -> str:
        return str(bot.get(HISTORY, channel=channel).json.get("error", "read"))

    listed = bot.get("/api/conversations.list", **kinds).json["channels"]
    assert {each["is_member"] for each in listed} == {False}
    assert not any(each["is_private"] for each in listed)
    assert bot.get("/api/users.conversations", **kinds).json["channels"] == []
    assert (history(public.id), history(private.id)) == ("not_in_channel", "channel_not_found")

    slack.invite(public.name, private.name)
    joined = bot.get("/api/users.conversations", **kinds).json["channels"]
    assert {each["id"] for each in joined} == {public.id, private.id}
    assert (history(public.id), history(private.id)) == ("read", "read")
    assert bot.get("/api/auth.test").json["bot_id"].startswith("B")


def test_json_where_it_is_not_taken(slack: Slack, at_slack: SimulatorClient) -> None:
    """Not every method reads it."""
    reply = at_slack.post(REPLIES, channel="C0BACKEND", ts="1734264000.000000").json

    assert reply["error"] == "invalid_arguments"
    assert at_slack.post(HISTORY, channel="C0BACKEND").json["ok"] is True
    assert "json_not_supported" in slack.refused[0]


def test_each_method_has_its_limit(
    slack: Slack, at_slack: SimulatorClient, clock: VirtualClock
) -> None:
    """Beyond it comes a 429 that says how long to wait; other methods go on."""
    slack.conduct = Conduct(limits=True)
    clock.advance(1000)
    replies = [at_slack.get("/api/search.messages", query="pilot") for _ in range(21)]
    clock.advance(30)
    refused = at_slack.get("/api/search.messages", query="pilot")

    assert [reply.status for reply in replies] == [200] * 20 + [429]
    assert (refused.headers["retry-after"], refused.json["error"]) == ("30", "ratelimited")
    assert at_slack.get(HISTORY, channel="C0BACKEND").status == 200
    clock.advance(30)
    assert at_slack.get("/api/search.messages", query="pilot").status == 200


def test_an_app_that_is_sold_but_not_listed(slack: Slack, at_slack: SimulatorClient) -> None:
    """It reads messages once a minute, fifteen at a time."""
    slack.restricted, slack.conduct = True, Conduct(limits=True)
    for number in range(20):
        slack.post("backend-team", "robin", f"Number {number}")
    first = at_slack.get(HISTORY, channel="C0BACKEND", limit=200)
    second = at_slack.get(HISTORY, channel="C0BACKEND", limit=200)

    assert len(first.json["messages"]) == 15
    assert (second.status, second.headers["retry-after"]) == (429, "60")


def test_fails_on_demand(slack: Slack, at_slack: SimulatorClient) -> None:
    """Too often with a 429, else with its own words."""
    slack.fail_next(429)
    slack.fail_next(500)
    replies = [at_slack.get("/api/auth.test") for _ in range(3)]

    assert [reply.status for reply in replies] == [429, 500, 200]
    assert replies[1].json["error"] == "internal_error"
