"""Documents refreshed while their sources change, people write into them and files are lost."""

import asyncio
import os
import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from rove_core.build.gather.fetches import FetchCache
from rove_core.project.explain import explain
from rove_core.project.layout import ProjectPaths
from rove_core.testing.faults import Fault, FaultProxy
from rove_core.testing.models import FakeModel
from rove_core.time_windows import Window

if TYPE_CHECKING:
    from tests.core.team import Team

pytestmark = pytest.mark.anyio

DAY = 86_400
GONE = "(no longer at the source, "


def blocks(path: Path) -> list[str]:
    """Return what stands in a document, block by block."""
    return [part for part in path.read_text("utf-8").split("\n\n") if part.strip()]


def said_twice(path: Path) -> list[str]:
    """Return what stands in a document more than once, but for who said things."""
    told = [block for block in blocks(path) if not block.startswith("—")]
    return [block for block in set(told) if told.count(block) > 1]


async def test_a_new_reply_arrives_once(team: "Team", tmp_path: Path) -> None:
    """A search for news finds the thread, and what is new in it goes behind what was said."""
    path = (await team.build(tmp_path)).document.path
    team.clock.advance(60 * DAY)
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds, not 900.")

    for _ in range(2):
        await team.build(tmp_path)

    text = path.read_text("utf-8")
    assert text.count("> Decided: the cookie lives 600 seconds") == 1
    assert text.index("> Decided: the cookie lives") > text.index("> The redirect must keep")
    assert said_twice(path) == []


async def test_a_reply_that_no_search_shows(team: "Team", tmp_path: Path) -> None:
    """A thread that goes on is read again, though no search finds anything new in it."""
    path = (await team.build(tmp_path)).document.path
    before = team.chat.items["M-1"].timestamp
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")
    team.chat.items["M-1"] = attrs.evolve(team.chat.items["M-1"], timestamp=before)
    team.clock.advance(DAY)

    for _ in range(2):
        await team.build(tmp_path)

    assert path.read_text("utf-8").count("> Decided: the cookie lives 600 seconds") == 1


async def test_what_another_document_has_read_is_still_news(team: "Team", tmp_path: Path) -> None:
    """Both tell of it, whichever was refreshed first."""
    team.tickets.put("T-2", "See M-1.", kind="ticket", title="Another ticket")
    paths = [(await team.build(tmp_path, name)).document.path for name in ("T-1", "T-2")]
    team.clock.advance(DAY)
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds, not 900.")

    for name in ("T-2", "T-1"):
        await team.build(tmp_path, name)

    assert [path.read_text("utf-8").count("> Decided: the cookie lives 600") for path in paths] == [
        1,
        1,
    ]


async def test_an_edited_reply_stays_where_it_is(team: "Team", tmp_path: Path) -> None:
    """What was edited at the source reads as it does there, in the same place, with its number."""
    path = (await team.build(tmp_path)).document.path
    before = path.read_text("utf-8")
    team.chat.edit("M-1", 1, "The redirect must keep the session cookie for 60 seconds.")

    await team.build(tmp_path)

    assert before.replace("for 900 seconds", "for 60 seconds") == path.read_text("utf-8")


async def test_a_deleted_reply_keeps_its_quote(team: "Team", tmp_path: Path) -> None:
    """It is marked with the day it was missed; the mark stays, and there is one of it."""
    path = (await team.build(tmp_path)).document.path
    team.chat.edit("M-1", 1, None)

    for _ in range(3):
        await team.build(tmp_path)
        team.clock.advance(DAY)

    (marked,) = [block for block in blocks(path) if GONE in block]
    assert marked == "— *Bo, Jan 1, 2026 (no longer at the source, Jan 1, 2026)*"
    assert "> The redirect must keep the session cookie for 900 seconds." in path.read_text("utf-8")


async def test_a_deleted_thread_keeps_its_quotes(team: "Team", tmp_path: Path) -> None:
    """All that was quoted of it stays and is marked, also when other things change later."""
    path = (await team.build(tmp_path)).document.path
    del team.chat.items["M-1"]

    await team.build(tmp_path)
    team.clock.advance(60 * DAY)
    team.code.reply("P-1", "Decided: we set the cookie with a prefix, too.")
    await team.build(tmp_path)

    text = path.read_text("utf-8")
    assert text.count(f"{GONE}Jan 1, 2026)") == 2
    assert "SameSite=Lax" in text
    assert "with a prefix, too" in text


