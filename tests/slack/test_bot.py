"""A bot's token: no search answers it, so the channels that it is in are scanned."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from datetime import UTC, datetime, timedelta

import pytest

import rove_slack
from rove_core import (
    ContextItem,
    Credential,
    Http,
    ItemNotFound,
    ItemRef,
    ScopeMissing,
    TimedOut,
)
from rove_core.testing import Scene, Vendor, VirtualClock
from rove_core.testing.scene import on_stage
from rove_sim import Conduct
from rove_sim.server import serve
from rove_sim.slack import Slack

pytestmark = pytest.mark.anyio

FIRST = "C0BACKEND/1734264000.000100"


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock that stands in the year of the messages."""
    clock = VirtualClock()
    clock.advance((datetime(2024, 12, 16, tzinfo=UTC) - clock.now()).total_seconds())
    return clock


@pytest.fixture
async def bot(workspace: Slack, clock: VirtualClock) -> AsyncIterator[Scene]:
    """Give an account of a bot that is in one public and one private channel."""
    workspace.conduct = Conduct()
    workspace.invite("backend-team", "hiring")
    (kind,) = rove_slack.rove_sources()
    async with serve(workspace) as base_url:
        vendor = Vendor(base_url=base_url, answers={"token": workspace.bot_token})
        async with on_stage(kind, vendor, name="slack") as scene:
            await scene.enter()

            async def credential() -> Credential | None:
                return scene.credential

            http = scene.http = Http(
                account="slack",
                base_url=scene.account.base_url,
                hosts=scene.account.hosts,
                credential=credential,
                clock=clock,
            )
            scene.source = scene.kind.connect(scene.account, http)
            yield scene
            await http.aclose()


def _calls(workspace: Slack, method: str) -> int:
    return sum(each.request.path == f"/api/{method}" for each in workspace.exchanges)


def _ids(found: Iterable[ContextItem]) -> list[str]:
    return [item.ref.id for item in found]


async def _collected(search: AsyncGenerator[ContextItem, None], found: list[ContextItem]) -> None:
    async for item in search:
        found.append(item)  # noqa: PERF401  # what came before an error counts


async def test_names_the_channels_that_it_is_in(bot: Scene) -> None:
    """Whoever connects a bot sees at once what it can read."""
    who = bot.account.identity

    assert who is not None
    assert (who.name, who.reads[1:]) == (
        "rove",
        (
            *("public channels", "private channels", "#backend-team", "#hiring"),
            "30 days back (scan_days)",
        ),
    )


async def test_a_bot_in_no_channel_is_told_how_it_gets_into_one(
    bot: Scene, workspace: Slack
) -> None:
    """Slack lets bots into channels by invitation alone."""
    workspace.bot_channels.clear()
    who = await bot.awaited("rove_identity")

    assert "/invite" in who.reads[-1]


async def test_finds_what_was_said_in_its_channels(bot: Scene, workspace: Slack) -> None:
    """In channels and in answers, each thread once, the newest first; nowhere else."""
    assert _ids(await bot.find("TB-123")) == [
        "G0HIRING/1734269400.000100",
        "C0BACKEND/1734268800.000100",
        FIRST,
    ]
    assert _ids(await bot.find("one hour")) == [FIRST]
    assert await bot.find("between us") == []
    assert _calls(workspace, "search.messages") == 0


async def test_words_are_found_with_other_endings_and_ids_whole(bot: Scene) -> None:
    """As Slack's own search finds them."""
    assert _ids(await bot.find("token live")) == [FIRST]
    assert await bot.find("TB-12") == []


async def test_one_scan_answers_many_questions(
    bot: Scene, workspace: Slack, clock: VirtualClock
) -> None:
    """A build asks many; Slack allows 50 requests a minute."""
    for text in ("TB-123", "tokens", "prod", "nothing"):
        await bot.find(text)
    assert _calls(workspace, "conversations.history") == 2

    workspace.post("backend-team", "robin", "TB-900 begins")
    clock.advance(301)
    assert len(await bot.find("TB-900")) == 1


async def test_a_scan_is_bounded_and_says_what_it_did_not_read(
    bot: Scene, workspace: Slack, clock: VirtualClock
) -> None:
    """What was found comes first; then how much was not looked at."""
    workspace.conduct = Conduct(page_size=1)
    for number in range(60):
        workspace.post("backend-team", "robin", f"Number {number}, TB-77")
    clock.advance(1)
    found: list[ContextItem] = []
    with pytest.raises(TimedOut, match=r"1 of 2 channels were not read back to 2024") as caught:
        await _collected(bot.search("TB-77"), found)

    assert len(found) > 30
    assert "mirror" in caught.value.hint
    assert _calls(workspace, "conversations.history") == 40


async def test_a_window_shortens_the_scan(bot: Scene) -> None:
    """What was written before the window is not read."""
    since = datetime(2024, 12, 15, 13, 15, tzinfo=UTC)

    assert _ids(await bot.find("TB-123", since=since)) == [
        "G0HIRING/1734269400.000100",
        "C0BACKEND/1734268800.000100",
    ]


async def test_old_talk_is_not_scanned(bot: Scene, clock: VirtualClock) -> None:
    """Only the days that the settings name."""
    clock.advance(timedelta(days=40).total_seconds())

    assert await bot.find("TB-123") == []


async def test_a_channel_that_it_is_not_in_is_not_there(bot: Scene) -> None:
    """Slack refuses its history; that is said of the thread."""
    with pytest.raises(ItemNotFound):
        await bot.detail(ItemRef(account="slack", kind="thread", id="C0OLD/1734270000.000100"))


async def test_lists_its_own_channels_for_a_mirror(bot: Scene) -> None:
    """Public channels that it was not invited to would refuse."""
    containers = await bot.awaited("rove_containers")
    changes, _ = await bot.list_changes()
    listed = [each.item for each in changes if each.item]

    assert [each.name for each in containers] == ["C0BACKEND", "G0HIRING"]
    assert {each.ref.id.partition("/")[0] for each in listed} == {"C0BACKEND", "G0HIRING"}


@pytest.mark.parametrize("missing", ["channels", "groups"])
async def test_a_bot_reads_what_its_scopes_allow(
    bot: Scene, workspace: Slack, missing: str
) -> None:
    """One kind of channels is enough; without any it is good for nothing."""
    for scope in [each for each in workspace.bot_scopes if each.startswith(missing)]:
        workspace.bot_scopes.remove(scope)
    who = await bot.awaited("rove_identity")
    assert len([line for line in who.reads if line.startswith("#")]) == 1

    workspace.bot_scopes[:] = ["users:read"]
    with pytest.raises(ScopeMissing, match="channels:read"):
        await bot.awaited("rove_identity")
