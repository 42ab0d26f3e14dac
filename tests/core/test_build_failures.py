"""Documents of a team whose tools are down, slow, closed to us or tell us to wait."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rove.operations.build import BuildResults
from rove_core import (
    LoginRefused,
    PluginFailed,
    RateLimited,
    RoveError,
    ScopeMissing,
    Unavailable,
)
from rove_core.build.gather import fetches
from rove_core.time_windows import Window

if TYPE_CHECKING:
    from tests.core.team import Team, Tool

pytestmark = pytest.mark.anyio


def fail(tool: "Tool", why: str) -> None:
    """Let a tool fail in one way."""
    errors: dict[str, RoveError] = {
        "down": Unavailable(f"{tool.name} is down"),
        "denied": LoginRefused(f"{tool.name} rejected the login"),
        "forbidden": ScopeMissing(f"{tool.name} lets us read nothing"),
        "limited": RateLimited(f"{tool.name} asks to wait until 14:05"),
        "broken": PluginFailed(f"{tool.name} raised a KeyError"),
    }
    tool.is_silent = why == "silent"
    tool.trouble = errors.get(why)


WAYS = ["down", "silent", "denied", "forbidden", "limited", "broken"]


@pytest.fixture(autouse=True)
def _little_patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up an account that does not answer after half a second."""
    if "silent" in request.node.name:
        monkeypatch.setattr(fetches, "PATIENCE", 0.5)


def row(path: Path, tool: "Tool") -> str:
    """Return what the table says of a tool."""
    title = f"| {tool.name.title()} |"
    (found,) = [line for line in path.read_text("utf-8").splitlines() if line.startswith(title)]
    return found


def told(path: Path) -> str:
    """Return what a document says above its notice."""
    return path.read_text("utf-8").partition("\n\n")[2].partition("Quotes are")[0].strip()


@pytest.mark.parametrize("why", WAYS)
@pytest.mark.parametrize("which", ["chat", "code"])
async def test_one_tool_fails(team: "Team", tmp_path: Path, which: str, why: str) -> None:
    """The document says all the others know, and names the gap on top and in the table."""
    tool: Tool = getattr(team, which)
    fail(tool, why)

    built = await team.build(tmp_path)

    path = built.document.path
    assert [which] == list(built.failures)
    assert BuildResults(built=(built,)).exit_code == 5
    assert told(path) == f"As of 2026-01-01 01:00 UTC, 1 source failed: {which.title()}."
    assert row(path, tool).startswith(f"| {which.title()} | 0 | failed: ")
    assert ("SameSite=Lax" in path.read_text("utf-8")) is (which != "chat")
    assert ("> Fixes T-1" in path.read_text("utf-8")) is (which != "code")


@pytest.mark.parametrize("why", WAYS)
@pytest.mark.parametrize("which", ["chat", "code"])
async def test_one_tool_fails_later(team: "Team", tmp_path: Path, which: str, why: str) -> None:
    """What it gave before stays as it was, with the day it last answered; then all heals."""
    path = (await team.build(tmp_path)).document.path
    before = path.read_text("utf-8")
    tool: Tool = getattr(team, which)
    fail(tool, why)
    team.clock.advance(86_400)
    failed = await team.build(tmp_path)
    while_failing = path.read_text("utf-8")
    fail(tool, "")
    await team.build(tmp_path)

    lines = {*before.splitlines()} - {*while_failing.splitlines()}
    assert [which] == list(failed.failures)
    assert all(line.startswith("| ") for line in lines)
    assert f"| {which.title()} | 1 | 2026-01-01; failed: " in while_failing
    assert before.replace("| 2026-01-01 |", "| 2026-01-02 |") == path.read_text("utf-8")


@pytest.mark.parametrize("wanted", [{"fresh": True}, {"window": Window()}, {"max_tokens": 6_000}])
async def test_what_a_failing_tool_gave_stays_though_all_is_asked_again(
    team: "Team", tmp_path: Path, wanted: dict[str, Any]
) -> None:
    """Neither a new window, nor a new budget, nor ``--fresh`` costs what cannot be had now."""
    window = Window(since=team.clock.now() - timedelta(days=3))
    path = (await team.build(tmp_path, window=window)).document.path
    fail(team.chat, "down")

    await team.build(tmp_path, **wanted)

    assert "SameSite=Lax" in path.read_text("utf-8")
    assert "for 900 seconds" in path.read_text("utf-8")


async def test_a_failing_tool_when_the_index_is_lost(team: "Team", tmp_path: Path) -> None:
    """What it gave before stays, though Rove knows no more than what stands in the file."""
    path = (await team.build(tmp_path)).document.path
    for file in (tmp_path / ".rove").glob("index.db*"):
        file.unlink()
    fail(team.chat, "down")
    await team.build(tmp_path)
    while_failing = path.read_text("utf-8")
    fail(team.chat, "")
    await team.build(tmp_path)

    assert "SameSite=Lax" in while_failing
    assert path.read_text("utf-8").count("> T-1: we decided to set SameSite=Lax") == 1