async def test_what_comes_back_loses_its_mark(team: "Team", tmp_path: Path) -> None:
    """Who deletes a thread by mistake and restores it finds the document as it was."""
    path = (await team.build(tmp_path)).document.path
    before = path.read_text("utf-8")
    thread = team.chat.items.pop("M-1")
    await team.build(tmp_path)
    team.chat.items["M-1"] = thread

    await team.build(tmp_path)

    assert before == path.read_text("utf-8")


async def test_what_was_never_quoted_is_forgotten(team: "Team", tmp_path: Path) -> None:
    """What is deleted and was not in the document does not come into it."""
    team.chat.put("M-2", "Lunch at noon?")
    path = (await team.build(tmp_path)).document.path
    del team.chat.items["M-2"]
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")

    await team.build(tmp_path)

    assert "Lunch" not in path.read_text("utf-8")
    assert GONE not in path.read_text("utf-8")


async def test_nothing_new(team: "Team", tmp_path: Path) -> None:
    """One question for each thing asked before, each thread that goes on, and no other byte."""
    path = (await team.build(tmp_path)).document.path
    before = path.read_text("utf-8")
    asked = {tool.name: sorted(query.text for query in tool.searches) for tool in team.tools}
    team.forget()
    team.clock.advance(DAY)

    await team.build(tmp_path)

    assert before.replace("| 2026-01-01 |", "| 2026-01-02 |") == path.read_text("utf-8")
    assert asked == {
        tool.name: sorted(query.text for query in tool.searches) for tool in team.tools
    }
    assert [tool.reads for tool in team.tools] == [["T-1"], ["M-1"], ["P-1"]]
    assert all(query.since for tool in team.tools for query in tool.searches)


async def test_what_is_silent_for_long_is_not_read(team: "Team", tmp_path: Path) -> None:
    """A month after the last word the searches alone tell whether there is anything new."""
    await team.build(tmp_path)
    team.clock.advance(40 * DAY)
    team.forget()

    await team.build(tmp_path)

    assert [tool.reads for tool in team.tools] == [["T-1"], [], []]


