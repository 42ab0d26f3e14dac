import pytest

from rove_core import LoginNeeded, Query, ScopeMissing
from rove_core.testing import Scene
from rove_sim.slack import Slack

pytestmark = pytest.mark.anyio

FIRST = "C0BACKEND/1734264000.000100"
OTHER_WAY = ("", "feature_not_enabled", "assistant_search_context_disabled", "missing_scope")


@pytest.fixture(params=OTHER_WAY, ids=lambda error: error or "by meaning")
def any_way(request: pytest.FixtureRequest, workspace: Slack) -> Slack:
    """Give a workspace whose newer search answers, and one for each way in which it does not."""
    workspace.search_error = request.param
    return workspace


def _asked(workspace: Slack) -> list[str]:
    paths = [exchange.request.path.removeprefix("/api/") for exchange in workspace.exchanges]
    return [path for path in paths if "search" in path]


@pytest.mark.usefixtures("any_way")
async def test_finds_the_threads_that_name_an_id(slack: Scene) -> None:
    """Each thread comes once, the newest first: of channels of every kind, and of programs."""
    found = [item.ref.id.partition("/")[0] for item in await slack.find("TB-123")]

    assert found == ["D0SARAH", "C0OLD", "G0HIRING", "C0BACKEND", "C0BACKEND"]


@pytest.mark.usefixtures("any_way")
async def test_an_id_is_found_whole_or_not_at_all(slack: Scene) -> None:
    """Slack takes TB-123 apart and finds TB 123 as well; TB-1234 is somebody else."""
    said = "\n".join(item.content for item in await slack.find("TB-123"))

    assert "train" not in said
    assert "another ticket" not in said


@pytest.mark.usefixtures("any_way")
async def test_a_hit_is_the_newest_message_of_its_thread(slack: Scene) -> None:
    """What is shown of a thread is the message that was found, with who wrote it and where."""
    item = (await slack.find("TB-123"))[-1]

    assert item.ref.id == FIRST
    assert (item.author, item.title) == ("Robin Doe", "#backend-team")
    assert item.content == "One hour, @Sarah Chen says. TB-123 is right."
    assert item.url == "https://northwind.slack.com/archives/C0BACKEND/p1734264000000100"


async def test_a_bot_is_not_looked_up_among_the_users(slack: Scene, workspace: Slack) -> None:
    """Slack knows no user by a bot's id, and says who wrote with the message."""
    await slack.find("TB-123")

    users = [
        each.values["user"] for each in workspace.exchanges if "users.info" in each.request.path
    ]
    assert "B0DEPLOY" not in users


@pytest.mark.usefixtures("any_way")
async def test_all_words_must_occur(slack: Scene) -> None:
    """Words are looked for wherever they stand, and every one of them."""
    assert [item.ref.id for item in await slack.find("live tokens")] == [FIRST]
    assert await slack.find("live coffee") == []


@pytest.mark.usefixtures("any_way")
async def test_words_between_quotes_stand_together(slack: Scene) -> None:
    """A phrase is found as it was written."""
    assert [item.ref.id for item in await slack.find('"do tokens live"')] == [FIRST]
    assert await slack.find('"live tokens"') == []


@pytest.mark.usefixtures("any_way")
async def test_a_search_takes_no_orders(slack: Scene) -> None:
    """What means more than itself in Slack's search field is looked for as it stands."""
    assert await slack.find("from:sarah in:hiring") == []


@pytest.mark.usefixtures("any_way")
async def test_a_direct_message_is_with_somebody(slack: Scene) -> None:
    """It has no channel to be named: its citation names the person."""
    item = next(item for item in await slack.find("between us"))

    assert item.title.startswith("Direct message with ")
    assert item.facts.short_name == item.title
    assert not item.facts.channel


async def test_no_words_find_nothing(slack: Scene, workspace: Slack) -> None:
    """Slack is not asked for nothing."""
    assert await slack.find(' "" ') == []
    assert _asked(workspace) == []


async def test_asks_the_newer_search_first(slack: Scene, workspace: Slack) -> None:
    """Where it answers, the older one is never asked."""
    await slack.find("coffee")

    assert _asked(workspace) == ["assistant.search.context"]


async def test_asks_for_words_and_not_for_what_is_like_them(slack: Scene, workspace: Slack) -> None:
    """Where Slack can search by meaning, it is told not to: all words must occur."""
    await slack.find("live tokens")

    (given,) = [
        exchange.values
        for exchange in workspace.exchanges
        if exchange.request.path == "/api/assistant.search.context"
    ]
    assert (given["query"], given["disable_semantic_search"]) == ('"live" "tokens"', True)


async def test_remembers_which_search_works(slack: Scene, workspace: Slack) -> None:
    """A search that is not to be had is asked for once."""
    workspace.search_error = "feature_not_enabled"
    await slack.find("coffee")
    await slack.find("tea")

    assert _asked(workspace) == ["assistant.search.context", "search.messages", "search.messages"]


async def test_a_token_without_the_new_scopes_asks_the_older_search(
    slack: Scene, workspace: Slack
) -> None:
    """What the token may not do is known beforehand."""
    workspace.scopes = [scope for scope in workspace.scopes if "search:read." not in scope]
    await slack.enter()

    assert len(await slack.find("TB-123")) == 5
    assert {"search.messages"} == {*_asked(workspace)}


async def test_a_token_without_the_old_scope_searches_what_it_may(
    slack: Scene, workspace: Slack
) -> None:
    """Only the kinds of channels are named that the token may search."""
    workspace.scopes = [
        each for each in workspace.scopes if each not in {"search:read", "search:read.private"}
    ]
    await slack.enter()

    assert len(await slack.find("TB-123")) == 4


async def test_the_older_search_is_preferred_where_it_sees_more(
    slack: Scene, workspace: Slack
) -> None:
    """No channel is left out for the sake of the newer search."""
    workspace.scopes.remove("search:read.private")
    await slack.enter()

    assert len(await slack.find("TB-123")) == 5
    assert {"search.messages"} == {*_asked(workspace)}


async def test_without_any_search_both_are_named(slack: Scene, workspace: Slack) -> None:
    """The error names the scope that is lacking, those that are there, and what was tried."""
    workspace.search_error = "feature_not_enabled"
    workspace.scopes.remove("search:read")
    await slack.enter()

    with pytest.raises(ScopeMissing, match=r"scope search:read; .*users:read.*feature_not_en"):
        await slack.find("TB-123")


async def test_a_refused_token_is_no_reason_to_ask_elsewhere(
    slack: Scene, workspace: Slack
) -> None:
    """A token that was revoked is revoked for every search."""
    workspace.token_error = "token_revoked"  # noqa: S105  # Slack's word for it

    with pytest.raises(LoginNeeded, match="token_revoked"):
        await slack.find("TB-123")
    assert "search.messages" not in _asked(workspace)


@pytest.mark.usefixtures("any_way")
@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("message_content", {"hour": 0, "planned": 1, "TB-123": 5}),
        ("thread_replies", {"hour": 1, "planned": 0, "TB-123": 1}),
        ("channel_name", {"hour": 0, "#backend": 4, "old plans": 1, "TB-123": 0}),
    ],
)
async def test_a_field_narrows_the_search(
    slack: Scene, field: str, expected: dict[str, int]
) -> None:
    """What stands in a channel, what was answered, and how channels are called are told apart."""
    found = {}
    for words in expected:
        query = Query(account="slack", text=words, fields=(field,))
        found[words] = len([item async for item in slack.source.rove_search(query)])

    assert expected == found