async def test_what_was_said_while_a_tool_was_down(team: "Team", tmp_path: Path) -> None:
    """It is found by the first build that gets an answer: the tool is asked from where it left."""
    path = (await team.build(tmp_path)).document.path
    fail(team.chat, "down")
    team.chat.put("M-2", "T-1: the redirect cookie needs a prefix as well.")
    team.clock.advance(40 * 86_400)
    await team.build(tmp_path)
    fail(team.chat, "")

    await team.build(tmp_path)

    assert "needs a prefix as well" in path.read_text("utf-8")


async def test_a_tool_is_asked_once_when_it_is_down(team: "Team", tmp_path: Path) -> None:
    """Who does not answer is left alone for the rest of the build."""
    fail(team.chat, "down")

    await team.build(tmp_path)

    assert [query.text for query in team.chat.searches] == ["T-1"]
    assert team.chat.reads == []


async def test_a_tool_that_is_not_used_any_more(team: "Team", tmp_path: Path) -> None:
    """It is not asked, and what it gave before stays."""
    path = (await team.build(tmp_path)).document.path
    team.clock.advance(3600)
    async with team.opened(tmp_path, without=(team.chat,)) as project:
        built = await project.build("T-1")

    assert built.failures == {}
    assert "SameSite=Lax" in path.read_text("utf-8")
    assert "| Chat |" not in path.read_text("utf-8")


async def test_all_others_fail(team: "Team", tmp_path: Path) -> None:
    """The ticket alone is a document, too."""
    fail(team.chat, "down")
    fail(team.code, "denied")

    built = await team.build(tmp_path)

    assert told(built.document.path).endswith("2 sources failed: Chat, Code.")
    assert "> The session cookie is lost" in built.document.path.read_text("utf-8")


async def test_a_search_fails(team: "Team", tmp_path: Path) -> None:
    """A tool that stumbles over one question is asked the others."""
    team.chat.troubles["T-1"] = PluginFailed("chat raised a KeyError")

    built = await team.build(tmp_path)

    assert list(built.failures) == ["chat"]
    assert "SameSite=Lax" in built.document.path.read_text("utf-8")


async def test_a_tool_lets_only_so_much_be_asked(team: "Team", tmp_path: Path) -> None:
    """What a search for a word would have found while it was put off is found the next time."""
    await team.build(tmp_path)
    word = "cookie"
    assert word in [query.text for query in team.chat.searches]
    team.chat.put("M-2", f"The {word} is set twice, it seems, in any session after the redirect.")
    team.chat.troubles = {
        query.text: RateLimited("slow down") for query in team.chat.searches if query.text != "T-1"
    }
    team.clock.advance(86_400)
    put_off = await team.build(tmp_path)
    team.chat.troubles = {}
    team.chat.reads.clear()
    await team.build(tmp_path)

    assert put_off.failures == {}
    assert "M-2" in team.chat.reads


@pytest.mark.parametrize("why", WAYS)
async def test_the_ticket_itself_cannot_be_read(team: "Team", tmp_path: Path, why: str) -> None:
    """Nothing is written where nothing was, and the error says why."""
    fail(team.tickets, why)

    with pytest.raises(RoveError) as error:
        await team.build(tmp_path)

    assert error.value.exit_code != 0
    assert list((tmp_path / ".context").glob("*")) == []


@pytest.mark.parametrize("why", WAYS)
async def test_the_ticket_cannot_be_read_any_more(team: "Team", tmp_path: Path, why: str) -> None:
    """Its document stays byte for byte, news elsewhere wait, and the next build brings them."""
    path = (await team.build(tmp_path)).document.path
    before = kept(tmp_path)
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")
    fail(team.tickets, why)
    with pytest.raises(RoveError):
        await team.build(tmp_path)
    meanwhile = kept(tmp_path)
    fail(team.tickets, "")
    await team.build(tmp_path)

    assert before == meanwhile
    assert "the cookie lives 600 seconds" in path.read_text("utf-8")


async def test_the_ticket_was_deleted(team: "Team", tmp_path: Path) -> None:
    """The document of a ticket that is no more stays as it was."""
    await team.build(tmp_path)
    before = kept(tmp_path)
    del team.tickets.items["T-1"]

    with pytest.raises(RoveError, match="no T-1"):
        await team.build(tmp_path)

    assert before == kept(tmp_path)


async def test_cancelled_at_any_moment(team: "Team", tmp_path: Path) -> None:
    """Who stops a build has the old document or the new one, and the next build ends well."""
    path = (await team.build(tmp_path)).document.path
    old = path.read_text("utf-8")
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")
    for turns in range(0, 200, 7):
        build = asyncio.create_task(team.build(tmp_path))
        for _ in range(turns):
            await asyncio.sleep(0)  # noqa: TID251  # lets the build go on by one step
        build.cancel()
        await asyncio.gather(build, return_exceptions=True)
        seen = path.read_text("utf-8")
        if seen != old:
            assert seen.count("> Decided: the cookie lives 600 seconds") == 1

    await team.build(tmp_path)

    assert path.read_text("utf-8").count("> Decided: the cookie lives 600 seconds") == 1


def kept(folder: Path) -> dict[str, bytes]:
    """Return all documents, and what is remembered of them."""
    places = (folder / ".context", folder / ".rove" / "documents")
    return {str(path): path.read_bytes() for each in places for path in each.rglob("*.*")}