async def test_nothing_new_asks_no_model(
    team: "Team", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that helped with the first build is not asked about a document that says it all."""
    model = FakeModel(lambda asked: {asked.wanted: []})
    async with FaultProxy(model) as proxy:
        monkeypatch.setenv("ROVE_AI_ENGINE", "openai")
        monkeypatch.setenv("ROVE_AI_API_BASE", f"{proxy.url}/v1")
        await team.build(tmp_path)
        calls = len(model.asked)
        await team.build(tmp_path)

    assert 0 < calls == len(model.asked)


async def test_a_model_that_does_not_answer_is_reported(
    team: "Team", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that had to do without its model says so once, with the reason."""
    async with FaultProxy(FakeModel(lambda asked: {asked.wanted: []})) as proxy:
        proxy.play(Fault(status=401), times=None)
        monkeypatch.setenv("ROVE_AI_ENGINE", "openai")
        monkeypatch.setenv("ROVE_AI_API_BASE", f"{proxy.url}/v1")
        result = await team.build(tmp_path)

    (note,) = result.notes
    assert note.startswith("model (")
    assert note.endswith("): the model's endpoint rejected the key")
    # What stands beside a task that is done is its document.
    assert [event.stage for event in team.events[-2:]] == ["note", "write"]


async def test_what_people_wrote_stays(team: "Team", tmp_path: Path) -> None:
    """Their words stay byte for byte, what they changed is theirs, what they removed is gone."""
    path = (await team.build(tmp_path)).document.path
    text = path.read_text("utf-8")
    text = text.replace("> T-1: we decided to set SameSite=Lax", "> SameSite=Strict (was Lax)")
    text = re.sub(r"(### .*\n)", r"\1\nOurs:  trust\tnobody.\r\n", text, count=1)
    text = re.sub(r"> Fixes T-1.*?\n\n", "", text)
    path.write_bytes(f"{text}\n\n* * *\nMy own end".encode())
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")

    await team.build(tmp_path)

    told = path.read_bytes().decode()
    assert "SameSite=Strict (was Lax)" in told
    assert "Ours:  trust\tnobody.\r\n" in told
    assert "> Fixes T-1" not in told
    assert told.endswith("* * *\nMy own end")
    assert told.count("> Decided: the cookie lives 600 seconds.") == 1


async def test_fresh_writes_it_again(team: "Team", tmp_path: Path) -> None:
    """With ``--fresh`` everything is asked for again, and what people removed is written again."""
    path = (await team.build(tmp_path)).document.path
    text = path.read_text("utf-8")
    path.write_text(re.sub(r"> Fixes T-1.*?\n\n", "", text), "utf-8")
    await team.build(tmp_path)
    team.forget()

    await team.build(tmp_path, fresh=True)

    assert text == path.read_text("utf-8")
    assert not any(query.since for tool in team.tools for query in tool.searches)


@pytest.mark.parametrize("wanted", [{"fresh": True}, {"window": Window()}])
async def test_what_is_gone_stays_when_all_is_asked_for_again(
    team: "Team", tmp_path: Path, wanted: dict[str, Any]
) -> None:
    """What is no longer at its source is in no answer, and yet not lost."""
    window = Window(since=team.clock.now() - timedelta(days=3))
    path = (await team.build(tmp_path, window=window)).document.path
    del team.chat.items["M-1"]
    await team.build(tmp_path)

    await team.build(tmp_path, **wanted)

    assert "SameSite=Lax" in path.read_text("utf-8")
    assert path.read_text("utf-8").count(GONE) == 2


async def test_a_window_given_and_lifted(team: "Team", tmp_path: Path) -> None:
    """It is kept for every refresh, and what lies outside comes in when it is lifted."""
    team.chat.put("M-2", "T-1: the old redirect broke the cookie on Safari in any case.")
    team.clock.advance(10 * DAY)
    team.chat.put("M-3", "T-1: decided, Safari gets a cookie of its own.")
    window = Window(since=team.clock.now() - timedelta(days=1))
    path = (await team.build(tmp_path, window=window)).document.path
    narrow = path.read_text("utf-8")
    await team.build(tmp_path)
    kept = path.read_text("utf-8")
    await team.build(tmp_path, window=Window())

    assert narrow == kept
    assert ("a cookie of its own" in narrow, "broke the cookie" in narrow) == (True, False)
    assert "broke the cookie" in path.read_text("utf-8")
    assert said_twice(path) == []


def lose_index(folder: Path) -> None:
    """Lose all that can be rebuilt."""
    for path in (folder / ".rove").glob("index.db*"):
        path.unlink()


def lose_base(folder: Path) -> None:
    """Lose what is remembered of the documents."""
    shutil.rmtree(attrs.evolve(ProjectPaths.at(folder), is_alone=True).bases)


def lose_both(folder: Path) -> None:
    """Lose all but the documents."""
    lose_index(folder)
    lose_base(folder)


LOSSES = [lose_index, lose_base, lose_both]


@pytest.mark.parametrize("lose", LOSSES)
async def test_what_is_lost_is_made_anew(
    team: "Team", tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    """The file is adopted: the same name, nothing doubled, people's words in it, news arrive."""
    path = (await team.build(tmp_path)).document.path
    theirs = path.read_text("utf-8").replace("\n---\n", "\nMy own words.\n\n---\n")
    path.write_text(theirs, "utf-8")
    lose(tmp_path)

    again = (await team.build(tmp_path)).document.path
    same = again.read_text("utf-8")
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")
    await team.build(tmp_path)

    assert (path, theirs) == (again, same)
    assert [path] == list(path.parent.iterdir())
    assert path.read_text("utf-8").count("> Decided: the cookie lives 600 seconds.") == 1
    assert said_twice(path) == []


@pytest.mark.parametrize("lose", LOSSES)
async def test_what_was_gone_stays_when_more_is_lost(
    team: "Team", tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    """A quote that no source can give again is not taken out because Rove forgot about it."""
    path = (await team.build(tmp_path)).document.path
    del team.chat.items["M-1"]
    await team.build(tmp_path)
    lose(tmp_path)

    await team.build(tmp_path)

    assert "SameSite=Lax" in path.read_text("utf-8")
    assert path.read_text("utf-8").count(GONE) == 2


async def test_a_file_deleted_by_hand(team: "Team", tmp_path: Path) -> None:
    """It is written again, under its name."""
    path = (await team.build(tmp_path)).document.path
    text = path.read_text("utf-8")
    path.unlink()

    again = (await team.build(tmp_path)).document.path

    assert (path, text) == (again, again.read_text("utf-8"))


async def test_a_file_renamed_by_hand(team: "Team", tmp_path: Path) -> None:
    """The renamed one is a person's from then on; the document is written again."""
    path = (await team.build(tmp_path)).document.path
    text = path.read_text("utf-8")
    mine = path.rename(path.with_name("mine.md"))

    again = (await team.build(tmp_path)).document.path

    assert (path, text, text) == (again, again.read_text("utf-8"), mine.read_text("utf-8"))


async def test_one_id_in_two_accounts(team: "Team", tmp_path: Path) -> None:
    """Each has a document of its own, whatever is lost, and whoever was built first."""
    other = type(team.tickets)("tickets:work", "T", team.clock)
    other.put("T-1", "Paint the office.", kind="ticket", title="Paint")
    for lose in (None, *LOSSES):
        if lose:
            lose(tmp_path)
        paths = []
        for name in ("tickets:work", "tickets"):
            async with team.opened(tmp_path, other) as project:
                paths.append((await project.build("T-1", source=name)).document.path)

        assert ["Paint the office." in path.read_text("utf-8") for path in paths] == [True, False]
        assert sorted(paths) == sorted((tmp_path / ".context").iterdir())


async def test_the_same_id_in_two_accounts_at_once(team: "Team", tmp_path: Path) -> None:
    """Two documents that are first written at the same moment do not get one name."""
    other = type(team.tickets)("tickets:work", "T", team.clock)
    other.items = {
        name: attrs.evolve(item, ref=other.ref(name, "ticket"))
        for name, item in team.tickets.items.items()
    }
    async with team.opened(tmp_path, other) as project:
        built = await asyncio.gather(
            project.build("T-1", source="tickets"), project.build("T-1", source="tickets:work")
        )

    assert len({each.document.path for each in built}) == 2


@pytest.mark.parametrize("moment", [1, 2, 3])
async def test_saved_at_that_very_moment(
    team: "Team", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """What a person saves while Rove writes is not lost."""
    path = (await team.build(tmp_path)).document.path
    team.chat.reply("M-1", "Decided: the cookie lives 600 seconds.")
    theirs = path.read_text("utf-8").replace(
        "## Related Code", "Saved just now.\n\n## Related Code"
    )
    synced: list[int] = []

    def sync(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == moment:
            path.write_text(theirs, "utf-8")

    monkeypatch.setattr(os, "fsync", sync)

    await team.build(tmp_path)

    text = path.read_text("utf-8")
    assert len(synced) > moment
    assert "Saved just now." in text
    assert text.count("> Decided: the cookie lives 600 seconds.") == 1


async def test_tickets_of_one_call_share_what_is_fetched(team: "Team", tmp_path: Path) -> None:
    """What was read for one document is not read again for the next."""
    team.tickets.put("T-2", "The login redirect, see M-1.", kind="ticket", title="Redirect")
    team.chat.put("M-1", "T-1 and T-2: we decided to set SameSite=Lax on the session cookie.")
    fetched = FetchCache()
    async with team.opened(tmp_path) as project:
        for ticket in ("T-1", "T-2"):
            await project.build(ticket, source="tickets", fetched=fetched)

    asked = [(query.text, query.since) for query in team.chat.searches]
    assert team.chat.reads == ["M-1"]
    assert sorted(set(asked)) == sorted(asked)


async def test_explain_tells_what_is_gone(team: "Team", tmp_path: Path) -> None:
    """Whoever asks why something is in the document learns that its source has it no more."""
    await team.build(tmp_path)
    del team.chat.items["M-1"]
    await team.build(tmp_path)

    async with team.opened(tmp_path) as project:
        told = await explain(project, ticket="T-1")

    assert any("M-1" in str(each) and "2026" in str(each) for each in told.items)


async def test_a_clock_that_was_ahead(team: "Team", tmp_path: Path) -> None:
    """A build whose clock was a day ahead hides nothing from the next one."""
    right = team.clock.now()
    team.clock.put(right + timedelta(seconds=DAY))
    path = (await team.build(tmp_path)).document.path
    team.clock.put(right)
    team.clock.advance(60)
    team.chat.put("M-77", "Decided for T-1: the cookie lives 600 seconds.", kind="message")

    await team.build(tmp_path)

    assert "the cookie lives 600 seconds" in path.read_text("utf-8")


@pytest.mark.parametrize(("hosts", "live"), [(None, {"docs.python.org"}), ("localhost", {"here"})])
async def test_named_hosts_stay_links_in_a_document(
    team: "Team",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hosts: str | None,
    live: set[str],
) -> None:
    """A documentation host by default, one's own machine by choice, a stranger's never."""
    if hosts:
        monkeypatch.setenv("ROVE_CONTEXT_LINK_HOSTS", hosts)
    links = {
        "docs.python.org": "https://docs.python.org/3/library/http.cookies.html",
        "here": "http://localhost:8000/login",
        "stranger": "https://evil.example/cookie",
        "anybody's mail": "https://www.postgresql.org/message-id/cookie@evil.example",
    }
    said = f"T-1: we decided to set the session cookie as in {' and '.join(links.values())}"
    team.chat.put("M-1", said)
    text = (await team.build(tmp_path)).document.path.read_text("utf-8")

    assert {name for name, link in links.items() if link in text} == live
    assert "hxxps://evil[.]example/cookie" in text
